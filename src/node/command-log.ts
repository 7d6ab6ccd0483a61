import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { limits } from '../policy/limits';
import type { CommandLog, CommandOutput } from '../tools/workspace';
import { LinePieces } from './line-pieces';
import type { LogFolder } from './log-folder';
import { OutputRing } from './output-ring';
import { Spool } from './spool';

/** What a command prints: head and tail in memory, and a file once they cannot hold all of it. */
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

  /** Whether more may come at once; else it should come after `drained`. */
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

  /** Nothing may come after. */
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
    // SAFETY: a stream without an encoding gives buffers.
    for await (const chunk of stream) yield chunk as Buffer;
  }

  private async openFile() {
    const { path, handle } = await this.folder.create();
    this.file = path;
    return handle;
  }
}
