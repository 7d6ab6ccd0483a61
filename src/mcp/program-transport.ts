import { setTimeout as delay } from 'node:timers/promises';
import {
  deserializeMessage,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import type { McpLimits, ServerProcess } from './ports';

const LINE_FEED = 10;

/** So many lines are read in one go; then others have their turn. */
const LINES_AT_ONCE = 100;

type Limits = Pick<McpLimits, 'mcpFrameBytes' | 'mcpMessagesPerSecond' | 'mcpBadLines' | 'mcpGoodbyeMs'>;

/**
 * Messages over the standard input and output of a program, a line each. Not the SDK's own transport: that one starts the
 * program itself and ends that one process alone, and reads whatever comes as fast as it comes.
 */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private unread: Buffer = Buffer.alloc(0);
  /** Of it so much holds no end of a line. */
  private searched = 0;
  private isClosed = false;
  private badLines = 0;
  /** Lines of the second that began then. */
  private second = { begun: 0, lines: 0 };

  constructor(
    private readonly program: ServerProcess,
    private readonly limits: Limits,
    /** Is told, a clause, why it was closed from here. */
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

  /** A program that has closed its input is mostly about to end, and how it ended says more than `EPIPE`: that is told first. */
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

  /** Reads what is there. Who sends more than anybody could want is read no faster: the pipe holds it back. */
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

  /** Milliseconds until there may be more. */
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

  /** What is no message is told of and passed over, as long as it is not most of what comes. */
  private take(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.onerror?.(new Error(`no message: ${line.slice(0, 200)}`));
      if (++this.badLines > this.limits.mcpBadLines) this.breach('it writes lines that are no messages');
      return;
    }
    this.onmessage?.(message);
  }

  private breach(reason: string): void {
    this.onBreach(reason);
    void this.close();
  }
}
