import assert from 'node:assert/strict';
import fc from 'fast-check';
import { turnsOf } from '../../../src/core/transcript/history';
import type { ChatMessage } from '../../../src/core/words/model';
import { foldTranscript } from '../../../src/core/transcript/fold-transcript';
import { emptyTranscript } from '../../../src/core/transcript/transcript';
import { protocols } from '../../../src/protocols';
import { endRuns } from '../../../src/sessions/session-store';
import { caseCount } from '../../hosts/random-cases';
import { arbitraryConversation, runConversation } from '../../support/agent/arbitrary-conversation';
import { refusals } from '../../support/servers/endpoint-rules';

describe('the history that a model is sent', () => {
  it('G29.conversations: is one that endpoints accept, after any events', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(arbitraryConversation, async (messages) => {
        const { requests } = await runConversation(messages);
        for (const request of requests) {
          assert.deepEqual(refusals(request.messages), [], request.origin.protocol);
        }
      }),
      { numRuns: caseCount(200) },
    );
  });

  it('G29.cuts: is valid in every protocol, wherever the session was cut', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(
        arbitraryConversation,
        fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
        async (messages, cuts) => {
          const { events } = await runConversation(messages);
          for (const cut of cuts) {
            const begun = endRuns(events.slice(0, cut % (events.length + 1)));
            const turns = turnsOf(begun.reduce(foldTranscript, emptyTranscript));
            const next = { type: 'user', text: 'go on' } as const;
            for (const protocol of protocols) {
              const request = protocol.request({ instructions: '', tools: [], turns: [...turns, next] });
              assert.deepEqual(refusals(request.messages), [], protocol.id);
            }
          }
        },
      ),
      { numRuns: caseCount(60) },
    );
  });
});

const system: ChatMessage = { role: 'system', content: 'x' };
const user: ChatMessage = { role: 'user', content: 'go' };
const call = (id: string, more: object = {}): ChatMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id, name: 'look', arguments: '{}', ...more }],
});
const result = (toolCallId: string): ChatMessage => ({ role: 'tool', toolCallId, content: 'r' });
const said: ChatMessage = { role: 'assistant', content: 'done' };

const ROWS: readonly { name: string; messages: readonly ChatMessage[]; refused?: RegExp }[] = [
  { name: 'takes calls with their results', messages: [system, user, call('a'), result('a'), said, user] },
  { name: 'takes a result as the last word', messages: [user, call('a'), result('a')] },
  { name: 'refuses a call without a result', messages: [user, call('a'), user], refused: /without a result/ },
  { name: 'refuses a last call without a result', messages: [user, call('a')], refused: /at the end/ },
  { name: 'refuses a result of no call', messages: [user, result('a')], refused: /no call/ },
  {
    name: 'refuses two results of one call',
    messages: [user, call('a'), result('a'), result('a')],
    refused: /no call/,
  },
  {
    name: 'refuses two calls of one id',
    messages: [user, call('a'), result('a'), call('a'), result('a')],
    refused: /not the name of one/,
  },
  { name: 'refuses two messages of a user', messages: [user, user], refused: /in a row/ },
  { name: 'refuses an empty message', messages: [user, { ...said, content: ' ' }, user], refused: /empty/ },
  { name: 'refuses half a character', messages: [{ role: 'user', content: '\ud800' }], refused: /half/ },
  {
    name: 'refuses arguments that are not an object',
    messages: [user, call('a', { arguments: '[]' }), result('a')],
    refused: /no JSON object/,
  },
  {
    name: 'refuses half a character in arguments',
    messages: [user, call('a', { arguments: '{"a":["\\ud800"]}' }), result('a')],
    refused: /no JSON object/,
  },
  {
    name: 'refuses an invalid name',
    messages: [user, call('a', { name: 'a b' }), result('a')],
    refused: /function/,
  },
  { name: 'refuses an answer as the last word', messages: [user, said], refused: /nothing to answer/ },
];

describe('a strict endpoint', () => {
  for (const { name, messages, refused } of ROWS) {
    it(name, () => {
      const why = refusals(messages).join('\n');
      if (refused) assert.match(why, refused);
      else assert.equal(why, '');
    });
  }
});
