import assert from 'node:assert/strict';
import type { ModelDelta, ToolCallDelta } from '../../../../../src/core/words/model';
import { findProtocol } from '../../../../../src/protocols';
import { callOf, testSession, testTool } from '../../../../support/agent/test-session';

const echo = testTool('echo', 'read', async (text) => `said ${text}`);
const DONE: ModelDelta[] = [
  { type: 'text', text: 'Here.' },
  { type: 'end', reason: 'stop' },
];

function calls(...pieces: Omit<ToolCallDelta, 'type'>[]): ModelDelta[] {
  return [
    ...pieces.map((piece) => ({ type: 'tool-call', ...piece }) as const),
    { type: 'end', reason: 'tool-calls' },
  ];
}

const UNREADABLE = calls({ index: 0, id: 'a', name: 'echo', arguments: '{"text": oops}' });
const HALF = calls({ index: 0, id: 'a', name: 'echo', arguments: '{"text":"x' });
const ORPHAN = calls({ arguments: '{}' });
const NAMELESS = calls({ index: 0, id: 'a', name: ' ', arguments: '{}' });
const UNKNOWN = calls({ index: 0, id: 'a', name: 'other', arguments: '{}' });
const GOOD = [callOf('echo', 'x')];

describe('native calls that cannot be read', () => {
  const rows: {
    name: string;
    replies: NonNullable<Parameters<typeof testSession>[0]['replies']>;
    outcome: string;
    of: number;
    told: number;
  }[] = [
    { name: 'once', replies: [UNREADABLE, GOOD, DONE], outcome: 'done', of: 3, told: 1 },
    { name: 'twice in a row', replies: [UNREADABLE, HALF, DONE], outcome: 'failed', of: 2, told: 1 },
    { name: 'twice, of other kinds', replies: [ORPHAN, NAMELESS, DONE], outcome: 'failed', of: 2, told: 1 },
    {
      name: 'twice, with a good one between',
      replies: [HALF, GOOD, HALF, DONE],
      outcome: 'done',
      of: 4,
      told: 2,
    },
    {
      name: 'of tools that do not exist',
      replies: [UNKNOWN, UNKNOWN, DONE],
      outcome: 'done',
      of: 3,
      told: 0,
    },
  ];
  for (const { name, replies, outcome, of, told } of rows) {
    it(`${name}: ${outcome}`, async () => {
      const { session, events, model } = testSession({
        tools: [echo],
        protocol: findProtocol('native')!,
        replies,
        suggestProtocol: () => 'json',
      });
      await session.send('go');
      const end = events.findLast((event) => event.type === 'run-end');
      assert.equal(end?.outcome.type, outcome);
      if (end.outcome.type === 'failed') assert.match(end.outcome.message, /Pick a text protocol/);
      assert.equal(model.requests.length, of);
      const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.diagnostic.code] : []));
      assert.equal(warnings.filter((code) => code === 'unreadable-calls').length, told);
      assert.equal(
        events.some((event) => event.type === 'advice' && event.protocol === 'json'),
        outcome === 'failed' || name === 'of tools that do not exist',
      );
    });
  }
});
