import type { FileHandle } from 'node:fs/promises';

/** As much may wait for the disk before whoever writes is asked to. */
const WAITING_BYTES = 128 * 1024;

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
        const bytes = this.waiting.length === 1 ? this.waiting[0] : Buffer.concat(this.waiting);
        this.waiting = [];
        if (bytes) await this.writeAll(this.file, bytes);
        this.waitingBytes -= bytes?.length ?? 0;
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

  private async writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, at);
      at += bytesWritten;
      this.written += bytesWritten;
    }
  }
}
