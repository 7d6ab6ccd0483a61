import { randomUUID } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { limits } from '../../base/limits';
import type { CommandLog, CommandOutput } from '../../tools/ports/processes';
import { LinePieces, OutputRing } from './output-ring';

/** The output of a command: its start and end in memory, and a file if these cannot hold everything. */
export class SpooledLog implements CommandLog {
  private readonly ring = new OutputRing({ head: limits.commandHeadBytes, tail: limits.commandTailBytes });
  private spool: Spool | undefined;
  private file: string | undefined;
  private received = 0;
  private isRemoved = false;

  constructor(private readonly folder: LogFolder) {}

  get size(): number {
    return this.received;
  }

  /** Whether the next output may be added at once; otherwise wait for `drained`. */
  get isReady(): boolean {
    return this.spool?.isReady ?? true;
  }

  add(chunk: Buffer): void {
    if (!this.spool && !this.ring.hasRoomFor(chunk.length)) {
      this.spool = new Spool(() => this.openFile(), limits.commandSpoolBytes);
      this.spool.add(this.ring.bytes());
    }
    this.spool?.add(chunk);
    this.ring.add(chunk);
    this.received += chunk.length;
  }

  async drained(): Promise<void> {
    await this.spool?.drained();
  }

  /** Call it after the last output. */
  async close(): Promise<void> {
    await this.spool?.close();
  }

  async remove(): Promise<void> {
    this.isRemoved = true;
    await this.close();
    if (this.file !== undefined) await rm(this.file, { force: true });
  }

  excerpt(): CommandOutput {
    return this.ring.excerpt();
  }

  async *lines(signal: AbortSignal): AsyncGenerator<readonly string[]> {
    const lines = new LinePieces(limits.commandLineCharacters);
    const decoder = new StringDecoder();
    for await (const chunk of this.kept(signal)) yield lines.push(decoder.write(chunk));
    yield [...lines.push(decoder.end()), ...lines.end()];
  }

  get beyond(): CommandLog['beyond'] {
    if (!this.spool?.isFull) return undefined;
    const { tail } = this.ring.excerpt();
    const omitted = Math.max(0, this.received - this.spool.size - Buffer.byteLength(tail));
    return { omitted, tail };
  }

  private async *kept(signal: AbortSignal): AsyncGenerator<Buffer> {
    await this.spool?.drained();
    if (!this.spool) yield this.ring.bytes();
    if (!this.spool || this.file === undefined || this.spool.size === 0 || this.isRemoved) return;
    const stream = createReadStream(this.file, { end: this.spool.size - 1, signal });
    // SAFETY: a stream without an encoding yields buffers.
    for await (const chunk of stream) yield chunk as Buffer;
  }

  private async openFile() {
    const { path, handle } = await this.folder.create();
    this.file = path;
    return handle;
  }
}

interface LogFile {
  readonly path: string;
  readonly handle: FileHandle;
}

/** A folder for the output of commands that other users cannot read or guess (G21). Created at first use. */
export class LogFolder {
  private made: Promise<string> | undefined;
  private path: string | undefined;
  private removal: Promise<unknown> = Promise.resolve();

  /** `parent`: the system's temporary folder if not given. */
  constructor(private readonly parent: string | undefined) {}

  /** Creates a new file, open for writing. */
  async create(): Promise<LogFile> {
    const folder = await (this.made ??= this.make());
    const file = path.join(folder, `${randomUUID()}.log`);
    return { path: file, handle: await open(file, 'wx', 0o600) };
  }

  /** Resolves when the folder is gone, even if another call started the removal. */
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
    // mkdtemp creates it with mode 0700 under an unused name.
    this.path = await mkdtemp(path.join(this.parent ?? tmpdir(), `${PREFIX}${process.pid}-`));
    return this.path;
  }
}

const PREFIX = 'parley-commands-';

/** Removes what killed processes left, only in our own folder. */
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

/** How many bytes may wait for the disk before the writer must wait, so that reading and writing overlap. */
const WAITING_BYTES = 1024 * 1024;

/** Writes data to a file, up to a size; drops the rest. A full disk ends it early. */
class Spool {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private accepted = 0;
  private written = 0;
  private full = false;
  private closed = false;
  private writing: Promise<void> | undefined;
  private file: FileHandle | undefined;

  constructor(
    private readonly open: () => Promise<FileHandle>,
    private readonly most: number,
  ) {}

  /** The number of bytes in the file. */
  get size(): number {
    return this.written;
  }

  /** Whether some output was not kept. */
  get isFull(): boolean {
    return this.full;
  }

  /** Whether the next output may be added at once; otherwise wait for `drained`. */
  get isReady(): boolean {
    return this.waitingBytes < WAITING_BYTES;
  }

  add(chunk: Buffer): void {
    if (this.full || this.closed) return;
    const kept = chunk.subarray(0, this.most - this.accepted);
    this.full = kept.length < chunk.length;
    this.accepted += kept.length;
    this.waiting.push(kept);
    this.waitingBytes += kept.length;
    this.writing ??= this.write();
  }

  /** Resolves when no output waits for the disk. */
  async drained(): Promise<void> {
    await this.writing;
  }

  /** Call it after the last output. */
  async close(): Promise<void> {
    this.closed = true;
    await this.writing;
    await this.file?.close();
    this.file = undefined;
  }

  private async write(): Promise<void> {
    try {
      this.file ??= await this.open();
      while (this.waiting.length > 0) {
        const chunks = this.waiting;
        this.waiting = [];
        this.waitingBytes -= await this.writeAll(this.file, chunks);
      }
    } catch {
      // Without disk space the command continues; the reader sees where the log ends.
      this.full = true;
      this.waiting = [];
      this.waitingBytes = 0;
    } finally {
      this.writing = undefined;
    }
  }

  /** Returns how many bytes were written. */
  private async writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<number> {
    const size = chunks.reduce((sum, { length }) => sum + length, 0);
    let { bytesWritten: done } = await file.writev(chunks);
    this.written += done;
    // A disk that is nearly full accepts only a part.
    for (const rest = done < size ? Buffer.concat(chunks) : undefined; rest && done < size;) {
      const { bytesWritten } = await file.write(rest, done);
      done += bytesWritten;
      this.written += bytesWritten;
    }
    return size;
  }
}
