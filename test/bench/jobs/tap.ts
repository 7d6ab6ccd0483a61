import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as sendSecurely } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/base/json';
import { countTokens } from '../../../src/node/tokens';
import { isProbe } from '../../support/servers/form-probe';

/** One reply of the model, as it went through. */
export interface TapReply {
  readonly text: string;
  /** Native calls in it. */
  readonly calls: number;
  /** The request offered tools of its API. */
  readonly hasTools: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** As the server says why it ended; empty if the client did not wait for the end. */
  readonly finish: string;
}

/** The part of a chunk, or of a whole answer, that is read. */
interface Chunk {
  readonly choices?: readonly {
    readonly delta?: Message;
    readonly message?: Message;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
}

interface Message {
  readonly content?: string | null;
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly {
    readonly index?: number;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  }[];
}

/**
 * Stands between an agent and a Chat Completions server on this machine, and counts what goes through. Requests that only
 * probe the server are passed on, but are no replies.
 */
export class Tap {
  readonly replies: TapReply[] = [];

  private constructor(
    private readonly server: Server,
    private readonly upstream: URL,
    private readonly fields: JsonObject,
  ) {}

  /** `fields` take the place of those of each request, for agents that cannot be told to send them. */
  static async start(upstream: string, fields: JsonObject = {}): Promise<Tap> {
    const server = createServer((request, response) => void tap.pass(request, response));
    const tap = new Tap(server, new URL(upstream), fields);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return tap;
  }

  get baseUrl(): string {
    // SAFETY: a listening TCP server has an address with a port.
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.upstream.pathname.replace(/\/$/, '')}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    let body = Buffer.concat(pieces);
    const isCompletion = request.method === 'POST' && request.url?.endsWith('/chat/completions') === true;
    const sent = isCompletion ? this.completed(body) : undefined;
    if (sent) body = Buffer.from(JSON.stringify(sent));
    const {
      host: _host,
      connection: _connection,
      'accept-encoding': _encoding,
      ...headers
    } = request.headers;
    const onward = (this.upstream.protocol === 'https:' ? sendSecurely : send)(
      new URL(request.url ?? '/', this.upstream),
      { method: request.method, headers: { ...headers, 'content-length': body.length }, agent: false },
      (answer) => {
        const received: Buffer[] = [];
        answer.on('data', (piece: Buffer) => received.push(piece));
        // Also after a client that did not wait: what was written until then counts.
        answer.on('close', () => {
          if (sent && answer.statusCode === 200 && !isProbe(asRequest(request, sent)))
            this.replies.push(readReply(sent, Buffer.concat(received).toString()));
        });
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  }

  /** The body as it is sent on. A stream says at its end how many tokens it had. */
  private completed(body: Buffer): JsonObject {
    // SAFETY: agents send JSON objects to this address.
    const asked = JSON.parse(body.toString()) as JsonObject;
    const usage = asked['stream'] === true ? { stream_options: { include_usage: true } } : {};
    return { ...asked, ...usage, ...this.fields };
  }
}

function asRequest({ url = '', headers }: IncomingMessage, body: JsonObject): Parameters<typeof isProbe>[0] {
  // SAFETY: a request of the Chat Completions API has messages.
  return { url, headers, body: body as unknown as Parameters<typeof isProbe>[0]['body'] };
}

function readReply(sent: JsonObject, answer: string): TapReply {
  const chunks = sent['stream'] === true ? answer.split('\n').flatMap(eventOf) : chunkOf(answer);
  const choices = chunks.flatMap((chunk) => chunk.choices ?? []);
  const messages = choices.map(({ delta, message }) => delta ?? message ?? {});
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
  const text = messages.map(({ content }) => content ?? '').join('');
  const usage = chunks.findLast((chunk) => chunk.usage)?.usage;
  return {
    text,
    calls: calls.filter((call) => call.function?.name).length,
    hasTools: Array.isArray(sent['tools']),
    inputTokens: usage?.prompt_tokens ?? countTokens(JSON.stringify([sent['messages'], sent['tools']])),
    // Servers send about one token a chunk.
    outputTokens: usage?.completion_tokens ?? messages.length,
    finish: choices.findLast((choice) => choice.finish_reason)?.finish_reason ?? '',
  };
}

/** The chunk of a line of a stream. */
function eventOf(line: string): readonly Chunk[] {
  const [, data] = /^data: (\{.*\})\s*$/.exec(line) ?? [];
  return data === undefined ? [] : chunkOf(data);
}

/** None if it was cut off. */
function chunkOf(json: string): readonly Chunk[] {
  try {
    return [JSON.parse(json) as Chunk];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
