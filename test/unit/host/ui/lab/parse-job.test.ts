import assert from 'node:assert/strict';
import type { ReplyAnswer } from '../../../../../src/contract/lab-parse';
import { parseReply } from '../../../../../src/core/reply/parse-reply';
import { doParseJob, type ParseInput } from '../../../../../src/host/ui/lab/parse-job';
import { replyDeltas } from '../../../../../src/models/recorded-reply';
import { limits } from '../../../../../src/base/limits';
import { hermes } from '../../../../../src/protocols/tool-call/hermes';

const READ = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
} as const;

const CALL = '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>';

const LINES = [
  'data: {"choices":[{"delta":{"content":"Let me look."}}]}',
  'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"read_file","arguments":"{\\"path\\":\\"a.txt\\"}"}}]}}]}',
  'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}',
  'data: [DONE]',
].join('\n');

async function answer(reply: string, more: Partial<ParseInput> = {}): Promise<ReplyAnswer> {
  const reading: ParseInput = {
    ...{ reply, protocol: 'auto', chunk: 0, tools: [READ], strictness: 'repair', recover: true },
    ...more,
  };
  const found = await doParseJob({ type: 'reply', reading, promptForm: 'full' });
  assert.ok('type' in found && found.type === 'reply');
  return found;
}

describe('doParseJob', () => {
  it('shows how each part of a reply is read', async () => {
    const reply = `Text.${CALL}`;
    const options = { tools: [READ], strictness: 'repair', recover: true } as const;
    const reading: ParseInput = { reply, protocol: 'hermes', chunk: 0, ...options };
    assert.deepEqual(
      await doParseJob({ type: 'parts', reading }),
      parseReply(hermes, replyDeltas('hermes', reply, 0), options),
    );
  });

  it('reads a call in unclosed reasoning if the model ends its reasoning so', async () => {
    const how = { protocol: 'hermes', chunk: 0, tools: [READ], strictness: 'repair', recover: true } as const;
    for (const callsEndThinking of [true, false]) {
      const reading: ParseInput = { reply: `<think>Hm.${CALL}`, ...how, callsEndThinking };
      const parsed = await doParseJob({ type: 'parts', reading });
      assert.ok('parts' in parsed);
      assert.equal(
        parsed.parts.some(({ type }) => type === 'call'),
        callsEndThinking,
      );
    }
  });

  it('says where text and reasoning are in the reply', async () => {
    const { parts, raw } = await answer(`<think>t</think>Text.${CALL}`);
    assert.equal(raw, undefined);
    assert.deepEqual(parts.slice(0, 2), [
      { type: 'reasoning', start: 7, end: 8 },
      { type: 'text', start: 16, end: 21 },
    ]);
  });

  it('gives the text itself if it differs from the reply', async () => {
    const { parts } = await answer('{"reasoning":"","action":"finish","tool_calls":[],"content":"a\\nb"}', {
      protocol: 'envelope',
    });
    assert.deepEqual(parts, [{ type: 'text', text: 'a\nb' }]);
  });

  it('knows recorded lines by their look, and counts in what they carry', async () => {
    const { protocol, raw, parts, cuts } = await answer(LINES);
    assert.equal(protocol, 'native');
    assert.equal(raw, 'Let me look.{"path":"a.txt"}');
    assert.deepEqual(
      parts.map(({ type }) => type),
      ['text', 'call'],
    );
    assert.deepEqual(cuts, { sizes: [1, 7], isSame: true });
  });

  it('compares the pieces that were chosen, in short replies', async () => {
    assert.deepEqual((await answer(CALL, { chunk: 5 })).cuts, { sizes: [1, 7, 5], isSame: true });
    assert.equal((await answer('x'.repeat(limits.labComparedCharacters + 1))).cuts, undefined);
  });

  it('shows what the model is sent after the reply, with placeholder results', async () => {
    const { prompt, followUp, hasRealResults } = await answer(`Look. ${CALL}`);
    assert.match(prompt, /"name":"read_file"/);
    assert.deepEqual(
      followUp.map(({ role }) => role),
      ['assistant', 'user'],
    );
    assert.match(followUp[1]?.text ?? '', /Placeholder for the result of read_file\./);
    assert.equal(hasRealResults, false);
  });

  it('shows what the model is told of a call that could not be read', async () => {
    const { followUp } = await answer('<tool_call>{"name":"nope","arguments":{}}</tool_call>');
    assert.match(followUp.at(-1)?.text ?? '', /The call of nope was not executed: There is no tool "nope"\./);
  });

  it('sends nothing after an answer', async () => {
    assert.deepEqual((await answer('That is all.')).followUp, []);
  });

  it('uses the results of the conversation if it has them', async () => {
    const call = { id: 'c1', name: 'read_file', arguments: { path: 'a.txt' }, start: 0, end: CALL.length };
    const found = await doParseJob({
      type: 'reply',
      reading: { reply: CALL, protocol: 'vcp', chunk: 0, tools: [READ], strictness: 'repair', recover: true },
      promptForm: 'full',
      turns: [
        { type: 'reply', parts: [{ type: 'call', call: { ...call, notes: [], mark: 'clean' } }] },
        {
          type: 'results',
          results: [
            { requestId: 'c1', toolName: 'read_file', status: 'success', result: 'plum', durationMs: 1 },
          ],
        },
      ],
    });
    assert.ok('followUp' in found && found.hasRealResults);
    assert.match(found.followUp[0]?.text ?? '', /<<<\[TOOL_REQUEST\]>>>/);
    assert.match(found.followUp[1]?.text ?? '', /plum/);
  });

  it('cuts a very long request', async () => {
    const long = 'x'.repeat(limits.labMessageCharacters + 10);
    const { followUp } = await answer(`${long}${CALL}`);
    const [said] = followUp;
    assert.ok(said);
    assert.equal(said.text.length, limits.labMessageCharacters);
    assert.ok(said.left > 0);
  });

  it('reads by every protocol, side by side', async () => {
    const found = await doParseJob({
      type: 'comparison',
      reading: { reply: `Text.${CALL}`, chunk: 0, tools: [READ], strictness: 'repair', recover: false },
    });
    assert.ok('protocols' in found);
    assert.equal(found.detected, 'hermes');
    const shown = found.protocols.map(
      ({ id, calls, malformed, warnings, text }) => `${id} ${calls.join()} ${malformed} ${warnings} ${text}`,
    );
    assert.ok(shown.includes('hermes read_file 0 0 5'));
    assert.ok(shown.includes(`vcp  0 1 ${5 + CALL.length}`), shown.join('\n'));
  });
});
