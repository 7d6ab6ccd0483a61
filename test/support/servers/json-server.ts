import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface JsonRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface JsonAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
}

/** A real HTTP server on this machine that records its requests. It ends with the process at the latest. */
export class JsonServer {
  readonly requests: JsonRequest[] = [];
  private readonly server: Server;

  constructor(answer: (request: JsonRequest) => JsonAnswer | Promise<JsonAnswer>) {
    this.server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const received = {
          method: request.method ?? '',
          url: new URL(request.url ?? '', this.origin),
          headers: request.headers,
          body: Buffer.concat(pieces).toString(),
        };
        this.requests.push(received);
        void Promise.resolve(answer(received)).then(({ status, headers, json }) => {
          response.writeHead(status, { 'content-type': 'application/json', ...headers });
          response.end(json === undefined ? undefined : JSON.stringify(json));
        });
      });
    });
    this.server.unref();
  }

  get origin(): string {
    // SAFETY: a listening TCP server has an address with a port.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
