import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import type { Fetch } from '../../../../src/base/transport';
import type { ModelDelta, ModelRequest } from '../../../../src/core/words/model';
import { bounded } from '../../../../src/models/bounded';
import { openAiModel, type OpenAiOptions } from '../../../../src/models/openai';
import { retrying, type RetryClock } from '../../../../src/models/retrying';
import { timeoutsFor } from '../../../../src/models/exchange/timeouts';
import { createTransport } from '../../../../src/node/endpoint/transport';
import { native } from '../../../../src/protocols/native/native';

const request: ModelRequest = native.request({
  instructions: '',
  turns: [{ type: 'user', text: 'hi' }],
  tools: [],
});

/** Pauses take no time. */
const clock: RetryClock = { now: () => 0, random: () => 0, pause: async () => undefined };

const chunk = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const END = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;

/** A server whose answers a test writes by hand, piece by piece. */
class SlowServer {
  readonly answers: ServerResponse[] = [];
  private arrived: () => void = () => undefined;
  private readonly server = createServer((asked, response) => {
    asked.resume();
    asked.on('end', () => {
      this.answers.push(response);
      this.arrived();
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get baseUrl(): string {
    // SAFETY: a listening TCP server has an address with a port.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** The answer to the next request, once it has arrived. */
  async next(count: number): Promise<ServerResponse> {
    while (this.answers.length < count) await new Promise<void>((resolve) => (this.arrived = resolve));
    // SAFETY: there are so many.
    return this.answers[count - 1]!;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describe('patience', () => {
  let server: SlowServer;
  beforeEach(async () => {
    server = new SlowServer();
    await server.start();
    // The watchdog's alone: everything else goes on as it is.
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(() => {
    mock.timers.reset();
    server.stop();
  });

  /** Reads a reply; `seen` tells what has come so far. */
  function ask(more: Partial<OpenAiOptions> = {}): { seen: ModelDelta[]; ended: Promise<void> } {
    const model = openAiModel({
      name: 'test',
      baseUrl: server.baseUrl,
      model: 'm',
      apiKey: async () => undefined,
      fetch: createTransport(),
      ...more,
    });
    const seen: ModelDelta[] = [];
    const ended = (async () => {
      for await (const delta of retrying(bounded(model), clock).stream(request, new AbortController().signal))
        seen.push(delta);
    })();
    return { seen, ended };
  }

  /** A remote name that leads to the server of the test. */
  const elsewhere = (): Partial<OpenAiOptions> => ({
    baseUrl: 'http://api.example.com/v1',
    fetch: (url, init) => createTransport()(url.replace('http://api.example.com/v1', server.baseUrl), init),
  });

  async function until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
  }

  const pass = (seconds: number): void => mock.timers.tick(seconds * 1000);
  const failureOf = (seen: readonly ModelDelta[]): string => {
    const last = seen.at(-1);
    return last?.type === 'failure' ? `${last.failure.code}: ${last.failure.message}` : 'none';
  };
  const textOf = (seen: readonly ModelDelta[]): string =>
    seen.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');

  it('waits 19 minutes for the headers of a server on this machine, and sends nothing twice', async () => {
    const { seen, ended } = ask();
    const answer = await server.next(1);
    pass(1_199);
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answer.write(chunk('late'));
    answer.end(END);
    await ended;
    assert.equal(textOf(seen), 'late');
    assert.equal(server.answers.length, 1);
  });

  it('gives a silent server on this machine up after 20 minutes, and sends nothing twice', async () => {
    const { seen, ended } = ask();
    await server.next(1);
    pass(1_200);
    await ended;
    assert.match(failureOf(seen), /^timed-out: .* sent nothing for 1200 s\..*"timeouts"/);
    assert.equal(server.answers.length, 1);
  });

  it('waits through a prefill of 20 minutes and more while a server sends comments, wherever it is', async () => {
    for (const place of [{}, { ...elsewhere(), timeouts: { total: 0 } }]) {
      const count = server.answers.length + 1;
      const { seen, ended } = ask(place);
      const answer = await server.next(count);
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.flushHeaders();
      await until(() => seen.some((delta) => delta.type === 'progress'));
      let heard = 0;
      for (let minute = 0; minute < 25; minute++) {
        answer.write(': keep-alive\n\n');
        // A comment is not visible, so wait for it to arrive.
        while (heard++ < 200) await new Promise((resolve) => setImmediate(resolve));
        heard = 0;
        pass(60);
      }
      answer.write(chunk('read'));
      answer.end(END);
      await ended;
      assert.equal(textOf(seen), 'read', failureOf(seen));
      assert.equal(server.answers.length, count);
    }
  });

  it('asks a gateway elsewhere once more that has sent no headers for two minutes', async () => {
    const { seen, ended } = ask(elsewhere());
    await server.next(1);
    pass(120);
    await server.next(2);
    pass(120);
    await ended;
    assert.match(failureOf(seen), /^timed-out: http:\/\/api\.example\.com\/v1 sent nothing for 120 s/);
    assert.equal(server.answers.length, 2);
  });

  it('does not retry a server that accepted the request and then goes silent', async () => {
    for (const place of [{}, elsewhere()]) {
      const count = server.answers.length + 1;
      const { seen, ended } = ask({ ...place, timeouts: { firstEvent: 50 } });
      const answer = await server.next(count);
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.flushHeaders();
      await until(() => seen.some((delta) => delta.type === 'progress'));
      pass(50);
      await ended;
      assert.match(failureOf(seen), /sent nothing for 50 s/);
      assert.equal(server.answers.length, count);
    }
  });

  it('waits ten minutes in the middle of a reply on this machine, 90 s elsewhere', async () => {
    for (const [place, seconds] of [
      [{}, 600],
      [elsewhere(), 90],
    ] as const) {
      const count = server.answers.length + 1;
      const { seen, ended } = ask(place);
      const answer = await server.next(count);
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(chunk('one'));
      await until(() => textOf(seen) === 'one');
      pass(seconds - 1);
      answer.write(chunk(' two'));
      await until(() => textOf(seen) === 'one two');
      pass(seconds);
      await ended;
      assert.match(failureOf(seen), RegExp(`silent for ${seconds} s in the middle`));
      assert.equal(server.answers.length, count);
    }
  });

  it('gives up on a host that drops packets after the connect timeout, and retries for a minute', async () => {
    const never: Fetch = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        waits++;
        signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
      });
    let waits = 0;
    for (const [baseUrl, seconds, tries] of [
      ['http://192.168.1.5:8000/v1', 5, 5],
      ['http://api.example.com/v1', 30, 1],
    ] as const) {
      waits = 0;
      const { seen, ended } = ask({ baseUrl, fetch: never });
      for (let attempt = 1; attempt <= tries; attempt++) {
        await until(() => waits === attempt);
        pass(seconds);
      }
      await ended;
      assert.match(
        failureOf(seen),
        RegExp(`^unreachable: .* did not accept the connection within ${seconds} s`),
      );
      assert.equal(waits, tries);
    }
  });

  it('passes on how much of the prompt is read, and asks only llama.cpp for it', async () => {
    const sent: object[] = [];
    const { seen, ended } = ask({ asksProgress: () => true, onSend: (body) => sent.push(body) });
    const answer = await server.next(1);
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    const prompt_progress = { total: 4_000, cache: 1_000, processed: 1_640, time_ms: 12_000 };
    answer.write(
      `data: ${JSON.stringify({ choices: [{ delta: { role: 'assistant' } }], prompt_progress })}\n\n`,
    );
    answer.end(chunk('x') + END);
    await ended;
    assert.deepEqual(seen.slice(0, 2), [
      { type: 'progress', stage: 'taken' },
      { type: 'progress', stage: 'reading', prompt: { all: 4_000, read: 1_640, cached: 1_000 } },
    ]);
    assert.equal((sent[0] as Record<string, unknown>)['return_progress'], true);
    const other = ask({ onSend: (body) => sent.push(body) });
    (await server.next(2)).writeHead(200, { 'content-type': 'text/event-stream' }).end(chunk('x') + END);
    await other.ended;
    assert.ok(!('return_progress' in (sent[1] ?? {})));
  });
});

describe('timeouts', () => {
  const near = { connect: 5, firstEvent: 1_200, idle: 600, total: 0 };
  const elsewhere = { connect: 30, firstEvent: 120, idle: 90, total: 1_800 };

  it('depend on the place', () => {
    for (const baseUrl of ['http://127.0.0.1:8080/v1', 'http://192.168.1.5/v1', 'http://box.local/v1'])
      assert.deepEqual(timeoutsFor(baseUrl), near);
    assert.deepEqual(timeoutsFor('https://openrouter.ai/api/v1'), elsewhere);
  });

  it('come from the profile if it has them, 0 included', () => {
    assert.deepEqual(timeoutsFor('https://openrouter.ai/api/v1', { idle: 0, connect: 3 }), {
      ...elsewhere,
      idle: 0,
      connect: 3,
    });
  });
});
