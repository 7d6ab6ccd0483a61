import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { distFile } from '../dist';

/** A real `parley serve`, stopped by its process id. */
export class GatewayProcess {
  private said = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly baseUrl: string,
    readonly token: string,
  ) {
    child.stderr?.on('data', (piece: Buffer) => (this.said += piece.toString()));
  }

  static async start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<GatewayProcess> {
    const child = spawn(process.execPath, [distFile('cli.js'), 'serve', ...args], {
      env: { ...process.env, ...env },
    });
    child.stderr.on('data', () => undefined);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => {
      const line = (await lines.next()) as IteratorResult<string, undefined>;
      assert.ok(!line.done, `parley serve ended with ${child.exitCode}`);
      return line.value;
    };
    const baseUrl = (await next()).replace('Listening on ', '');
    const at = args.indexOf('--token');
    const token = at >= 0 ? args[at + 1]! : (await next()).replace('Token: ', '');
    return new GatewayProcess(child, baseUrl, token);
  }

  /** Its log. */
  get log(): string {
    return this.said;
  }

  /** The exit code after a signal. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const ended = once(this.child, 'exit') as Promise<[number | null]>;
    this.child.kill(signal);
    const [code] = await ended;
    return code;
  }
}
