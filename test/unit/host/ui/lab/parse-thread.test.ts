import assert from 'node:assert/strict';
import type { CaseOutcome } from '../../../../../src/contract/lab-parse';
import type { ParseInput } from '../../../../../src/host/ui/lab/parse-job';
import { parseInThread } from '../../../../../src/host/ui/lab/parse-thread';
import { caseReading, readShippedCases } from '../../../../../src/host/ui/lab/reply-cases';
import { distFile } from '../../../../support/dist';

const CALL = '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>';

function reading(reply: string): ParseInput {
  return { reply, protocol: 'auto', chunk: 0, tools: [], strictness: 'repair', recover: true };
}

describe('parseInThread', () => {
  const never = new AbortController().signal;

  it('reads a reply of 5 MB while the extension host goes on', async () => {
    const long = `${'A line of text that goes on for a while.\n'.repeat(125_000)}${CALL}`;
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    const result = await parseInThread(
      { type: 'reply', reading: reading(long), promptForm: 'full' },
      never,
    ).finally(() => clearInterval(turning));
    assert.ok(turns > 1);
    assert.ok(result.type === 'answer' && 'parts' in result.answer);
    assert.deepEqual(
      result.answer.parts.map(({ type }) => type),
      ['text', 'call'],
    );
    // Data that the page already has is not sent back.
    assert.deepEqual(result.answer.parts[0], { type: 'text', start: 0, end: long.length - CALL.length });
  });

  it('finds every case that is shipped as it should be', async () => {
    const { cases, tools } = await readShippedCases(distFile('reply-cases.json'));
    const end = await parseInThread(
      {
        type: 'cases',
        cases: cases.map((each, number) => caseReading(number, each, tools)),
      },
      never,
    );
    assert.ok(end.type === 'answer' && Array.isArray(end.answer));
    const outcomes: readonly CaseOutcome[] = end.answer;
    assert.ok(outcomes.length > 700);
    assert.deepEqual(
      outcomes.filter(({ actual, expected }) => actual !== expected),
      [],
    );
  });

  it('is given up at once', async () => {
    const controller = new AbortController();
    const parsing = parseInThread(
      { type: 'comparison', reading: reading(CALL.repeat(20_000)) },
      controller.signal,
    );
    const stopped = assert.rejects(parsing);
    controller.abort();
    await stopped;
  });
});
