import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json';
import type { Model, ModelDelta } from '../../../src/core/words/model';
import type { Protocol } from '../../../src/core/words/protocol';
import type { ProviderMetadata } from '../../../src/core/words/provider-metadata';
import { chatReply, readChatRequest, type ChatRequest } from '../../../src/gateway/chat-api';
import { isClientEvent, relay, type GatewayEvent, type ReportedUsage } from '../../../src/gateway/relay';
import { findProtocol, protocols } from '../../../src/protocols';
import { caseCount } from '../../hosts/random-cases';
import { arbitraryNoise, writeTool } from '../../support/protocols/parser-properties';
import {
  relayBackend,
  writeCallDeltas,
  endDelta,
  expectedMessages,
  DeltaModel,
} from '../../support/agent/gateway-harness';

async function relayed(
  request: ChatRequest,
  protocol: Protocol,
  model: Model,
): Promise<readonly GatewayEvent[]> {
  const events: GatewayEvent[] = [];
  const { upstream } = relayBackend(protocol, model);
  for await (const event of relay(request, await upstream({}), new AbortController().signal))
    if (event.type !== 'reply') events.push(event);
  return events;
}

const TOOL = { type: 'function', function: { name: writeTool.name, parameters: writeTool.parameters } };
const HEAD = { id: 'r1', created: 0, model: 'm' };
const ask = (messages: readonly unknown[], more: object = {}): ChatRequest =>
  // SAFETY: plain data.
  readChatRequest({ messages, tools: [TOOL], ...more } as unknown as JsonObject);

const argument = fc.record({ path: arbitraryNoise, content: arbitraryNoise });

describe('the gateway', () => {
  for (const protocol of protocols) {
    it(`passes calls and results on unchanged, through ${protocol.id}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(argument, arbitraryNoise), { minLength: 1, maxLength: 3 }),
          fc.array(fc.nat()),
          async (rounds, cuts) => {
            const deltas = writeCallDeltas(
              protocol,
              rounds.map(([args]) => args),
              cuts,
            );
            const question = { role: 'user', content: 'Write them.' };
            const request = ask([question]);
            const events = await relayed(request, protocol, new DeltaModel([[...deltas, endDelta]]));
            const answer = chatReply(HEAD, request, events.filter(isClientEvent));
            const [choice] = answer['choices'] as unknown as [Choice];
            assert.equal(choice.finish_reason, 'tool_calls');
            const calls = choice.message.tool_calls ?? [];
            assert.deepEqual(
              calls.map((call) => [call.function.name, JSON.parse(call.function.arguments) as unknown]),
              rounds.map(([args]) => [writeTool.name, { ...args }]),
            );
            // The client answers in another order, and everything goes back.
            const results = calls.map(({ id }, at) => ({
              role: 'tool',
              tool_call_id: id,
              content: rounds[at]![1],
            }));
            const next = ask([question, choice.message, ...results.toReversed()]);
            const model = new DeltaModel([[{ type: 'text', text: 'Done.' }, endDelta]]);
            await relayed(next, protocol, model);
            assert.deepEqual(
              model.requests[0]?.messages.filter(({ role }) => role !== 'system'),
              expectedMessages(
                protocol,
                calls.map(({ id, function: { name, arguments: text } }) => {
                  return { id, name, arguments: JSON.parse(text) as JsonObject };
                }),
                rounds.map(([, text]) => text),
              ),
            );
          },
        ),
        { numRuns: caseCount(100) },
      );
    });
  }
});

interface Choice {
  readonly message: { readonly tool_calls?: readonly Call[] };
  readonly finish_reason: string;
}

interface Call {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

const GOOD = '{"tool_calls":[{"name":"write_file","arguments":{"path":"a"}}]}';
const BAD = '{"tool_calls":[{"name":"write_file","arguments":{"path":a b}}]}';
const OTHER = '{"tool_calls":[{"name":"write_file","arguments":{"path":"b"}}]}';
const BOTH = '{"tool_calls":[{"name":"write_file","arguments":{"path":"a"}},{"name":"fly","arguments":{}}]}';

/** One line for each event. */
function line(event: GatewayEvent): string {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'reasoning-end':
      return `${event.type} ${JSON.stringify(event.text)}`;
    case 'call':
      return `call ${JSON.stringify(event.call.arguments)}`;
    case 'reply':
      return `reply ${event.protocol}`;
    case 'malformed':
      return `malformed ${event.malformed.diagnostic.code}${event.isAskedAgain ? ', asked again' : ''}`;
    case 'left-out':
      return `left out ${event.names.join(' ')}`;
    case 'usage':
      return usageLine(event);
    case 'end':
      return `end ${event.reason}`;
    case 'failure':
      return `failure ${event.failure.code}`;
  }
}

function usageLine({ usage, isEstimated, hidden }: ReportedUsage): string {
  const more = hidden ? ` hidden ${hidden.count} ${hidden.inputTokens}` : '';
  return `usage ${usage.inputTokens} ${usage.outputTokens}${isEstimated ? ' estimated' : ''}${more}`;
}

const said = (text: string, ...more: readonly ModelDelta[]): readonly ModelDelta[] => [
  { type: 'text', text },
  ...(more.length > 0 ? more : [USED, endDelta]),
];
const USED: ModelDelta = { type: 'usage', usage: { inputTokens: 10, outputTokens: 3 } };
const TOO_LONG: ModelDelta = { type: 'end', reason: 'length' };

const rows: readonly {
  readonly name: string;
  readonly replies: readonly (readonly ModelDelta[])[];
  readonly more?: object;
  readonly expect: readonly string[];
}[] = [
  {
    name: 'streams text, then calls',
    replies: [said(`So:\n${GOOD}`)],
    expect: ['text "So:"', 'call {"path":"a"}', 'usage 10 3', 'end tool-calls'],
  },
  {
    name: 'asks again for a call that cannot be read',
    replies: [said(`So: ${BAD}`), said(OTHER)],
    expect: [
      'text "So:"',
      'malformed invalid-json, asked again',
      'call {"path":"b"}',
      'usage 10 6 hidden 1 10',
      'end tool-calls',
    ],
  },
  {
    name: 'says once the text before a call that is asked for again',
    replies: [said(`I write it.\n${BAD}`), said(`I write it.\n\n${OTHER}`)],
    expect: [
      'text "I write it."',
      'malformed invalid-json, asked again',
      'call {"path":"b"}',
      'usage 10 6 hidden 1 10',
      'end tool-calls',
    ],
  },
  {
    name: 'remembers its text after an attempt without text',
    replies: [said(`I write it.\n${BAD}`), said(BAD), said(`I write it.\n${GOOD}`)],
    expect: [
      'text "I write it."',
      'malformed invalid-json, asked again',
      'malformed invalid-json, asked again',
      'call {"path":"a"}',
      'usage 10 9 hidden 2 20',
      'end tool-calls',
    ],
  },
  {
    name: 'shows what could not be read in three tries',
    replies: [said(BAD), said(BAD), said(BAD)],
    expect: [
      'malformed invalid-json, asked again',
      'malformed invalid-json, asked again',
      'malformed invalid-json',
      `text "\n${BAD}\n[This call was not passed on: The call is not valid JSON: there is no value at "a b".]\n"`,
      'usage 10 9 hidden 2 20',
      'end stop',
    ],
  },
  {
    name: 'gives a call once that is said again beside one that could not be read',
    replies: [said(BOTH), said(BOTH.replace('fly', 'write_file').replace('{}', '{"path":"c"}'))],
    expect: [
      'call {"path":"a"}',
      'malformed unknown-tool, asked again',
      'call {"path":"c"}',
      'usage 10 6 hidden 1 10',
      'end tool-calls',
    ],
  },
  {
    name: 'shows a call that was cut by the limit of the reply',
    replies: [said('{"tool_calls":[{"name":"write_f', USED, TOO_LONG)],
    expect: [
      'malformed unfinished',
      'text "\n{"tool_calls":[{"name":"write_f\n[This call was not passed on: The call was not finished before the reply ended.]\n"',
      'usage 10 3',
      'end length',
    ],
  },
  {
    name: 'asks again if a call is required',
    replies: [said('No.'), said(GOOD)],
    more: { tool_choice: 'required' },
    expect: ['text "No."', 'call {"path":"a"}', 'usage 10 6 hidden 1 10', 'end tool-calls'],
  },
  {
    name: 'gives up if a required call does not come',
    replies: [said('No.'), said('No.'), said('No.')],
    more: { tool_choice: { type: 'function', function: { name: 'write_file' } } },
    expect: ['text "No."', 'usage 10 9 hidden 2 20', 'end stop'],
  },
  {
    name: 'returns one call if one is requested',
    replies: [said(BOTH.replace('fly', 'write_file').replace('{}', '{"path":"c"}'))],
    more: { parallel_tool_calls: false },
    expect: ['call {"path":"a"}', 'usage 10 3', 'end tool-calls'],
  },
  {
    name: 'gives no call out of thoughts that the prompt has opened',
    replies: [said(`Maybe ${GOOD}</think>No.`)],
    expect: [
      'text "Maybe"',
      `reasoning-end ${JSON.stringify(`Maybe ${GOOD}`)}`,
      'text "No."',
      'usage 10 3',
      'end stop',
    ],
  },
  {
    name: 'reads no calls if calls are disabled',
    replies: [said('Done.')],
    more: { tool_choice: 'none' },
    expect: ['text "Done."', 'usage 10 3', 'end stop'],
  },
  {
    name: 'names tools that run at a service, for the log',
    replies: [said('Done.')],
    more: { tools: [TOOL, { type: 'web_search' }] },
    expect: ['left out web_search', 'text "Done."', 'usage 10 3', 'end stop'],
  },
  {
    name: 'takes a stream without an end for one that broke off',
    replies: [said('So', USED)],
    expect: ['text "So"', 'failure cut-off'],
  },
  {
    name: 'passes a failure on',
    replies: [said('So', { type: 'failure', failure: { code: 'server-error', message: 'It failed.' } })],
    expect: ['text "So"', 'failure server-error'],
  },
];

describe('a relayed reply', () => {
  for (const { name, replies, more, expect } of rows) {
    it(name, async () => {
      const request = ask([{ role: 'user', content: 'Go.' }], more);
      const events = await relayed(request, findProtocol('json')!, new DeltaModel(replies));
      assert.deepEqual(
        events.map(line),
        expect.map((each) =>
          each.replace(/^text "([^]*)"$/, (_, text: string) => `text ${JSON.stringify(text)}`),
        ),
      );
    });
  }

  for (const protocol of protocols) {
    it(`leaves a reply unchanged without tools and calls, over ${protocol.id}`, async () => {
      for (const text of [GOOD, BAD, '{"action":"x"}', 'So <tool_call>{"name":"read"}</tool_call> is how.']) {
        const request = ask([{ role: 'user', content: 'Go.' }], { tools: [] });
        const events = await relayed(request, protocol, new DeltaModel([said(text)]));
        const lines = events.flatMap((event) => (event.type === 'text' ? [] : [line(event)]));
        assert.deepEqual(lines, ['usage 10 3', 'end stop']);
        assert.equal(events.map((event) => (event.type === 'text' ? event.text : '')).join(''), text);
      }
    });
  }

  it('does not ask for another reply if no tool can be called', async () => {
    const call = { id: 'k', type: 'function', function: { name: writeTool.name, arguments: '{}' } };
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'k', content: 'Done.' },
    ];
    const model = new DeltaModel([said(GOOD), said(GOOD)]);
    const events = await relayed(ask(messages, { tools: [] }), findProtocol('json')!, model);
    assert.equal(model.requests.length, 1);
    assert.match(events.map(line).join('\n'), /^malformed unknown-tool\ntext .*not passed on/);
  });

  it('estimates the tokens if the upstream does not count them', async () => {
    const request = ask([{ role: 'user', content: 'Go.' }]);
    const events = await relayed(request, findProtocol('json')!, new DeltaModel([said('Four', endDelta)]));
    assert.match(events.map(line).join(), /usage \d{3,} 4 estimated/);
  });

  it('tells the model what was wrong, and what was taken', async () => {
    const model = new DeltaModel([said(BOTH), said('Well.')]);
    await relayed(ask([{ role: 'user', content: 'Go.' }]), findProtocol('json')!, model);
    const [, , reply, answers] = model.requests[1]!.messages;
    assert.match(reply!.content, /"path":"a"/);
    assert.match(answers!.content, /The call was taken.*There is no tool "fly"/s);
  });

  it('reports the input of the last attempt, the output of all, and the hidden attempts', async () => {
    const counted = fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat(), cachedTokens: fc.nat() });
    await fc.assert(
      fc.asyncProperty(fc.array(counted, { minLength: 1, maxLength: 3 }), async (all) => {
        const replies = all.map((usage, at) =>
          said(at < all.length - 1 ? BAD : GOOD, { type: 'usage', usage }, endDelta),
        );
        const request = ask([{ role: 'user', content: 'Go.' }]);
        const events = await relayed(request, findProtocol('json')!, new DeltaModel(replies));
        const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
        const hidden = all.slice(0, -1);
        assert.deepEqual(
          events.find(({ type }) => type === 'usage'),
          {
            type: 'usage',
            usage: { ...all.at(-1), outputTokens: sum(all.map(({ outputTokens }) => outputTokens)) },
            isEstimated: false,
            ...(hidden.length > 0 && {
              hidden: {
                count: hidden.length,
                inputTokens: sum(hidden.map(({ inputTokens }) => inputTokens)),
              },
            }),
          },
        );
      }),
      { numRuns: caseCount(50) },
    );
  });

  for (const [name, messages] of [
    [
      'a reply',
      [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: 'I will.' },
      ],
    ],
    ['instructions', [{ role: 'system', content: 'Be brief.' }]],
  ] as const) {
    for (const protocol of protocols) {
      it(`asks a conversation that ends with ${name} to continue, over ${protocol.id}`, async () => {
        const model = new DeltaModel([said('Well.')]);
        await relayed(ask(messages), protocol, model);
        const last = model.requests[0]?.messages.at(-1);
        assert.equal(last?.role, 'user');
        assert.match(last.content, /Continue\.$/);
      });
    }
  }

  it('sends back to the model what its provider sent with a reply', async () => {
    const carried: ProviderMetadata = {
      ...{ origin: 'https://api.example.com', model: 'm' },
      fields: { reasoning_content: 'I think.' },
    };
    const model = new DeltaModel([
      [...said(BOTH, USED), { type: 'carried', carried }, endDelta],
      said('Well.'),
    ]);
    await relayed(ask([{ role: 'user', content: 'Go.' }]), findProtocol('json')!, model);
    const [, , reply] = model.requests[1]!.messages;
    assert.deepEqual(reply?.role === 'assistant' && reply.carried, carried);
  });

  it('shows the model its text as it wrote it, however the stream was split', async () => {
    const pieces = 'I look at the file.\n\n'.split('').map((text): ModelDelta => ({ type: 'text', text }));
    const model = new DeltaModel([[...pieces, ...said(BAD)], said('Well.')]);
    await relayed(ask([{ role: 'user', content: 'Go.' }]), findProtocol('json')!, model);
    assert.match(model.requests[1]!.messages[2]!.content, /^I look at the file\./);
  });
});
