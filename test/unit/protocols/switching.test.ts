import assert from 'node:assert/strict';
import { escapeOf } from '../../../src/base/markers';
import { Session } from '../../../src/core/session';
import type { ReplyPart, Turn } from '../../../src/core/words/messages';
import type { ChatMessage, Conversation, ModelRequest } from '../../../src/core/words/model';
import type { Protocol, RenderedPart } from '../../../src/core/words/protocol';
import { scriptedModel } from '../../../src/models/scripted';
import { findProtocol, protocols } from '../../../src/protocols';
import { argumentText } from '../../../src/protocols/prompt/describe';
import { testConfig, testTool } from '../../support/agent/test-session';
import { noBudget } from '../../support/agent/no-budget';
import { parseText } from '../../support/protocols/run-parser';

const textProtocols = protocols.filter(({ id }) => id !== 'native');

/** Whole calls and lone closing marks of every protocol, and what JSON escapes. */
const MARKS = [
  ...textProtocols.flatMap((protocol) => rendered(protocol, [call('inner', 'read_note', 'inner')])),
  '「末」 </parameter> </arg_value> </invoke> </function> </tool_call> </tool_code> <think> <tool_response>',
  '{"tool_calls": [ "quoted" \\ \t 文字 😀 ```',
].join('\n');

function value(label: string): string {
  return `${label}: first line\n${MARKS}\n${label}: last line\n`;
}

/** What the model says to each message of the user, before it has the results and then `Answer <number>.` */
const STEPS: readonly { readonly user: string; readonly parts: readonly RenderedPart[] }[] = [
  {
    user: `Look at this:\n${MARKS}`,
    parts: [{ type: 'text', text: 'I look first.' }, call('k1', 'read_note', value('k1'))],
  },
  {
    user: 'Now with a tool that there is not.',
    parts: [call('k2', 'no_such_tool', 'k2'), call('k3', 'read_note', value('k3'))],
  },
  { user: 'Now write, and I will refuse. 一二三', parts: [call('k4', 'write_note', value('k4'))] },
  {
    user: 'Two at once, one of which fails.',
    parts: [
      { type: 'text', text: 'Both `at once`.' },
      call('k5', 'read_note', value('k5')),
      call('k6', 'read_note', 'refuse'),
    ],
  },
  { user: 'And a last one.', parts: [call('k7', 'read_note', value('k7'))] },
];

const RESULT = 'a result\n"quoted" \\ 「末」 </tool_response> </result> 结果';
const REASONING = 'secret thoughts';

const tools = [
  testTool('read_note', 'read', async (text) => `${text.slice(0, 2)} has ${RESULT}`),
  testTool('write_note', 'write', async () => 'written'),
];
const specs = tools.map(({ spec }) => spec);

describe('switching the protocol', () => {
  for (const start of protocols.keys()) {
    for (const direction of [1, -1]) {
      const order = STEPS.map((_, number) => protocols.at((start + direction * number) % protocols.length));
      const chosen = order.flatMap((each) => each ?? []);
      it(`keeps the history through ${chosen.map(({ id }) => id).join(', ')}`, async () => {
        const requests = await converse(chosen);
        assert.equal(requests.length, STEPS.length * 2);
        for (const [number, request] of requests.entries()) {
          const step = Math.floor(number / 2);
          assert.equal(request.origin.protocol, chosen[step]?.id);
          checkKept(request, step, number % 2 === 1);
          checkPairs(request.origin.conversation.turns);
          if (request.origin.protocol === 'native') checkNative(request.messages);
        }
        checkGrowing(requests.map(({ origin }) => origin.conversation.turns));
        const last = requests.at(-1);
        assert.ok(last);
        for (const protocol of textProtocols) checkReadBack(protocol, last.origin.conversation);
      });
    }
  }
});

/** Sends every message in the next protocol, through the real session and loop. */
async function converse(order: readonly Protocol[]): Promise<ModelRequest[]> {
  const requests: ModelRequest[] = [];
  const scripted = scriptedModel({
    name: 'scripted',
    script: nextParts,
    render: (id, parts) => [
      { type: 'reasoning', text: REASONING },
      ...(findProtocol(id)?.renderReply(parts) ?? []),
    ],
    pauseMs: 0,
  });
  const errors: unknown[] = [];
  let sent = 0;
  const session = new Session({
    prepareRun: async () => ({
      model: {
        client: {
          name: 'recorded',
          stream: (request, signal) => {
            requests.push(request);
            return scripted.stream(request, signal);
          },
        },
        window: { reply: 0, count: (text) => text.length },
      },
      // SAFETY: there is one protocol for each message that is sent.
      prompt: { protocol: order[sent++]!, instructions: 'Be good.' },
      tools: {
        offer: { offered: () => tools, whyUnavailable: () => undefined },
        config: () => testConfig,
      },
      limits: { rounds: () => testConfig.maxIterations, budget: () => noBudget },
    }),
    judge: ({ effect }) => ({
      verdict: { decision: effect === 'read' ? 'auto' : 'ask', reason: 'it writes' },
      grants: [],
    }),
    onError: (error) => errors.push(error),
  });
  session.onEvent((event) => {
    if (event.type !== 'approval-request') return;
    session.decide(event.request.call.id, { type: 'reject', reason: 'not that note' });
  });
  for (const { user } of STEPS) await session.send(user);
  assert.deepEqual(errors, []);
  assert.deepEqual(
    session.transcript.entries.filter(({ type }) => type === 'outcome'),
    [],
  );
  return requests;
}

function nextParts({ turns }: Conversation): readonly RenderedPart[] {
  const step = turns.filter(({ type }) => type === 'user').length - 1;
  if (turns.at(-1)?.type === 'user') return STEPS[step]?.parts ?? [];
  return [{ type: 'text', text: `Answer ${step}.` }];
}

/** What the results of each step say; the whole of a result in the words of its protocol. */
const RESULTS: readonly (readonly string[])[] = [
  [`k1 has ${RESULT}`],
  ['There is no tool "no_such_tool".', `k3 has ${RESULT}`],
  ['the user rejected this call and said: not that note'],
  [`k5 has ${RESULT}`, 'Cannot do that. Try something else.'],
  [`k7 has ${RESULT}`],
];

/** Everything said up to this step is in the messages, as it is or in JSON; results with their markers escaped. */
function checkKept({ messages, origin }: ModelRequest, step: number, hasResults: boolean): void {
  const shown = messages.map(wholeText).join('\n');
  const { escape } = escapeOf(findProtocol(origin.protocol)?.markers ?? []);
  const answered = STEPS.slice(0, hasResults ? step + 1 : step);
  const written = answered.flatMap(({ parts }) => parts.flatMap(textsOf));
  const expected = [
    ...STEPS.slice(0, step + 1).map(({ user }) => user),
    ...written,
    ...RESULTS.slice(0, answered.length).flat().map(escape),
    ...STEPS.slice(0, step).map((_, number) => `Answer ${number}.`),
  ];
  for (const text of expected) {
    assert.ok(shown.includes(text) || shown.includes(JSON.stringify(text).slice(1, -1)), text);
  }
  assert.ok(!shown.includes(REASONING));
}

function wholeText(message: ChatMessage): string {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [message.content, ...calls.flatMap(({ name, arguments: args }) => [name, args])].join('\n');
}

function textsOf(part: RenderedPart): string[] {
  if (part.type === 'text') return [part.text];
  const { name, arguments: args } = part.call;
  // Of a call that was malformed its result tells; its arguments are gone.
  return name === 'no_such_tool' ? [name] : [name, argumentText(args['text'] ?? '')];
}

/** Each call and malformed call has one result, in the turn right behind it and in the same order. */
function checkPairs(turns: readonly Turn[]): void {
  const all = turns.flatMap((turn) => (turn.type === 'reply' ? turn.parts.flatMap(idOf) : []));
  assert.equal(new Set(all).size, all.length);
  for (const [number, turn] of turns.entries()) {
    const next = turns[number + 1];
    const answered = next?.type === 'results' ? next.results.map(({ requestId }) => requestId) : [];
    if (turn.type === 'reply') assert.deepEqual(answered, turn.parts.flatMap(idOf));
    else assert.deepEqual(answered, []);
  }
}

function idOf(part: ReplyPart): string[] {
  if (part.type === 'call') return [part.call.id];
  return part.type === 'malformed' ? [part.malformed.id] : [];
}

/** The API refuses a request in which a call has no separate message with its result right after it. */
function checkNative(messages: readonly ChatMessage[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      assert.equal(message.toolCallId, open.shift());
      continue;
    }
    assert.deepEqual(open, []);
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
    for (const { arguments: args } of calls) assert.equal(typeof JSON.parse(args), 'object');
    open = calls.map(({ id }) => id);
  }
  assert.deepEqual(open, []);
}

function checkGrowing(histories: readonly (readonly Turn[])[]): void {
  for (const [number, turns] of histories.entries()) {
    const before = histories[number - 1] ?? [];
    assert.deepEqual(turns.slice(0, before.length), before);
    assert.ok(turns.length > before.length);
  }
}

/** A model that imitates the history writes calls that can be read. */
function checkReadBack(protocol: Protocol, conversation: Conversation): void {
  const { messages } = protocol.request(conversation);
  const replies = messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
  const read = replies.map((reply) => parseText(protocol, [reply], specs));
  const written = STEPS.flatMap(({ parts }) => parts).flatMap((part) =>
    part.type === 'call' && part.call.name !== 'no_such_tool' ? [part.call] : [],
  );
  assert.deepEqual(
    read.flatMap(({ calls }) => calls.map(({ name, arguments: args }) => [name, args])),
    written.map(({ name, arguments: args }) => [name, args]),
  );
  assert.deepEqual(
    read.flatMap(({ errors, warnings }) => [...errors, ...warnings]),
    [],
  );
}

function call(id: string, name: string, text: string): RenderedPart {
  return { type: 'call', call: { id, name, arguments: { text } } };
}

function rendered(protocol: Protocol, parts: readonly RenderedPart[]): string[] {
  return protocol.renderReply(parts).flatMap((delta) => (delta.type === 'text' ? [delta.text] : []));
}
