import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface LogFile {
  readonly path: string;
  readonly handle: FileHandle;
}

/**
 * A folder for the output of commands that nobody else can read or guess (G21). Made when it is first needed, gone
 * when it is removed.
 */
export class LogFolder {
  private made: Promise<string> | undefined;
  private path: string | undefined;
  private removal: Promise<unknown> = Promise.resolve();

  /** In the system's temporary folder if not given. */
  constructor(private readonly parent: string | undefined) {}

  /** A new file, open for writing. */
  async create(): Promise<LogFile> {
    const folder = await (this.made ??= this.make());
    const file = path.join(folder, `${randomUUID()}.log`);
    return { path: file, handle: await open(file, 'wx', 0o600) };
  }

  /** Fulfilled when it is gone, whoever began to remove it. */
  remove(): Promise<void> {
    const { made } = this;
    this.made = undefined;
    if (made) this.removal = Promise.all([this.removal, this.removeMade(made)]);
    return this.removal.then(() => undefined);
  }

  removeNow(): void {
    if (this.path !== undefined) rmSync(this.path, { recursive: true, force: true });
  }

  private async removeMade(made: Promise<string>): Promise<void> {
    const folder = await made.catch(() => undefined);
    this.path = undefined;
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  private async make(): Promise<string> {
    if (this.parent !== undefined) {
      await mkdir(this.parent, { recursive: true, mode: 0o700 });
      await removeAbandoned(this.parent);
    }
    // mkdtemp makes it 0700 under a name that was free.
    this.path = await mkdtemp(path.join(this.parent ?? tmpdir(), `${PREFIX}${process.pid}-`));
    return this.path;
  }
}

const PREFIX = 'parley-commands-';

/** What a process that was killed could not remove. Only in a folder of our own. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(PREFIX) ? Number(/^\d+/.exec(name.slice(PREFIX.length))?.[0]) : NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    await rm(path.join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
