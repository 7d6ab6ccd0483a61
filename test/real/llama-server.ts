import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { atExit } from '../hosts/at-exit';
import { repository } from '../hosts/repository';

const SCRIPTS = path.join(repository, 'test/real');

export interface LlamaOptions {
  /** Tokens. */
  readonly context: number;
  /** A chat template that describes tools; the template of the model has none. */
  readonly hasTools?: boolean;
}

/** A llama.cpp server on 127.0.0.1 with a small real model. */
export class LlamaServer {
  private constructor(
    readonly port: number,
    private readonly process: ChildProcess,
    private readonly lines: string[],
  ) {}

  /** `folder` is the virtual environment made by `install.sh`. Resolves when the model is loaded. */
  static async start(folder: string, { context, hasTools = false }: LlamaOptions): Promise<LlamaServer> {
    const port = await freePort();
    const args = [path.join(SCRIPTS, 'serve.py'), String(port), '--context', String(context)];
    const child = spawn(path.join(folder, 'bin/python'), [...args, ...(hasTools ? ['--tools'] : [])], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => lines.push(...text.split('\n')));
    }
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The server has ended: ${lines.slice(-5).join('\n')}`);
    });
    const forget = atExit(() => child.kill());
    child.once('exit', forget);
    const server = new LlamaServer(port, child, lines);
    await Promise.race([server.loaded(), ended]);
    ended.catch(() => undefined);
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** Its log so far. */
  get log(): readonly string[] {
    return this.lines;
  }

  /** Whether it is working on a request. */
  async isBusy(): Promise<boolean> {
    // A kept-alive connection would be counted with those of the chat.
    const request = get({ host: '127.0.0.1', port: this.port, path: '/slots', agent: false });
    // SAFETY: llama.cpp lists its slots in this form; anything else fails the run that reads it.
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const slots = JSON.parse(await text(response)) as readonly { readonly is_processing: boolean }[];
    return slots.some((slot) => slot.is_processing);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill();
    const force = setTimeout(() => this.process.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(force);
  }

  private async loaded(): Promise<void> {
    const deadline = Date.now() + 120_000;
    while (Date.now() < deadline) {
      const response = await fetch(`http://127.0.0.1:${this.port}/health`).catch(() => undefined);
      if (response?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error('The server was not ready after two minutes.');
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  // SAFETY: a listening TCP server has an address with a port.
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
