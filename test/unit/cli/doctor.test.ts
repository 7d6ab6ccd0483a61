import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DoctorReport } from '../../../src/doctor/report';
import { runCli } from '../../support/processes/run-cli';
import { answerWith, FakeEndpoint, streamText } from '../../support/servers/fake-endpoint';
import { answerExams } from '../../support/servers/exam-endpoint';
import { answerJobs } from '../../support/servers/job-endpoint';
import { NeedsReasoning } from '../../support/servers/needs-reasoning';

describe('parley doctor', function () {
  this.timeout(60_000);
  let endpoint: FakeEndpoint;
  let folder: string;
  before(async () => {
    endpoint = await FakeEndpoint.start();
    folder = mkdtempSync(path.join(tmpdir(), 'parley-doctor-'));
  });
  beforeEach(() => endpoint.reset());
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await endpoint.stop();
  });

  const doctor = (...more: readonly string[]): ReturnType<typeof runCli> =>
    runCli(['doctor', '--base-url', endpoint.baseUrl, '--model-name', 'm', '--seed', '3', ...more]);

  it('recommends what the model speaks, and says what was sent for it', async () => {
    endpoint.always(answerExams('hermes', 3));
    const { stdout, stderr, code } = await doctor('--protocols', 'vcp,hermes', '--json');
    assert.equal(code, 0, stderr);
    const report = JSON.parse(stdout) as DoctorReport;
    const { version, model, endpoint: origin, recommended, settings, seed } = report;
    assert.deepEqual(
      { version, model, origin, recommended, settings, seed },
      {
        ...{ version: 'parley-doctor/1', model: 'm', recommended: 'hermes', seed: 3 },
        origin: new URL(endpoint.baseUrl).origin,
        settings: { protocol: 'hermes' },
      },
    );
    assert.match(report.why, /^"hermes" did (\d+) of \1 tasks and is at least 90 % likely/);
    for (const { protocol, task, right, n, clean, none, interval } of report.rows) {
      const isPlain = task === 'no-call' || task === 'no-tool';
      assert.equal(right, protocol === 'hermes' || isPlain ? n : 0, `${protocol} ${task}`);
      if (protocol === 'hermes') assert.equal(isPlain ? none : clean, n);
      assert.ok(interval[0] >= 0 && interval[1] <= 1);
    }
    assert.match(stderr, /^This takes [\d,]+ to [\d,]+ requests, at most 400, with/);
    for (const { body } of endpoint.requests) assert.equal((body as { max_tokens?: number }).max_tokens, 400);
  });

  it('has the model work, and recommends how', async () => {
    endpoint.always(answerJobs('hermes', answerExams('hermes', 3)));
    const { stdout, stderr, code } = await doctor('--protocols', 'vcp,hermes', '--json');
    assert.equal(code, 0, stderr);
    const { recommended, settings, way, work, why } = JSON.parse(stdout) as DoctorReport;
    assert.deepEqual(
      { recommended, settings, way },
      {
        recommended: 'hermes',
        settings: { protocol: 'hermes', steps: 'many' },
        way: { protocol: 'hermes', steps: 'many', tools: 'all' },
      },
    );
    assert.match(why, /^"hermes" did (\d+) of \1 tasks .*\. With "hermes, many" it did 3 of 3 small jobs\.$/);
    assert.deepEqual(
      work?.map(({ job, outcome, requests }) => [job, outcome, requests]),
      [
        ['timeout-of-section', 'solved', 2],
        ['empty-cart', 'solved', 2],
        ['count-results', 'solved', 2],
      ],
    );
    assert.match(stderr, /^hermes, many, count-results: solved\.$/m);
  });

  it('takes a quick look', async () => {
    endpoint.always(() => streamText('I do not know that.'));
    const { stdout, stderr, code } = await doctor('--quick', '--protocols', 'native,hermes');
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^This takes at most ten minutes/);
    assert.match(stdout, /^native, many calls, all tools +0 of 3 +no call, \d+ s/m);
    assert.match(stdout, /^It took a quick look\. It did none of the small jobs\.$/m);
  });

  it('recommends how to work after a quick look', async () => {
    endpoint.always(answerJobs('native', () => streamText('I do not know that.')));
    const { stdout, stderr, code } = await doctor('--quick', '--protocols', 'native', '--json');
    assert.equal(code, 0, stderr);
    const { recommended, rows, settings } = JSON.parse(stdout) as DoctorReport;
    assert.deepEqual([recommended, rows, settings], ['native', [], { protocol: 'native', steps: 'many' }]);
  });

  it('says so if the jobs were not finished', async () => {
    endpoint.always(answerJobs('hermes', answerExams('hermes', 3)));
    const { stdout, code } = await doctor('--quick', '--protocols', 'native', '--most-requests', '4');
    assert.equal(code, 3);
    assert.match(stdout, /The request limit was reached before all jobs were done\./);
  });

  it('recommends what the endpoint wants besides', async () => {
    const rule = new NeedsReasoning(answerExams('hermes', 3));
    endpoint.always(rule.answer);
    const { stdout, stderr, code } = await doctor('--protocols', 'hermes', '--json');
    assert.equal(code, 0, stderr);
    const { settings } = JSON.parse(stdout) as DoctorReport;
    assert.deepEqual(settings, { protocol: 'hermes', reasoning: 'echo' });
    assert.equal(rule.refusals, 1);
  });

  it('shows a table, and compares reports on one page', async () => {
    endpoint.always(answerExams('hermes', 3));
    const { stdout, code } = await doctor('--protocols', 'hermes,json');
    assert.equal(code, 0);
    assert.match(stdout, /^protocol +right +95 % of +3 in a row +clean calls +arguments +text +choice/m);
    assert.match(stdout, /^hermes +8 of 8 +68–100 % +31–100 % +/m);
    const files = [path.join(folder, 'a.json'), path.join(folder, 'b.json')];
    const { stdout: one } = await doctor('--protocols', 'hermes,json', '--json');
    writeFileSync(files[0]!, one);
    writeFileSync(files[1]!, one.replace('"model":"m"', '"model":"<b>other</b>"'));
    const page = path.join(folder, 'all.html');
    assert.equal((await runCli(['doctor', '--compare', ...files, '--html', page])).code, 0);
    const html = readFileSync(page, 'utf8');
    assert.match(html, /<table aria-label="All models">/);
    assert.match(html, /<h2>&lt;b&gt;other&lt;\/b&gt;<\/h2>/);
    assert.doesNotMatch(html, /<b>|<script/);
  });

  it('says that no protocol works', async () => {
    endpoint.always(() => streamText('I cannot do that.'));
    const { stdout, code } = await doctor('--protocols', 'hermes,json');
    assert.equal(code, 1);
    assert.match(stdout, /No protocol works/);
  });

  it('ends at the request limit with its findings so far', async () => {
    endpoint.always(answerExams('hermes', 3));
    const { stdout, code } = await doctor('--protocols', 'hermes,vcp', '--most-requests', '9');
    assert.equal(code, 3);
    assert.match(stdout, /The request limit was reached before one was best\. "hermes" is ahead/);
    assert.ok(endpoint.requests.length <= 9);
  });

  it('says what is wrong with the server', async () => {
    const error = '{"error":{"message":"The key is wrong."}}';
    endpoint.always(() => answerWith(401, 'application/json', error));
    const { stdout, code } = await doctor('--protocols', 'hermes');
    assert.equal(code, 1);
    assert.match(stdout, /The server failed repeatedly: .*key/);
  });

  for (const [args, says] of [
    [['--protocols', 'nope'], /there is no protocol "nope"/],
    [['--protocols', 'native+forced'], /"native" has no form/],
    [['--most-requests', 'many'], /--most-requests must be a whole number/],
    [['--json', '--html', 'x.html'], /cannot be combined/],
    [['x'], /options only/],
    [['--compare'], /name the reports/],
    [['--compare', 'package.json'], /package\.json is not a report/],
  ] as const) {
    it(`refuses ${args.join(' ')}`, async () => {
      const { stderr, code } = await doctor(...args);
      assert.equal(code, 2);
      assert.match(stderr, says);
    });
  }
});
