import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/base/json';
import type { ConfiguredServer } from '../../../src/mcp/definition';

interface Question {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: JsonObject;
}

/**
 * An MCP server of the protocol before Streamable HTTP: a stream of events at its address names another address for
 * messages, and the answers come over the stream. It has the tool `echo`, and ends with the process at the latest.
 */
export class SseMcpServer {
  /** The method and path of every request. */
  readonly requests: string[] = [];
  /** The header `x-key` of every request. */
  readonly keys: string[] = [];
  private readonly server: Server;
  private stream: ServerResponse | undefined;

  private constructor(private readonly refusal: number) {
    this.server = createServer((request, response) => this.answer(request, response));
    this.server.unref();
  }

  /** `refusal`: the status with which it answers messages to its own address. */
  static async start(refusal = 405): Promise<SseMcpServer> {
    const server = new SseMcpServer(refusal);
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    // SAFETY: a listening TCP server has an address with a port.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/sse`;
  }

  configured(mayBeSse: boolean): ConfiguredServer {
    const definition = { type: 'http', url: this.url, headers: { 'x-key': 'key' } } as const;
    return { name: 'old', scope: 'user', definition: { ...definition, ...(mayBeSse && { mayBeSse }) } };
  }

  /** Sends a text over the stream as it is. */
  send(text: string): void {
    this.stream?.write(text);
  }

  /** Ends the stream of events. */
  endStream(): void {
    this.stream?.end();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(`${request.method} ${request.url}`);
    this.keys.push(String(request.headers['x-key']));
    const asked = `${request.method} ${request.url?.replace(/\?.*/u, '')}`;
    if (asked === 'GET /sse') {
      this.stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      this.send('event: endpoint\ndata: /messages?session=1\n\n');
    } else if (asked === 'POST /messages') {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        response.writeHead(202).end('Accepted');
        // SAFETY: a client sends this.
        this.reply(JSON.parse(Buffer.concat(pieces).toString()) as Question);
      });
    } else response.writeHead(this.refusal).end('Method not allowed');
  }

  private reply({ id, method, params = {} }: Question): void {
    if (id === undefined) return;
    const answer = ANSWERS[method]?.(params);
    const body = answer ? { result: answer } : { error: { code: -32_601, message: 'Method not found' } };
    this.send(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n\n`);
  }
}

const ANSWERS: Readonly<Record<string, (params: JsonObject) => object>> = {
  initialize: () => ({
    protocolVersion: '2024-11-05',
    capabilities: { tools: {} },
    serverInfo: { name: 'old', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: given }) => ({ content: [{ type: 'text', text: JSON.stringify(given) }] }),
};
