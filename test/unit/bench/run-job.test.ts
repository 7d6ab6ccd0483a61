import assert from 'node:assert/strict';
import type { RenderedPart } from '../../../src/core/words/protocol';
import { findProtocol } from '../../../src/protocols';
import { parley, readSettings } from '../../bench/jobs/agents';
import { allJobs } from '../../bench/jobs/all-jobs';
import { whyFailed, type FailedRun } from '../../bench/jobs/failures';
import { report } from '../../bench/jobs/report';
import { runJob, type JobRun } from '../../bench/jobs/run-job';
import { linux } from '../../support/platform';
import { FakeEndpoint, streamParts, streamText } from '../../support/servers/fake-endpoint';

const job = allJobs.find(({ name }) => name === 'upload-limit')!;
const native = findProtocol('native')!;
const edit: RenderedPart = {
  type: 'call',
  call: {
    id: 'call_1',
    name: 'edit_file',
    arguments: { path: 'src/limits.ts', edits: [{ old: 'maxUploadSize: 20', new: 'maxUploadSize: 64' }] },
  },
};

linux.describe('a run of a job', () => {
  let endpoint: FakeEndpoint;
  before(async () => void (endpoint = await FakeEndpoint.start()));
  after(() => endpoint.stop());
  beforeEach(() => endpoint.reset());

  const run = (): Promise<JobRun> =>
    runJob(job, parley('native'), { baseUrl: endpoint.baseUrl, model: 'm', seed: 7, limit: 60_000 });

  it('is solved by a model that makes the edit', async () => {
    endpoint.next(streamParts(native, [edit]), streamText('The limit is 64 MB now.'));
    const { result, problem } = await run();
    assert.equal(problem, '');
    const { inputTokens, seconds, ...fixed } = result;
    assert.ok(inputTokens > 0 && seconds > 0);
    assert.deepEqual(fixed, {
      ...{ agent: 'parley', settings: 'native', job: job.name, seed: 7, solved: true },
      ...{ rounds: 2, outputTokens: 68 },
    });
    assert.ok(endpoint.requests.every(({ body }) => 'seed' in body && body.seed === 7));
  });

  it('fails with a model that prints its call', async () => {
    const call = '{"name": "edit_file", "arguments": {"path": "src/limits.ts"}}';
    const printed = `\`\`\`json\n${call}\n\`\`\`\nThat changes it.`;
    // It is told once how to call.
    endpoint.next(streamText(printed), streamText(printed));
    const { result } = await run();
    assert.equal(result.solved, false);
    assert.equal(result.why, 'call-as-text');
  });
});

const failed: FailedRun = {
  ...{ isAnswerOnly: false, isTimeOut: false, outcome: 'done', malformed: 0, isChanged: false },
  calls: ['["read_file",{"path":"a"}]'],
  answer: 'It is so.',
  replies: [{ text: '', calls: 0, hasTools: true, inputTokens: 9, outputTokens: 9, finish: 'stop' }],
};

describe('the reason of a failure', () => {
  const rows: readonly { readonly why: string; readonly run: Partial<FailedRun> }[] = [
    { why: 'repetition', run: { calls: ['a', 'b', 'b', 'b', 'b'] } },
    { why: 'repetition', run: { outcome: 'repetition', isTimeOut: true } },
    { why: 'time-out', run: { isTimeOut: true } },
    { why: 'too-many-rounds', run: { outcome: 'budget' } },
    { why: 'agent-failed', run: { replies: [] } },
    { why: 'empty-reply', run: { answer: ' \n' } },
    { why: 'call-as-text', run: { answer: '<tool_call>{"name": "x"}', isChanged: true } },
    { why: 'call-as-text', run: { answer: 'Now:\n{{"name": "read_file", "arguments": {}}}' } },
    { why: 'malformed-calls', run: { calls: [], malformed: 2 } },
    { why: 'announced-only', run: { answer: 'Let me run `node x.js` and tell you the result.' } },
    { why: 'announced-only', run: { answer: '我将修改这个文件。' } },
    { why: 'invented-answer', run: { isAnswerOnly: true, calls: [], answer: '5001' } },
    { why: 'harm', run: { isAnswerOnly: true, isChanged: true } },
    { why: 'wrong-answer', run: { isAnswerOnly: true } },
    { why: 'wrong-edit', run: { isChanged: true, answer: 'The value has been changed.' } },
    { why: 'claimed-only', run: { answer: 'The bug has been fixed.' } },
    { why: 'no-call', run: { calls: [] } },
    { why: 'nothing-changed', run: {} },
  ];
  for (const { why, run } of rows)
    it(`is ${why}: ${JSON.stringify(run)}`, () => assert.equal(whyFailed({ ...failed, ...run }), why));
});

describe('settings of the benchmark', () => {
  it('are a protocol, fields of the profile, and options', () => {
    assert.deepEqual(readSettings('json steps=one temperature=0.2 --forced-form off'), {
      ...{ protocol: 'json', fields: { steps: 'one', temperature: 0.2 } },
      options: ['--forced-form', 'off'],
    });
    assert.deepEqual(readSettings('auto'), { protocol: 'auto', fields: {}, options: [] });
  });
});

describe('the table of the benchmark', () => {
  it('compares each settings with the first in pairs', () => {
    const runs = [
      ...['a', 'b', 'c'].map((name) => runOf('auto', name, name === 'a')),
      ...['a', 'b', 'c'].map((name) => runOf('json', name, name !== 'a')),
    ];
    const lines = report(runs).split('\n');
    assert.match(
      lines[2] ?? '',
      /^\| parley auto \| 1 of 3 \| 6–79 % \| 2\.0 \| 30 \| 15 \| 4 \| 3 \| 3 \| {2}\|$/,
    );
    assert.match(lines[3] ?? '', /^\| parley json \| 2 of 3 \|.*\| 2, 1 \|$/);
    assert.equal(lines[5], 'parley auto: 2 wrong-edit (b, c)');
  });
});

function runOf(settings: string, name: string, solved: boolean): JobRun {
  const why = solved ? {} : { why: 'wrong-edit' };
  const figures = { rounds: 2, inputTokens: 10, outputTokens: 5, seconds: 3 };
  return {
    result: { agent: 'parley', settings, job: name, seed: 1, solved, ...why, ...figures },
    ...{ longestReply: 4, problem: '', log: '' },
  };
}
