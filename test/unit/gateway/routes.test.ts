import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/base/json';
import type { Model, ModelDelta } from '../../../src/core/words/model';
import type { Answer, RelayBackend } from '../../../src/gateway/api';
import { gatewayRoutes } from '../../../src/gateway/routes';
import { findProtocol, protocols } from '../../../src/protocols';
import { caseCount } from '../../hosts/random-cases';
import { arbitraryNoise, writeTool } from '../../support/protocols/parser-properties';
import {
  readAnswer,
  relayBackend,
  writeCallDeltas,
  endDelta,
  expectedMessages,
  DeltaModel,
  type NamedEvent,
  type ClientCall,
} from '../../support/agent/gateway-harness';

/** How a client speaks one of the APIs. */
interface Client {
  readonly name: string;
  readonly route: string;
  readonly ask: (conversation: readonly Json[]) => JsonObject;
  readonly question: Json;
  /** Of a whole reply, as what goes back into the conversation. */
  readonly said: (body: JsonObject) => readonly Json[];
  /** Put together from the events of a stream. */
  readonly heard: (events: readonly NamedEvent[]) => readonly Json[];
  readonly calls: (said: readonly Json[]) => readonly ClientCall[];
  readonly results: (calls: readonly ClientCall[], texts: readonly string[]) => readonly Json[];
}

const listIn = (data: JsonObject, field: string): readonly JsonObject[] => data[field] as never;

const responses: Client = {
  name: 'the Responses API',
  route: 'POST /v1/responses',
  question: { role: 'user', content: [{ type: 'input_text', text: 'Write them.' }] },
  ask: (input) => ({
    input,
    tools: [{ type: 'function', name: writeTool.name, parameters: writeTool.parameters as never }],
  }),
  said: (body) => listIn(body, 'output'),
  heard: (events) =>
    events.flatMap(({ name, data }) => (name === 'response.output_item.done' ? [data['item']!] : [])),
  calls: (said) =>
    (said as readonly JsonObject[]).flatMap(({ type, call_id: id, name, arguments: text }) =>
      type === 'function_call'
        ? [{ id, name, arguments: JSON.parse(text as string) as Json } as ClientCall]
        : [],
    ),
  results: (calls, texts) =>
    calls.map(({ id }, at) => ({ type: 'function_call_output', call_id: id, output: texts[at]! })),
};

const messages: Client = {
  name: 'the Messages API',
  route: 'POST /v1/messages',
  question: { role: 'user', content: 'Write them.' },
  ask: (conversation) => ({
    max_tokens: 1000,
    messages: conversation,
    tools: [{ name: writeTool.name, input_schema: writeTool.parameters as never }],
  }),
  said: ({ content }) => [{ role: 'assistant', content: content! }],
  heard: (events) => [{ role: 'assistant', content: blocksOf(events) }],
  calls: ([message]) =>
    listIn(message as JsonObject, 'content').flatMap(({ type, id, name, input }) =>
      type === 'tool_use' ? [{ id, name, arguments: input } as ClientCall] : [],
    ),
  results: (calls, texts) => [
    {
      role: 'user',
      content: calls.map(({ id }, at) => ({ type: 'tool_result', tool_use_id: id, content: texts[at]! })),
    },
  ],
};

/** As Anthropic's client puts them together. */
function blocksOf(events: readonly NamedEvent[]): readonly JsonObject[] {
  const blocks: JsonObject[] = [];
  for (const { name, data } of events) {
    const index = data['index'] as number;
    if (name === 'content_block_start') {
      assert.equal(index, blocks.length);
      blocks.push(data['content_block'] as JsonObject);
    }
    if (name !== 'content_block_delta') continue;
    const { type, ...delta } = data['delta'] as JsonObject;
    const block = blocks[index]!;
    if (type === 'input_json_delta')
      blocks[index] = { ...block, input: JSON.parse(delta['partial_json'] as string) as Json };
    else {
      const [[field, text]] = Object.entries(delta) as [[string, string]];
      blocks[index] = { ...block, [field]: (block[field] as string) + text };
    }
  }
  return blocks;
}

const NO_ADDRESS = { rest: '', query: new Map<string, string>() };

function answerAt(route: string, body: JsonObject, backend: RelayBackend): Promise<Answer> {
  // SAFETY: the tests name routes that there are.
  return gatewayRoutes<never>(backend)[route]!(body, new AbortController().signal, NO_ADDRESS);
}

async function whole(client: Client, body: JsonObject, backend: RelayBackend): Promise<JsonObject> {
  const answer = await readAnswer(await answerAt(client.route, body, backend));
  assert.ok('body' in answer);
  return answer.body;
}

async function streamed(client: Client, body: JsonObject, backend: RelayBackend): Promise<NamedEvent[]> {
  const answer = await readAnswer(await answerAt(client.route, { ...body, stream: true }, backend));
  assert.ok('events' in answer, JSON.stringify(answer));
  for (const { name, data } of answer.events) assert.equal(name, data['type']);
  return answer.events;
}

const argument = fc.record({ path: arbitraryNoise, content: arbitraryNoise });

for (const client of [responses, messages]) {
  describe(client.name, () => {
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
              const backend = (): RelayBackend =>
                relayBackend(protocol, new DeltaModel([[...deltas, endDelta]]));
              const body = client.ask([client.question]);
              const said = client.said(await whole(client, body, backend()));
              assert.deepEqual(client.heard(await streamed(client, body, backend())), said);
              const calls = client.calls(said);
              assert.deepEqual(
                calls.map((call) => [call.name, call.arguments]),
                rounds.map(([args]) => [writeTool.name, { ...args }]),
              );
              const texts = rounds.map(([, text]) => text);
              const next = client.ask([client.question, ...said, ...client.results(calls, texts)]);
              const model = new DeltaModel([[{ type: 'text', text: 'Done.' }, endDelta]]);
              await whole(client, next, relayBackend(protocol, model));
              assert.deepEqual(
                model.requests[0]?.messages.filter(({ role }) => role !== 'system'),
                expectedMessages(protocol, calls, texts),
              );
            },
          ),
          { numRuns: caseCount(50) },
        );
      });
    }

    it('answers a failure before anything else with its status', async () => {
      const failure = {
        code: 'rate-limited',
        message: 'Slow down.',
        status: 429,
        retry: { what: 'Slow.', afterMs: 7 },
      } as const;
      for (const stream of [false, true]) {
        const model = new DeltaModel([[{ type: 'failure', failure }]]);
        const body = { ...client.ask([client.question]), stream };
        const answer = await answerAt(client.route, body, relayBackend(findProtocol('json')!, model));
        assert.ok(answer.type === 'whole');
        assert.deepEqual([answer.status, answer.retryAfterMs], [429, 7]);
        assert.equal((answer.body['error'] as JsonObject)['type'], 'rate_limit_error');
      }
    });

    it('does so too after an attempt that the client did not see', async () => {
      const failure = { code: 'server-error', message: 'Too busy.', status: 503 } as const;
      const broken = '{"tool_calls":[{"name":"write_file","arguments":{"path":a b}}]}';
      const model = new DeltaModel([
        [{ type: 'text', text: broken }, endDelta],
        [{ type: 'failure', failure }],
      ]);
      const body = { ...client.ask([client.question]), stream: true };
      const answer = await answerAt(client.route, body, relayBackend(findProtocol('json')!, model));
      assert.ok(answer.type === 'whole');
      assert.equal(answer.status, 503);
    });

    it('begins its stream while the upstream says nothing yet', async () => {
      const upstream = new Awaited();
      const backend = { ...relayBackend(findProtocol('json')!, upstream), longWait: () => Promise.resolve() };
      const answer = await answerAt(
        client.route,
        { ...client.ask([client.question]), stream: true },
        backend,
      );
      assert.ok(answer.type === 'stream');
      upstream.say([{ type: 'text', text: 'At last.' }, endDelta]);
      const said = await readAnswer(answer);
      assert.match(JSON.stringify(said), /At last\./);
    });

    it('asks without tools if there are no tools', async () => {
      const model = new DeltaModel([[{ type: 'text', text: 'Hello.' }, endDelta]]);
      const body = { ...client.ask([client.question]), tools: [] };
      await whole(client, body, relayBackend(findProtocol('json')!, model));
      assert.doesNotMatch(JSON.stringify(model.requests[0]?.messages), /tool_calls/);
    });
  });
}

/** Says nothing until it gets a text. */
class Awaited implements Model {
  readonly name = 'awaited';
  say!: (deltas: readonly ModelDelta[]) => void;
  private readonly said = new Promise<readonly ModelDelta[]>((resolve) => (this.say = resolve));

  async *stream(): AsyncIterable<ModelDelta> {
    yield* await this.said;
  }
}

const COUNT = 'POST /v1/messages/count_tokens';

describe('a count of tokens', () => {
  it('grows with the conversation and the tools', async () => {
    const count = async (body: JsonObject): Promise<number> => {
      const answer = await answerAt(COUNT, body, relayBackend(findProtocol('json')!, new DeltaModel([])));
      assert.ok(answer.type === 'whole' && answer.status === 200);
      return answer.body['input_tokens'] as number;
    };
    const plain = await count({ messages: [messages.question] });
    assert.ok(plain >= 'Write them.'.length);
    assert.ok((await count(messages.ask([messages.question]))) > plain);
    assert.ok((await count({ messages: [messages.question], system: 'Be brief.' })) > plain);
  });

  it('is refused if there is nothing to count', async () => {
    const answer = await answerAt(COUNT, {}, relayBackend(findProtocol('json')!, new DeltaModel([])));
    assert.ok(answer.type === 'whole');
    assert.equal(answer.status, 400);
    assert.equal(answer.body['type'], 'error');
  });
});
