import assert from 'node:assert/strict';
import { turnsOf } from '../../../../../src/core/transcript/history';
import { foldEvents } from '../../../../../src/core/transcript/fold-events';
import type { AgentEvent } from '../../../../../src/core/words/events';
import type { ModelDelta } from '../../../../../src/core/words/model';
import { findProtocol, protocols } from '../../../../../src/protocols';
import { callOf, testSession, testTool, type TestSession } from '../../../../support/agent/test-session';

const echo = testTool('echo', 'read', async (text) => `said ${text}`);
const EMPTY: ModelDelta[] = [{ type: 'end', reason: 'stop' }];
const WITHOUT_STOP = ['native', 'envelope', 'plain'];
/** Those with a stop text. */
const TEXT = protocols.map(({ id }) => id).filter((id) => !WITHOUT_STOP.includes(id));
const THOUGHT: ModelDelta[] = [{ type: 'reasoning', text: 'Hm.' }, ...EMPTY];
const CALL = [callOf('echo', 'a')];
const PROMISE = says('I will now read the file.');

function says(text: string): ModelDelta[] {
  return [
    { type: 'text', text },
    { type: 'end', reason: 'stop' },
  ];
}

async function run(
  replies: NonNullable<Parameters<typeof testSession>[0]['replies']>,
  protocol = 'native',
): Promise<TestSession> {
  const test = testSession({ tools: [echo], protocol: findProtocol(protocol)!, replies });
  await test.session.send('go');
  return test;
}

function outcomeOf({ events }: TestSession): string {
  const end = events.findLast((event) => event.type === 'run-end');
  if (!end) return 'none';
  return 'code' in end.outcome ? `${end.outcome.type} ${end.outcome.code}` : end.outcome.type;
}

function asked({ events }: TestSession): number {
  return events.filter((event) => event.type === 'warning' && event.diagnostic.code === 'asked-again').length;
}

describe('a reply that stops before the task is done', () => {
  const rows: {
    name: string;
    replies: Parameters<typeof run>[0];
    asked: number;
    outcome: string;
    of: number;
  }[] = [
    { name: 'an empty one', replies: [EMPTY, says('Here.')], asked: 1, outcome: 'done', of: 2 },
    { name: 'one of thoughts alone', replies: [THOUGHT, says('Here.')], asked: 1, outcome: 'done', of: 2 },
    { name: 'two empty ones', replies: [EMPTY, EMPTY], asked: 1, outcome: 'done empty-reply', of: 2 },
    {
      name: 'an announcement after a call',
      replies: [CALL, PROMISE, CALL, says('It says a.')],
      asked: 1,
      outcome: 'done',
      of: 4,
    },
    {
      name: 'an announcement before any call',
      replies: [PROMISE, CALL, says('It says a.')],
      asked: 1,
      outcome: 'done',
      of: 3,
    },
    {
      name: 'two announcements',
      replies: [CALL, PROMISE, PROMISE],
      asked: 1,
      outcome: 'done empty-reply',
      of: 3,
    },
    {
      name: 'an announcement and then nothing',
      replies: [CALL, PROMISE, EMPTY],
      asked: 1,
      outcome: 'done empty-reply',
      of: 3,
    },
    {
      name: 'one that is not in a row with another',
      replies: [EMPTY, CALL, PROMISE, says('Here.')],
      asked: 2,
      outcome: 'done',
      of: 4,
    },
  ];
  for (const { name, replies, asked: times, outcome, of } of rows) {
    for (const protocol of ['native', 'vcp', 'json']) {
      it(`is answered once: ${name} (${protocol})`, async () => {
        const test = await run(replies, protocol);
        assert.deepEqual([asked(test), outcomeOf(test), test.model.requests.length], [times, outcome, of]);
      });
    }
  }

  it('is answered by a message that says what to do', async () => {
    const test = await run([EMPTY, says('Here.')]);
    assert.match(
      test.model.requests[1]?.messages.at(-1)?.content ?? '',
      /reply was empty.*next call, or answer/,
    );
  });

  it('is an announcement only where there are tools', async () => {
    const test = testSession({ replies: [PROMISE] });
    await test.session.send('go');
    assert.deepEqual([asked(test), outcomeOf(test)], [0, 'done']);
  });

  const counted = (outputTokens: number, ...before: ModelDelta[]): ModelDelta[] => [
    ...before,
    { type: 'usage', usage: { inputTokens: 900, outputTokens } },
    ...EMPTY,
  ];
  const swallowed: { name: string; reply: ModelDelta[]; protocols: readonly string[]; asks: RegExp }[] = [
    { name: 'a stop text', reply: counted(4), protocols: TEXT, asks: /began to write a result/ },
    {
      name: 'a stop text after a line break',
      reply: counted(5, { type: 'text', text: '\n' }),
      protocols: TEXT,
      asks: /began to write a result/,
    },
    { name: 'nothing', reply: counted(0), protocols: TEXT, asks: /was empty/ },
    { name: 'nothing that was counted', reply: EMPTY, protocols: TEXT, asks: /was empty/ },
    { name: 'hidden reasoning', reply: counted(700), protocols: TEXT, asks: /was empty/ },
    {
      name: 'reasoning',
      reply: counted(4, { type: 'reasoning', text: 'Hm.' }),
      protocols: TEXT,
      asks: /was empty/,
    },
    { name: 'no stop text', reply: counted(4), protocols: WITHOUT_STOP, asks: /was empty/ },
  ];
  for (const { name, reply, protocols: those, asks } of swallowed) {
    for (const protocol of those) {
      it(`is told what became of it: ${name} (${protocol})`, async () => {
        const test = await run([reply, says('Here.')], protocol);
        const content = test.model.requests[1]?.messages.at(-1)?.content ?? '';
        assert.match(content, asks);
        assert.deepEqual([asked(test), outcomeOf(test)], [1, 'done']);
      });
    }
  }

  it('ends the run if results are written twice in a row', async () => {
    const test = await run([counted(4), counted(4)], 'hermes');
    assert.deepEqual([asked(test), outcomeOf(test)], [1, 'done empty-reply']);
  });

  it('is sent the same after a reload', async () => {
    const test = await run([CALL, PROMISE, says('Here.')]);
    // SAFETY: events are plain data.
    const stored = JSON.parse(JSON.stringify(test.events)) as AgentEvent[];
    assert.deepEqual(turnsOf(foldEvents(stored)), turnsOf(test.session.transcript));
    assert.match(JSON.stringify(turnsOf(foldEvents(stored))), /made no call/);
  });

  it('is shown with how the run ended', async () => {
    const { session } = await run([EMPTY, EMPTY]);
    const last = session.transcript.entries.at(-1);
    assert.ok(last?.type === 'outcome' && 'message' in last.outcome);
    assert.match(last.outcome.message, /two empty replies in a row/);
  });
});

describe('a reply that breaks off inside a call at its limit', () => {
  const cut: ModelDelta[] = [
    { type: 'tool-call', index: 0, id: 'x', name: 'echo', arguments: '{"text":"a' },
    { type: 'end', reason: 'length' },
  ];

  it('is answered once; the second pauses the run', async () => {
    const test = await run([cut, cut, cut]);
    assert.equal(test.model.requests.length, 2);
    assert.equal(outcomeOf(test), 'budget');
  });

  it('does not pause a run that has called something in between', async () => {
    const test = await run([cut, CALL, cut, says('Here.')]);
    assert.equal(outcomeOf(test), 'done');
  });
});
