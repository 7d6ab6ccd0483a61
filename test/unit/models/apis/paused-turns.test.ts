import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json';
import type { ModelDelta } from '../../../../src/core/words/model';
import { openModel } from '../../../../src/models/open-model';
import type { ModelProfile } from '../../../../src/models/profiles';
import { native } from '../../../../src/protocols/native/native';
import { testSession, testTool } from '../../../support/agent/test-session';
import { modelAccess } from '../../../support/servers/model-access';
import {
  listIn,
  StrictServer,
  type Imitation,
  type StrictAnswer,
  type StrictRequest,
} from '../../../support/servers/strict-api';

const TURN: readonly JsonObject[] = [
  { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' },
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'plum "jam"' } },
  { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ type: 'web_search_result' }] },
  { type: 'text', text: 'First ' },
];
const REST: readonly JsonObject[] = [
  { type: 'text', text: 'and last.' },
  { type: 'tool_use', id: 'toolu_1', name: 'echo', input: { text: 'a' } },
];

/** Pauses its reply a number of times, and refuses a paused one that comes back changed. */
class Pausing implements Imitation {
  readonly api = 'messages';
  private written: readonly JsonObject[] = [];

  constructor(private left: number) {}

  answer({ body }: StrictRequest): StrictAnswer {
    const last = listIn(body['messages']).at(-1);
    const isBack = JSON.stringify(last?.['content']) === JSON.stringify(this.written);
    if (this.written.length > 0 && !isBack)
      return {
        status: 400,
        json: { type: 'error', error: { type: 'invalid_request_error', message: 'changed' } },
      };
    if (JSON.stringify(last).includes('"type":"tool_result"')) return { events: eventsOf([], 'end_turn') };
    const isPaused = this.left-- > 0;
    const blocks = isPaused ? TURN : REST;
    this.written = isPaused ? [...this.written, ...TURN] : [];
    return { events: eventsOf(blocks, isPaused ? 'pause_turn' : 'tool_use') };
  }
}

function eventsOf(blocks: readonly JsonObject[], reason: string): readonly JsonObject[] {
  return [
    { type: 'message_start', message: { usage: { input_tokens: 7, output_tokens: 1 } } },
    ...blocks.flatMap((block, index): readonly JsonObject[] => {
      const { input, ...head } = block;
      const json = JSON.stringify(input);
      const delta = { type: 'input_json_delta', partial_json: json };
      return [
        {
          type: 'content_block_start',
          index,
          content_block: input === undefined ? block : { ...head, input: {} },
        },
        ...(input === undefined ? [] : [{ type: 'content_block_delta', index, delta }]),
        { type: 'content_block_stop', index },
      ];
    }),
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ];
}

describe('a reply that the endpoint pauses', () => {
  let server: StrictServer | undefined;
  afterEach(() => server?.stop());

  async function open(left: number): Promise<Awaited<ReturnType<typeof openModel>>> {
    server = await StrictServer.start(new Pausing(left));
    const { baseUrl } = server;
    const profile: ModelProfile = { id: 'm', provider: 'openai', baseUrl, model: 'large', api: 'messages' };
    return openModel(profile, modelAccess(), 'chat');
  }

  for (const pauses of [0, 1, 2, 4]) {
    it(`goes back as it is and is continued ${pauses} times, as one reply`, async () => {
      const echo = testTool('echo', 'read', async (text) => text);
      const { session, errors } = testSession({ tools: [echo], model: await open(pauses) });
      await session.send('Go.');
      assert.deepEqual(errors, []);
      assert.deepEqual(server?.refusals, []);
      const [reply] = session.events.filter(({ type }) => type === 'reply-end');
      assert.ok(reply?.type === 'reply-end');
      assert.deepEqual([reply.usage?.inputTokens, reply.usage?.outputTokens], [7, 5 * (pauses + 1)]);
      const text = session.events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
      assert.equal(text, 'First '.repeat(pauses) + 'and last.');
      const results = session.events.filter(({ type }) => type === 'tool-end');
      assert.equal(results.length, 1);
    });
  }

  it('is cut off in the end if it is paused again and again', async () => {
    const model = await open(Infinity);
    const turns = [{ type: 'user', text: 'Go.' }] as const;
    const request = native.request({ instructions: '', turns, tools: [] });
    const deltas: ModelDelta[] = [];
    for await (const delta of model.stream(request, new AbortController().signal)) deltas.push(delta);
    assert.equal(server?.requests.length, 5);
    const ends = deltas.filter(({ type }) => type === 'notice' || type === 'end');
    assert.deepEqual(
      ends.map((delta) => ('code' in delta ? delta.code : 'reason' in delta && delta.reason)),
      ['pause-turn', 'length'],
    );
  });
});
