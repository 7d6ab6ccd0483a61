import assert from 'node:assert/strict';
import { limits } from '../../../src/base/limits';
import type { ModelDelta } from '../../../src/core/words/model';
import { readChatRequest } from '../../../src/gateway/chat-api';
import type { GatewayRequest } from '../../../src/gateway/gateway-request';
import { relay, type GatewayEvent } from '../../../src/gateway/relay';
import { ServedRequests, type ServedRequest } from '../../../src/gateway/served-requests';
import { json } from '../../../src/protocols/json';
import { relayBackend, endDelta, DeltaModel } from '../../support/agent/gateway-harness';

const REQUEST = readChatRequest({
  messages: [{ role: 'user', content: 'Go.' }],
  tools: [{ type: 'function', function: { name: 'note', parameters: { type: 'object' } } }],
});
const CALL = '{"tool_calls":[{"name":"note","arguments":{"text":"a"}}]}';
/** An extra comma. */
const REPAIRED = '{"tool_calls":[{"name":"note","arguments":{"text":"b",}}]}';
const BROKEN = '{"tool_calls":[{"name":"note","arguments":{"text":a b}}]}';
const SPENT: ModelDelta = { type: 'usage', usage: { inputTokens: 10, outputTokens: 5 } };
const FAILED: ModelDelta = { type: 'failure', failure: { code: 'server-error', message: 'Too busy.' } };

interface Served {
  readonly served: ServedRequests;
  readonly notes: string[];
  /** Advances the clock. */
  readonly wait: (ms: number) => void;
  readonly changes: () => number;
}

function servedRequests(): Served {
  const notes: string[] = [];
  let time = 1_000;
  let changes = 0;
  const served = new ServedRequests({ now: () => time, note: (sentence) => notes.push(sentence) });
  served.onChange(() => changes++);
  return { served, notes, wait: (ms) => (time += ms), changes: () => changes };
}

async function* relayed(
  replies: readonly (readonly ModelDelta[])[],
  request: GatewayRequest = REQUEST,
): AsyncGenerator<GatewayEvent> {
  const { signal } = new AbortController();
  yield* relay(request, await relayBackend(json, new DeltaModel(replies)).upstream({}), signal);
}

const ORIGIN = { door: 'gateway', model: 'm' } as const;
const says = (...texts: readonly string[]): readonly ModelDelta[] =>
  texts.map((text) => ({ type: 'text', text }));

async function serve(
  { served }: Served,
  replies: readonly (readonly ModelDelta[])[],
  request?: GatewayRequest,
): Promise<void> {
  const events = served.watch(relayed(replies, request), ORIGIN);
  while (!(await events.next()).done);
}

describe('the requests of clients', () => {
  it('tell what was repaired, asked for again and shown as text, with every reply as it came', async () => {
    const test = servedRequests();
    await serve(test, [
      [...says(BROKEN.slice(0, 9), BROKEN.slice(9)), SPENT, endDelta],
      [...says(BROKEN), SPENT, endDelta],
      [...says(REPAIRED, '\n'), SPENT, endDelta],
    ]);
    const [request, ...others] = test.served.requests;
    assert.deepEqual(others, []);
    const { calls, repaired, retried, rejected, usage, problems, replies, state } = request!;
    assert.deepEqual(
      { calls, repaired, retried, rejected, usage, state },
      {
        ...{ calls: 1, repaired: 1, retried: 2, rejected: 0, state: 'done' },
        usage: { inputTokens: 10, outputTokens: 15, isEstimated: false },
      },
    );
    assert.equal(problems.length, 2);
    assert.deepEqual(
      replies.map(({ protocol, deltas }) => [protocol, deltas[0]]),
      [BROKEN, BROKEN, `${REPAIRED}\n`].map((text) => ['json', { type: 'text', text }]),
    );
    await serve(
      test,
      [1, 2, 3].map(() => [...says(BROKEN), endDelta]),
    );
    const [last] = test.served.requests;
    assert.deepEqual([last?.retried, last?.rejected, last?.usage?.isEstimated], [2, 1, true]);
  });

  it('tell what has failed, with what was said until then, and how long it took', async () => {
    const test = servedRequests();
    for await (const event of test.served.watch(relayed([[...says('Well'), FAILED]]), ORIGIN)) {
      if (event.type === 'failure') test.wait(1_500);
    }
    const [request] = test.served.requests;
    assert.equal(request?.state, 'failed');
    assert.equal(request.durationMs, 1_500);
    assert.deepEqual(request.problems, ['Too busy.']);
    assert.deepEqual(request.replies[0]?.deltas[0], { type: 'text', text: 'Well' });
    assert.deepEqual(test.notes, ['Too busy.', 'Failed over json after 1.5 s (calls: 0).']);
  });

  it('are over when the client goes', async () => {
    const test = servedRequests();
    for await (const event of test.served.watch(relayed([says('Well')]), ORIGIN)) {
      assert.equal(test.served.requests[0]?.state, 'running');
      if (event.type === 'text') break;
    }
    assert.equal(test.served.requests[0]?.state, 'stopped');
    assert.deepEqual(test.notes, ['Stopped after 0.0 s (calls: 0).']);
  });

  it('report nothing for single pieces of text', async () => {
    const short = servedRequests();
    await serve(short, [[...says('a'), endDelta]]);
    const long = servedRequests();
    await serve(long, [[...says(...Array.from({ length: 500 }, (_, at) => `word ${at} `)), endDelta]]);
    assert.equal(long.changes(), short.changes());
  });

  it('are logged in numbers', async () => {
    const test = servedRequests();
    await serve(test, [
      [...says(BROKEN), SPENT, endDelta],
      [...says(CALL), SPENT, endDelta],
    ]);
    assert.match(test.notes[0]!, /^A call: .* Asked again\.$/);
    assert.deepEqual(test.notes.slice(1), [
      'Answered over json after 0.0 s (calls: 1, asked again: 1, tokens: 10 + 10).',
    ]);
  });

  it('name in the log the tools that were left out', async () => {
    const test = servedRequests();
    const request = { ...REQUEST, leftOut: ['web_search', 'mcp'] };
    await serve(test, [[...says(CALL), endDelta]], request);
    assert.match(test.notes[0]!, /\(calls: 1, tools left out: web_search mcp, tokens: /);
  });

  it('are kept while there is room, the last one always, and forgotten on request', async () => {
    const test = servedRequests();
    const ids = (): readonly number[] => test.served.requests.map(({ id }) => id);
    for (let at = 0; at <= limits.gatewayRequestsKept; at++) await serve(test, [[...says('a'), endDelta]]);
    assert.deepEqual([ids().length, ids()[0], ids().at(-1)], [limits.gatewayRequestsKept, 51, 2]);
    const half = 'word '.repeat(limits.gatewayCharsKept / 9);
    await serve(test, [[...says(half), endDelta]]);
    await serve(test, [[...says(half), endDelta]]);
    assert.deepEqual(ids(), [53]);
    await serve(test, [[...says(half, half), endDelta]]);
    assert.deepEqual(ids(), [54]);
    test.served.forget();
    assert.deepEqual(ids(), []);
  });

  it('stay while they are active when the others are forgotten', async () => {
    const test = servedRequests();
    await serve(test, [[...says('a'), endDelta]]);
    let during: readonly ServedRequest[] = [];
    for await (const event of test.served.watch(relayed([[...says('b'), endDelta]]), ORIGIN)) {
      if (event.type !== 'text') continue;
      test.served.forget();
      during = test.served.requests;
    }
    assert.deepEqual(
      during.map(({ id }) => id),
      [2],
    );
  });
});
