import assert from 'node:assert/strict';
import fc from 'fast-check';
import { foldTranscript } from '../../../../src/core/transcript/fold-transcript';
import { turnsOf } from '../../../../src/core/transcript/history';
import { emptyTranscript } from '../../../../src/core/transcript/transcript';
import { appendEvent, type AgentEvent } from '../../../../src/core/words/events';
import type { ToolCall } from '../../../../src/core/words/messages';
import { native } from '../../../../src/protocols/native/native';
import { vcp } from '../../../../src/protocols/vcp/vcp';

function call(id: string): ToolCall {
  return { id, name: 'echo', arguments: { id }, start: 0, end: 1, notes: [], mark: 'clean' };
}

const start: AgentEvent = { type: 'run-start', text: 'go', time: 0 };
const round: AgentEvent = { type: 'round-start', round: 1, maxRounds: 50, protocol: 'native', model: 'm' };

/** Several runs of events in an order the loop could send, cut off anywhere. */
const run: fc.Arbitrary<AgentEvent[]> = fc
  .record({
    text: fc.string(),
    ids: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 3 }),
    malformed: fc.boolean(),
    cut: fc.nat(40),
    outcome: fc.constantFrom({ type: 'done' } as const, { type: 'aborted' } as const),
  })
  .map(({ text, ids, malformed, cut, outcome }) => {
    const diagnostic = { code: 'x', level: 'error', message: 'm', hint: 'h', start: 0, end: 1 } as const;
    const events: AgentEvent[] = [
      { type: 'text', text },
      ...ids.flatMap((id, index): AgentEvent[] => [
        { type: 'call-start', index, name: 'echo' },
        { type: 'call-delta', index, key: 'a', text: 'x' },
        { type: 'call-end', index, call: call(id) },
      ]),
      ...(malformed
        ? [{ type: 'malformed', index: 9, malformed: { id: 'bad', name: '', diagnostic } } as const]
        : []),
      { type: 'reply-end', reason: 'stop', raw: text },
      ...ids.flatMap((id): AgentEvent[] => [
        { type: 'tool-start', callId: id, title: 't' },
        { type: 'tool-output', callId: id, text: 'o' },
        {
          type: 'tool-end',
          callId: id,
          result: { requestId: id, toolName: 'echo', status: 'success', result: 'r', durationMs: 1 },
        },
      ]),
    ];
    return [start, round, ...events.slice(0, cut), { type: 'run-end', outcome }];
  });

const fold = (events: readonly AgentEvent[]): ReturnType<typeof foldTranscript> =>
  events.reduce(foldTranscript, emptyTranscript);

describe('transcript', () => {
  it('G29.history: answers every call exactly once, wherever the events break off', () => {
    fc.assert(
      fc.property(fc.array(run, { maxLength: 3 }), (runs) => {
        const turns = turnsOf(fold(runs.flat()));
        for (const [index, turn] of turns.entries()) {
          if (turn.type !== 'reply') continue;
          const asked = turn.parts.flatMap((part) =>
            part.type === 'call' ? [part.call.id] : part.type === 'malformed' ? [part.malformed.id] : [],
          );
          const next = turns[index + 1];
          const answered = next?.type === 'results' ? next.results.map(({ requestId }) => requestId) : [];
          assert.deepEqual(answered, asked);
        }
      }),
    );
  });

  it('G29.request: renders a request that an endpoint accepts', () => {
    fc.assert(
      fc.property(fc.array(run, { maxLength: 3 }), (runs) => {
        const conversation = { instructions: 'x', tools: [], turns: turnsOf(fold(runs.flat())) };
        const { messages } = native.request(conversation);
        let open: string[] = [];
        for (const message of messages) {
          if (message.role === 'tool') {
            assert.equal(message.toolCallId, open.shift());
            continue;
          }
          assert.deepEqual(open, []);
          if (message.role === 'assistant') open = (message.toolCalls ?? []).map(({ id }) => id);
        }
        assert.deepEqual(open, []);
        const roles = vcp.request(conversation).messages.map(({ role }) => role);
        assert.ok(roles.every((role, index) => role !== roles[index - 1]));
      }),
    );
  });

  it('folds joined pieces to the same as single ones', () => {
    fc.assert(
      fc.property(run, (events) => {
        const joined: AgentEvent[] = [];
        for (const event of events) appendEvent(joined, event);
        assert.deepEqual(fold(joined), fold(events));
      }),
    );
  });

  it('tells a call that was running from one that never started', () => {
    const before: AgentEvent[] = [start, round, { type: 'call-end', index: 0, call: call('a') }];
    const end: AgentEvent = { type: 'run-end', outcome: { type: 'aborted' } };
    const resultOf = (events: readonly AgentEvent[]): string => {
      const turn = turnsOf(fold(events)).at(-1);
      return turn?.type === 'results' ? (turn.results[0]?.result ?? '') : '';
    };
    assert.match(resultOf([...before, end]), /^Not executed/);
    assert.match(
      resultOf([...before, { type: 'tool-start', callId: 'a', title: 't' }, end]),
      /effect unknown/,
    );
  });
});
