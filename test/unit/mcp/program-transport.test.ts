import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { limits } from '../../../src/base/limits';
import type { ServerProcess } from '../../../src/mcp/ports';
import { ProgramTransport } from '../../../src/mcp/program-transport';

const PING = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;

const noBreach = (reason: string): void => assert.fail(reason);

describe('messages to a program', () => {
  it('fail after its end is reported, if it closed its input because it ends', async () => {
    const order: string[] = [];
    let exit: (how: string) => void = () => undefined;
    const ended = new Promise<string>((resolve) => (exit = resolve));
    const transport = new ProgramTransport(programOf(ended), limits, noBreach);
    void ended.then(() => order.push('ended'));
    const sent = transport.send(PING).catch((error: unknown) => void order.push(String(error)));
    setImmediate(() => exit('exit code 3'));
    await sent;
    assert.deepEqual(order, ['ended', 'Error: EPIPE']);
  });

  it('fail if it closed its input and continues', async () => {
    const program = programOf(new Promise(() => undefined));
    const transport = new ProgramTransport(program, { ...limits, mcpGoodbyeMs: 1 }, noBreach);
    // Pending work does not keep a process alive, so this does.
    const alive = setInterval(() => undefined, 1_000);
    await assert.rejects(transport.send(PING), /EPIPE/);
    clearInterval(alive);
  });
});

/** Its input is closed. */
function programOf(ended: Promise<string>): ServerProcess {
  const stdin = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  stdin.on('error', () => undefined);
  return { stdin, stdout: new PassThrough(), stderr: new PassThrough(), ended, end: async () => [] };
}
