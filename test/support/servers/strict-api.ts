import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/base/json';
import type { Api } from '../../../src/models/apis/api-name';

export interface StrictRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** A refusal in the words of the vendor. */
export interface StrictRefusal {
  readonly status: number;
  readonly json: JsonObject;
}

/** What an imitation does with one request. */
export type StrictAnswer = StrictRefusal | { readonly events: readonly JsonObject[] };

/** An imitation of a vendor's API: it checks each request as the vendor does, and answers with scripted replies. */
export interface Imitation {
  readonly api: Api;
  answer(request: StrictRequest): StrictAnswer;
}

/** A real HTTP server in front of an imitation. It ends with the process at the latest. */
export class StrictServer {
  readonly requests: StrictRequest[] = [];
  readonly refusals: StrictRefusal[] = [];
  private readonly server: Server;

  private constructor(private readonly imitation: Imitation) {
    this.server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        const { url = '', headers } = request;
        if (request.method !== 'POST') return void response.writeHead(404).end('{}');
        this.respond({ url, headers, body: JSON.parse(text) as JsonObject }, response);
      });
    });
    this.server.unref();
  }

  static async start(imitation: Imitation): Promise<StrictServer> {
    const strict = new StrictServer(imitation);
    await new Promise<void>((resolve) => strict.server.listen(0, '127.0.0.1', resolve));
    return strict;
  }

  get baseUrl(): string {
    // SAFETY: a listening TCP server has an address with a port.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private respond(request: StrictRequest, response: ServerResponse): void {
    this.requests.push(request);
    const answer = this.imitation.answer(request);
    if ('status' in answer) {
      this.refusals.push(answer);
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.json));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of answer.events) {
      const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end(this.imitation.api === 'chat' ? 'data: [DONE]\n\n' : '');
  }
}

/** The objects in a list; empty if it is none. */
export function listIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

/** A text that looks like a signature. */
export function sealed(text: string): string {
  return Buffer.from(`sealed:${text}`).toString('base64');
}

/** A text as it is; empty for anything else. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
