import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../../hosts/repository';
import { EVERYTHING_SERVER } from './mcp-harness';

const LOOPBACK = pathToFileURL(path.join(repository, 'test/fixtures/mcp/loopback.mjs')).href;

/** The real "everything" server, over HTTP on the loopback address. */
export class EverythingServer {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(): Promise<EverythingServer> {
    const port = await freePort();
    const child = spawn(process.execPath, ['--import', LOOPBACK, EVERYTHING_SERVER, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const { stderr } = child;
    await new Promise<void>((resolve, reject) => {
      stderr.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('listening on port')) resolve();
      });
      child.once('exit', () => reject(new Error('The server did not start.')));
    });
    return new EverythingServer(`http://127.0.0.1:${port}/mcp`, child);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.');
  return address.port;
}
