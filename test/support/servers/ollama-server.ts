import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerFrom, type RecordedAnswers } from './recorded-answers';

/**
 * A real HTTP server on this machine with the part of Ollama's native API that a chat needs; it records its requests.
 */
export class OllamaServer {
  /** Bodies of `POST /api/chat`. */
  readonly chats: Record<string, unknown>[] = [];
  /** All other requests, as method and path. */
  readonly metadataRequests: string[] = [];
  metadata: RecordedAnswers = {};
  /** The answer to the next chat: lines, or a status and a text. */
  answer: { readonly status: number; readonly lines: readonly (object | string)[] } = {
    status: 200,
    lines: [],
  };
  /** Bytes per piece; the cuts do not affect the reply. */
  piece = 7;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const body = Buffer.concat(pieces).toString();
        if (url !== '/api/chat') {
          this.metadataRequests.push(`${method} ${url}`);
          const { status, json } = answerFrom(this.metadata)({
            method,
            url: new URL(url, this.origin),
            headers,
            body,
          });
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(JSON.stringify(json));
          return;
        }
        this.chats.push(JSON.parse(body) as Record<string, unknown>);
        response.writeHead(this.answer.status, { 'content-type': 'application/x-ndjson' });
        const text = this.answer.lines
          .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
          .join('\n');
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += this.piece)
          response.write(bytes.subarray(at, at + this.piece));
        response.end();
      });
    });
    this.server.unref();
  }

  static async start(): Promise<OllamaServer> {
    const server = new OllamaServer();
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get origin(): string {
    // SAFETY: a listening TCP server has an address with a port.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Returns the lines of a reply. */
export function ollamaReply(messages: readonly object[], end: object = {}): OllamaServer['answer'] {
  const lines = messages.map((message) => ({
    model: 'm',
    message: { role: 'assistant', content: '', ...message },
    done: false,
  }));
  const done = { model: 'm', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' };
  return { status: 200, lines: [...lines, { ...done, prompt_eval_count: 120, eval_count: 8, ...end }] };
}
