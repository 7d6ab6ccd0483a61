import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { limits } from '../../../../src/base/limits';
import { GatewayServer, type HttpAnswer } from '../../../../src/node/endpoint/gateway-server';

describe('the server of the gateway', () => {
  afterEach(() => mock.timers.reset());

  it('comments on a stream that says nothing for long, and only then', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const events = new Events();
    const server = await GatewayServer.start({
      ...{ port: 0, token: 'secret', onError: (error) => assert.ifError(error) },
      routes: { 'GET /v1/events': async (): Promise<HttpAnswer> => ({ type: 'stream', events }) },
    });
    const { body } = await fetch(`${server.address}/events`, { headers: { authorization: 'Bearer secret' } });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    const next = async (): Promise<string | undefined> => (await reader.read()).value;
    mock.timers.tick(limits.gatewaySilenceMs);
    assert.equal(await next(), ': under way\n\n');
    events.say('one');
    assert.equal(await next(), 'data: one\n\n');
    mock.timers.tick(limits.gatewaySilenceMs);
    events.say('two');
    assert.equal(await next(), 'data: two\n\n');
    mock.timers.tick(2 * limits.gatewaySilenceMs);
    assert.equal(await next(), ': under way\n\n');
    events.end();
    assert.equal(await next(), undefined);
    await server.stop();
  });
});

/** Events that come when the test sends them. */
class Events implements AsyncIterable<{ readonly data: string }> {
  private readonly waiting: (string | undefined)[] = [];
  private wake: () => void = () => undefined;

  say(data: string): void {
    this.waiting.push(data);
    this.wake();
  }

  end(): void {
    this.waiting.push(undefined);
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<{ readonly data: string }> {
    for (;;) {
      while (this.waiting.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
      const data = this.waiting.shift();
      if (data === undefined) return;
      yield { data };
    }
  }
}
