import { setTimeout as delay } from 'node:timers/promises';
import {
  deserializeMessage,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import type { McpLimits, ServerProcess } from './ports';

const LINE_FEED = 10;

/** Maximum lines per batch, so that others get their turn. */
const LINES_AT_ONCE = 100;

type TransportLimits = Pick<
  McpLimits,
  'mcpFrameBytes' | 'mcpMessagesPerSecond' | 'mcpBadLines' | 'mcpGoodbyeMs'
>;

/**
 * Messages over the standard input and output of a program, one per line. Not the SDK's transport, which starts the
 * program itself, ends only that process, and reads without limit.
 */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private unread: Buffer = Buffer.alloc(0);
  /** Data without a line end so far. */
  private searched = 0;
  private isClosed = false;
  private badLines = 0;
  /** Lines in the second that began then. */
  private second = { begun: 0, lines: 0 };

  constructor(
    private readonly program: ServerProcess,
    private readonly limits: TransportLimits,
    /** Called with the reason, a clause, if it was closed from here. */
    private readonly onBreach: (reason: string) => void,
  ) {}

  start(): Promise<void> {
    const { stdin, stdout, ended } = this.program;
    stdout.on('data', (chunk: Buffer) => {
      stdout.pause();
      this.unread = Buffer.concat([this.unread, chunk]);
      this.read();
    });
    for (const stream of [stdin, stdout]) stream.on('error', (error) => this.onerror?.(error));
    void ended.then(() => this.close());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.program;
    if (this.isClosed || !stdin.writable) return Promise.reject(new Error('The server has ended.'));
    if (stdin.writableLength > 2 * this.limits.mcpFrameBytes) {
      this.breach('it does not read what it is sent');
      return Promise.reject(new Error('The server does not read.'));
    }
    return new Promise((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => {
        if (error) void this.endOrGoodbye().then(() => reject(error));
        else resolve();
      });
    });
  }

  /**
   * A program that closed its input is probably about to end, and its exit status says more than `EPIPE`, so that is
   * awaited first.
   */
  private async endOrGoodbye(): Promise<void> {
    await Promise.race([this.program.ended, delay(this.limits.mcpGoodbyeMs, undefined, { ref: false })]);
  }

  close(): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    this.isClosed = true;
    this.program.stdout.destroy();
    this.unread = Buffer.alloc(0);
    this.onclose?.();
    return Promise.resolve();
  }

  /** Reads available data. Programs that send faster than anyone needs are slowed down by the pipe. */
  private read(): void {
    for (let lines = 0; !this.isClosed; lines++) {
      if (lines === LINES_AT_ONCE) return this.later(0);
      const wait = this.wait();
      if (wait > 0) return this.later(wait);
      const line = this.nextLine();
      if (line === undefined) break;
      this.second.lines++;
      if (line.length > 0) this.take(line.toString('utf8'));
    }
    if (!this.isClosed) this.program.stdout.resume();
  }

  /** Milliseconds until more may be read. */
  private wait(): number {
    const now = performance.now();
    if (now - this.second.begun > 1_000) this.second = { begun: now, lines: 0 };
    return this.second.lines < this.limits.mcpMessagesPerSecond ? 0 : this.second.begun + 1_000 - now;
  }

  private later(ms: number): void {
    const go = (): void => this.read();
    if (ms > 0) setTimeout(go, ms).unref();
    else setImmediate(go);
  }

  private nextLine(): Buffer | undefined {
    const end = this.unread.indexOf(LINE_FEED, this.searched);
    if (end < 0) {
      this.searched = this.unread.length;
      const most = this.limits.mcpFrameBytes;
      if (this.searched > most) this.breach(`it sent a message of more than ${most / 1024 ** 2} MiB`);
      return undefined;
    }
    const line = this.unread.subarray(0, end);
    this.unread = this.unread.subarray(end + 1);
    this.searched = 0;
    return line;
  }

  /** Lines that are not messages are logged and skipped, unless most lines are. */
  private take(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.onerror?.(new Error(`no message: ${line.slice(0, 200)}`));
      if (++this.badLines > this.limits.mcpBadLines) this.breach('it writes lines that are not messages');
      return;
    }
    this.onmessage?.(message);
  }

  private breach(reason: string): void {
    this.onBreach(reason);
    void this.close();
  }
}
