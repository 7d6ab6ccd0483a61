import type { FileHandle } from 'node:fs/promises';

/** As much may wait for the disk before whoever writes is asked to: so that reading and writing go on side by side. */
const WAITING_BYTES = 1024 * 1024;

/** Writes what comes to a file, up to a size; what comes after that is not kept. A full disk ends it early. */
export class Spool {
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

  /** Bytes that are in the file. */
  get size(): number {
    return this.written;
  }

  /** Whether something that came was not kept. */
  get isFull(): boolean {
    return this.full;
  }

  /** Whether more may come at once; else it should come after `drained`. */
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

  /** Fulfilled when nothing waits for the disk. */
  async drained(): Promise<void> {
    await this.writing;
  }

  /** Nothing may come after. */
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
      // Without a disk the command goes on; the reader is told how far the log goes.
      this.full = true;
      this.waiting = [];
      this.waitingBytes = 0;
    } finally {
      this.writing = undefined;
    }
  }

  /** Returns how many bytes these were. */
  private async writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<number> {
    const size = chunks.reduce((sum, { length }) => sum + length, 0);
    let { bytesWritten: done } = await file.writev(chunks);
    this.written += done;
    // A disk that is nearly full takes a part of it.
    for (const rest = done < size ? Buffer.concat(chunks) : undefined; rest && done < size;) {
      const { bytesWritten } = await file.write(rest, done);
      done += bytesWritten;
      this.written += bytesWritten;
    }
    return size;
  }
}
