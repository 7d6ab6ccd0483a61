import assert from 'node:assert/strict';
import { nonRepeatingText } from '../../support/non-repeating-text';
import type { ServerResponse } from 'node:http';
import { mock } from 'node:test';
import { bounded } from '../../../src/models/bounded';
import { openAiModel } from '../../../src/models/openai';
import { retrying, type RetryClock } from '../../../src/models/retrying';
import { createTransport } from '../../../src/node/endpoint/transport';
import { native } from '../../../src/protocols/native/native';
import { callOf, testSession, testTool } from '../../support/agent/test-session';
import {
  answerWith,
  breakOff,
  endEarly,
  FakeEndpoint,
  streamForever,
  streamParts,
  streamText,
  type EndpointReply,
} from '../../support/servers/fake-endpoint';

const MIB = 1024 * 1024;

/** Pauses take no time and are kept. */
class TestClock implements RetryClock {
  readonly pauses: number[] = [];

  now(): number {
    return this.pauses.reduce((sum, ms) => sum + ms, 0);
  }

  random(): number {
    return 1;
  }

  async pause(ms: number): Promise<void> {
    this.pauses.push(ms);
  }
}

const busy = (retryAfter: string): EndpointReply => {
  return (response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': retryAfter });
    response.end('{}');
  };
};

/** Answers with these chunks unchanged, then ends the answer as given. */
function stream(chunks: readonly unknown[], end: (response: ServerResponse) => void = done): EndpointReply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) {
      response.write(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);
    }
    end(response);
  };
}

function done(response: ServerResponse): void {
  response.end('data: [DONE]\n\n');
}

const stall = (): void => undefined;

const text = (content: string): object => ({ choices: [{ index: 0, delta: { content } }] });
const finish = (reason: string): object => ({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });

/** A piece of a call; what is `undefined` is left out. */
function piece(args: unknown, rest: object = { index: 0 }): object {
  const call = { ...rest, function: { arguments: args } };
  return { choices: [{ index: 0, delta: { tool_calls: [call] } }] };
}

/** A whole call of `note` in one chunk. */
function call(args: unknown, rest: object = { index: 0 }): object {
  const whole = { id: 'call_1', ...rest, type: 'function', function: { name: 'note', arguments: args } };
  return { choices: [{ index: 0, delta: { tool_calls: [whole] } }] };
}

const WHOLE = '{"text":"x"}';
const DEEP = `${'{"text":['.repeat(40)}${']}'.repeat(40)}`;
const VERY_DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

interface Row {
  readonly name: string;
  /** After them the endpoint says "All done." */
  readonly replies: readonly EndpointReply[];
  readonly outcome: 'done' | 'failed' | 'budget';
  readonly says?: RegExp;
  /** How many the endpoint has seen. */
  readonly requests: number;
  /** What the tool was run with. */
  readonly ran?: readonly string[];
  readonly pauses?: readonly number[];
  /** Seconds that pass as soon as something of the reply is shown. */
  readonly silence?: number;
  /** If not one for each pause. */
  readonly retries?: number;
  readonly timeouts?: { readonly total: number };
}

const fine = streamParts(native, [callOf('note', 'x')]);
const half = [{ type: 'text', text: 'Look:' } as const, callOf('note', 'x')];

const rows: readonly Row[] = [
  {
    name: 'a 429 that asks for a pause',
    replies: [busy('7'), fine],
    outcome: 'done',
    requests: 3,
    ran: ['x'],
    pauses: [7_000],
  },
  {
    name: 'a 429 that asks for too long a pause',
    replies: [busy('600'), fine],
    outcome: 'failed',
    says: /too many requests \(429\) and asks to wait 10 minutes/,
    requests: 1,
  },
  {
    name: 'a 500 and then a reply',
    replies: [answerWith(500, 'text/plain', 'boom'), fine],
    outcome: 'done',
    requests: 3,
    ran: ['x'],
    pauses: [1_000],
  },
  {
    name: 'a 503 for ever',
    replies: Array.from({ length: 9 }, () => answerWith(503, 'text/plain', 'boom')),
    outcome: 'failed',
    says: /failed \(503\)/,
    requests: 5,
    pauses: [1_000, 2_000, 4_000, 8_000],
  },
  ...[408, 504, 524].map((status) => ({
    name: `a ${status}, with which a gateway gives up waiting`,
    replies: [answerWith(status, 'text/plain', 'Gateway time-out'), fine],
    outcome: 'failed' as const,
    says: RegExp(`did not get the reply in time \\(${status}\\)`),
    requests: 1,
  })),
  {
    name: 'a server that loads its model',
    replies: [
      ...Array.from({ length: 30 }, () =>
        answerWith(
          503,
          'application/json',
          '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}',
        ),
      ),
      fine,
    ],
    outcome: 'done',
    requests: 32,
    ran: ['x'],
    pauses: Array.from({ length: 30 }, () => 5_000),
    retries: 0,
  },
  {
    name: 'a server that is busy',
    replies: [answerWith(503, 'application/json', '{"error":"server busy, please try again"}'), fine],
    outcome: 'done',
    requests: 3,
    ran: ['x'],
    pauses: [5_000],
    retries: 0,
  },
  {
    name: 'a 400',
    replies: [answerWith(400, 'application/json', '{"error":{"message":"unknown field seed"}}')],
    outcome: 'failed',
    says: /rejected the request \(400\): unknown field seed/,
    requests: 1,
  },
  {
    name: 'a 400 because the window is full',
    replies: [answerWith(400, 'application/json', '{"error":{"message":"context length exceeded"}}')],
    outcome: 'budget',
    says: /no older messages to leave out/,
    requests: 1,
  },
  {
    name: 'an error of many megabytes',
    replies: [answerWith(400, 'text/plain', 'x\n\n'.repeat(3 * MIB))],
    outcome: 'failed',
    says: /rejected the request \(400\)/,
    requests: 1,
  },
  {
    name: 'a reset before the answer',
    replies: [(response) => void response.destroy(), fine],
    outcome: 'done',
    requests: 3,
    ran: ['x'],
    pauses: [1_000],
  },
  {
    name: 'resets before every answer',
    replies: Array.from({ length: 9 }, () => (response) => void response.destroy()),
    outcome: 'failed',
    says: /closed the connection without an answer/,
    requests: 2,
    pauses: [1_000],
  },
  {
    name: 'a reset before the first event',
    replies: [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': hello\n\n', () => response.destroy());
      },
      fine,
    ],
    outcome: 'failed',
    says: /broke in the middle/,
    requests: 1,
  },
  {
    name: 'a reset in mid-stream',
    replies: [breakOff(native, half)],
    outcome: 'failed',
    says: /connection broke in the middle/,
    requests: 1,
  },
  {
    name: 'an overloaded endpoint that says so in its stream',
    replies: [stream([{ error: { message: 'overloaded', code: 529 } }]), fine],
    outcome: 'failed',
    says: /answered with an error: overloaded/,
    requests: 1,
  },
  {
    name: 'an error in mid-stream',
    replies: [stream([call(WHOLE), { error: { message: 'out of memory', code: 500 } }])],
    outcome: 'failed',
    says: /in the middle of the reply: out of memory/,
    requests: 1,
  },
  {
    name: 'a stall',
    replies: [stream([text('Look'), call(WHOLE)], stall)],
    outcome: 'failed',
    says: /went silent for 600 s/,
    requests: 1,
    silence: 600,
  },
  {
    name: 'a stream without end',
    replies: [streamForever('more ')],
    outcome: 'failed',
    says: /did not end in 1800 s/,
    requests: 1,
    silence: 60,
    timeouts: { total: 1_800 },
  },
  {
    name: 'a web page',
    replies: [answerWith(200, 'text/html', '<html></html>')],
    outcome: 'failed',
    says: /answered with a web page/,
    requests: 1,
  },
  {
    name: 'a stream that just ends',
    replies: [endEarly(native, half)],
    outcome: 'failed',
    says: /was cut off/,
    requests: 1,
  },
  {
    name: 'pieces without index',
    replies: [stream([call('{"text"', {}), piece(':"x"}', {}), finish('tool_calls')])],
    outcome: 'done',
    requests: 2,
    ran: ['x'],
  },
  {
    name: 'arguments that are an object',
    replies: [stream([call({ text: 'x' }), finish('tool_calls')])],
    outcome: 'done',
    requests: 2,
    ran: ['x'],
  },
  {
    name: 'a call in a reply that ends with "stop"',
    replies: [stream([call(WHOLE), finish('stop')])],
    outcome: 'done',
    requests: 2,
    ran: ['x'],
  },
  {
    name: 'no call in a reply that ends with "tool_calls"',
    replies: [stream([text('Nothing to do.'), finish('tool_calls')])],
    outcome: 'done',
    requests: 1,
  },
  {
    name: 'a call in a reply that was filtered',
    replies: [stream([call(WHOLE), finish('content_filter')])],
    outcome: 'failed',
    says: /withheld the answer/,
    requests: 1,
  },
  {
    name: 'a call in a reply that the server broke off',
    replies: [stream([call(WHOLE), finish('abort')])],
    outcome: 'failed',
    says: /was cut off/,
    requests: 1,
  },
  {
    name: 'arguments that are cut at the output limit',
    replies: [stream([call('{"text":"x'), finish('length')])],
    outcome: 'done',
    requests: 2,
  },
  {
    name: 'arguments that are cut without a word',
    replies: [stream([call('{"text":"x'), finish('tool_calls')])],
    outcome: 'done',
    requests: 2,
  },
  {
    name: 'a whole call and [DONE] without a reason',
    replies: [stream([call(WHOLE)])],
    outcome: 'done',
    requests: 2,
    ran: ['x'],
  },
  {
    name: 'half a call and [DONE] without a reason',
    replies: [stream([call('{"text":"x')])],
    outcome: 'failed',
    says: /was cut off/,
    requests: 1,
  },
  {
    name: 'a call that does not fit its schema, and [DONE] without a reason',
    replies: [stream([call('{"other":"x"}')])],
    outcome: 'failed',
    says: /was cut off/,
    requests: 1,
  },
  {
    name: 'blank text and [DONE] without a reason',
    replies: [stream([text(' ')])],
    outcome: 'failed',
    says: /was cut off/,
    requests: 1,
  },
  {
    name: 'a reply behind which the connection breaks',
    replies: [
      stream([call(WHOLE), finish('tool_calls')], (response) => {
        response.write('\n', () => response.destroy());
      }),
    ],
    outcome: 'done',
    requests: 2,
    ran: ['x'],
  },
  {
    name: 'half a chunk',
    replies: [stream([call(WHOLE), '{"choices":[{"index":0,"delta":'])],
    outcome: 'failed',
    says: /broke in the middle/,
    requests: 1,
  },
  {
    name: 'an event that is too large',
    replies: [stream([call(WHOLE), text('x'.repeat(5 * MIB)), finish('tool_calls')])],
    outcome: 'failed',
    says: /a piece of the reply that is too large/,
    requests: 1,
  },
  {
    name: 'an event that never ends',
    replies: [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify(call(WHOLE))}\n\ndata: "`);
        const more = (): void => {
          while (!response.closed && response.write('x'.repeat(MIB)));
        };
        response.on('drain', more);
        more();
      },
    ],
    outcome: 'failed',
    says: /a piece of the reply that is too large/,
    requests: 1,
  },
  {
    name: 'arguments that are too large',
    replies: [
      stream([
        call('{"text":"'),
        ...Array.from({ length: 5 }, (_, at) => piece(nonRepeatingText(MIB / 4, `${at}`))),
        piece('"}'),
        finish('tool_calls'),
      ]),
    ],
    outcome: 'failed',
    says: /arguments of a call grew beyond 1 MiB.*nothing of it was run/,
    requests: 1,
  },
  {
    name: 'a reply that is too large',
    replies: [
      stream([
        call(WHOLE),
        ...Array.from({ length: 9 }, (_, at) => text(nonRepeatingText(MIB, `${at}`))),
        finish('stop'),
      ]),
    ],
    outcome: 'failed',
    says: /grew beyond 8 MiB/,
    requests: 1,
  },
  {
    name: 'deep arguments',
    replies: [stream([call(DEEP), finish('tool_calls')])],
    outcome: 'failed',
    says: /more than 32 levels deep/,
    requests: 1,
  },
  {
    name: 'deep arguments that are an object',
    replies: [stream([call(JSON.parse(DEEP)), finish('tool_calls')])],
    outcome: 'failed',
    says: /more than 32 levels deep/,
    requests: 1,
  },
  {
    name: 'a chunk that is nested without end',
    replies: [
      stream([
        `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"note","arguments":${VERY_DEEP}}}]}}]}`,
        finish('tool_calls'),
      ]),
    ],
    outcome: 'failed',
    says: /more than 32 levels deep/,
    requests: 1,
  },
];

describe('faults of an endpoint', () => {
  let endpoint: FakeEndpoint;
  before(async () => (endpoint = await FakeEndpoint.start()));
  beforeEach(() => {
    endpoint.reset();
    // The watchdog's; everything else goes on as it is.
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(() => mock.timers.reset());
  after(() => endpoint.stop());

  for (const { name, replies, outcome, says, requests, ran = [], pauses = [], silence, ...row } of rows) {
    it(`G28.faults: ${name}: ${outcome}, ${requests} requests, ${ran.length} calls run`, async () => {
      endpoint.next(...replies);
      const clock = new TestClock();
      const executed: string[] = [];
      const tool = testTool('note', 'read', async (given) => {
        executed.push(given);
        return 'noted';
      });
      const model = openAiModel({
        name: 'test',
        baseUrl: endpoint.baseUrl,
        model: 'm',
        apiKey: async () => undefined,
        timeouts: row.timeouts,
        fetch: createTransport(),
      });
      const { session, events, errors } = testSession({
        model: retrying(bounded(model), clock),
        tools: [tool],
      });
      session.onEvent((event) => {
        if (silence !== undefined && event.type === 'text') mock.timers.tick(silence * 1000);
      });
      await session.send('go');
      assert.deepEqual(errors, []);
      const end = events.at(-1);
      assert.ok(end?.type === 'run-end');
      assert.equal(end.outcome.type, outcome, JSON.stringify(end.outcome));
      if (says) assert.match('message' in end.outcome ? end.outcome.message : '', says);
      assert.equal(endpoint.requests.length, requests);
      assert.deepEqual(executed, ran);
      assert.deepEqual(clock.pauses, pauses);
      const { retries = pauses.length } = row;
      assert.equal(events.filter(({ type }) => type === 'retry').length, retries);
    });
  }

  it('G33.late: what comes after a stop changes nothing', async () => {
    endpoint.next(streamForever('more '), streamText('Never.'));
    const model = openAiModel({
      name: 'test',
      baseUrl: endpoint.baseUrl,
      model: 'm',
      apiKey: async () => undefined,
    });
    const { session } = testSession({ model: retrying(bounded(model), new TestClock()) });
    const types: string[] = [];
    session.onEvent((event) => {
      types.push(event.type === 'run-end' ? event.outcome.type : event.type);
      if (event.type === 'text') session.stop();
    });
    await session.send('go');
    assert.deepEqual(types, ['run-start', 'round-start', 'progress', 'text', 'reply-end', 'aborted']);
    assert.equal(endpoint.requests.length, 1);
  });
});
