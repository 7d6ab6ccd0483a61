import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { isJsonObject, type Json } from '../base/json';
import { mendAnswer } from './mend-answer';

interface MendingOptions {
  /** Pages of one list that are read. */
  readonly maxPages: number;
  /** Called with a sentence about what was left out. */
  readonly onFlaw: (flaw: string) => void;
}

/** One walk through the pages of a list. */
interface PageWalk {
  readonly cursors: Set<string>;
  pages: number;
}

/** Mends the answers of a server before the SDK reads them, over any transport. Ends lists that have no end. */
export class MendingTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  /** The methods of requests that are not answered, by id. */
  private readonly asked = new Map<string | number, string>();
  private readonly walks = new Map<string, PageWalk>();

  constructor(
    private readonly inner: Transport,
    private readonly options: MendingOptions,
  ) {}

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.inner.hasPerRequestStream ?? false;
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.inner.setSupportedProtocolVersions?.(versions);
  }

  start(): Promise<void> {
    this.inner.onclose = () => this.onclose?.();
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) =>
      this.onmessage?.(this.mended(message), extra);
    return this.inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('id' in message && 'method' in message) {
      this.asked.set(message.id, message.method);
      if (message.params?.['cursor'] === undefined)
        this.walks.set(message.method, { cursors: new Set(), pages: 0 });
    }
    return this.inner.send(message, options);
  }

  close(): Promise<void> {
    this.asked.clear();
    return this.inner.close();
  }

  private mended(message: JSONRPCMessage): JSONRPCMessage {
    if (!('id' in message) || 'method' in message || message.id === undefined) return message;
    const method = this.asked.get(message.id);
    this.asked.delete(message.id);
    if (method === undefined || !('result' in message)) return message;
    // SAFETY: it was received as JSON, and what is mended is an object again.
    const mended = mendAnswer(method, message.result as Json, this.options.onFlaw);
    if (!isJsonObject(mended)) return message;
    return { ...message, result: this.withEnd(method, mended) };
  }

  /** Without the cursor of the next page where the list has to end. */
  private withEnd<Result extends { readonly nextCursor?: Json }>(method: string, result: Result): Result {
    const { nextCursor, ...last } = result;
    const walk = this.walks.get(method);
    if (typeof nextCursor !== 'string' || !walk) return result;
    walk.pages++;
    const isCircle = walk.cursors.has(nextCursor);
    if (!isCircle && walk.pages < this.options.maxPages) {
      walk.cursors.add(nextCursor);
      return result;
    }
    const { maxPages } = this.options;
    const problem = isCircle
      ? `The answer to ${method} has no end: a page leads back to an earlier one.`
      : `The answer to ${method} is cut short after ${maxPages} pages.`;
    this.options.onFlaw(problem);
    // SAFETY: `nextCursor` is optional.
    return last as Result;
  }
}
