import { mkdirSync, writeFileSync } from 'node:fs';
import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** Stands between a client and a gateway, passes everything on, and writes each exchange into a folder, as JSON. */
export class RequestRecorder {
  private count = 0;

  private constructor(
    private readonly server: Server,
    private readonly gateway: URL,
    private readonly folder: string,
  ) {}

  static async start(gateway: string, folder: string): Promise<RequestRecorder> {
    mkdirSync(folder, { recursive: true });
    const server = createServer((request, response) => void recorder.pass(request, response));
    const recorder = new RequestRecorder(server, new URL(gateway), folder);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return recorder;
  }

  get baseUrl(): string {
    // SAFETY: a listening TCP server has an address with a port.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.gateway.pathname}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const { method = 'GET', url = '/', headers } = request;
    // The gateway answers no other host.
    const sent = { ...headers, host: this.gateway.host, 'content-length': body.length };
    const onward = send(new URL(url, this.gateway), { method, headers: sent, agent: false }, (answer) => {
      const received: Buffer[] = [];
      answer.on('data', (piece: Buffer) => received.push(piece));
      answer.on('close', () =>
        this.write({ method, url, body: body.toString(), answer: Buffer.concat(received).toString() }),
      );
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  }

  private write(exchange: {
    readonly method: string;
    readonly url: string;
    readonly body: string;
    readonly answer: string;
  }): void {
    const body: unknown = exchange.body === '' ? null : JSON.parse(exchange.body);
    const file = path.join(this.folder, `${++this.count}.json`);
    writeFileSync(file, JSON.stringify({ ...exchange, body }, null, 2));
  }
}
