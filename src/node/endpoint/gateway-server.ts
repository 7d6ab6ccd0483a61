import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeeperThan, parseObject, type JsonObject } from '../../base/json';
import { limits } from '../../base/limits';
import { Slots } from './slots';

/** The answer to a request. */
export type HttpAnswer =
  | {
      readonly type: 'whole';
      readonly status: number;
      readonly body: JsonObject;
      readonly retryAfterMs?: number;
    }
  /** Server-sent events. */
  | {
      readonly type: 'stream';
      readonly events: AsyncIterable<{ readonly name?: string; readonly data: string }>;
    }
  /** The answer of another server, passed on unchanged. */
  | {
      readonly type: 'passed';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly pieces: AsyncIterable<Uint8Array>;
    };

/** Answers a request whose body is a JSON object; empty for GET. The signal aborts when the client disconnects. */
export type HttpRoute = (
  body: JsonObject,
  signal: AbortSignal,
  address: RequestAddress,
) => Promise<HttpAnswer>;

/** What an address says besides its route. */
export interface RequestAddress {
  /** What stands in place of the star of the route, decoded; empty if the route has none. */
  readonly rest: string;
  readonly query: ReadonlyMap<string, string>;
}

export interface GatewayServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly token: string;
  /** By method and path: `POST /v1/chat/completions`. A star at the end matches what is there. */
  readonly routes: Readonly<Record<string, HttpRoute>>;
  /** Receives unexpected errors. */
  readonly onError: (error: unknown) => void;
}

export function randomToken(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * Listens only on this machine (G37): every request needs the token; requests from web pages or to another host are
 * refused. When there are too many requests, they wait before their bodies are read, which bounds memory.
 */
export class GatewayServer {
  private readonly slots = new Slots(limits.gatewayRequestsAtOnce);

  private constructor(
    private readonly server: Server,
    private readonly options: GatewayServerOptions,
  ) {}

  static async start(options: GatewayServerOptions): Promise<GatewayServer> {
    // A waiting request has no time limit.
    const server = createServer({ requestTimeout: 0 });
    const gateway = new GatewayServer(server, options);
    server.on('request', (request, response) => void gateway.handle(request, response));
    server.listen(options.port, '127.0.0.1');
    await once(server, 'listening');
    return gateway;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** Ends running requests. */
  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private get port(): number {
    // SAFETY: it listens on a port, not on a pipe.
    return (this.server.address() as AddressInfo).port;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const refused = this.refusal(request);
      if (refused) {
        await send(response, refused, gone.signal);
        return;
      }
      const release = await this.slots.take(gone.signal);
      if (!release) return;
      try {
        await send(response, await this.answer(request, gone.signal), gone.signal);
      } finally {
        release();
      }
    } catch (error) {
      if (gone.signal.aborted) return;
      this.options.onError(error);
      if (response.headersSent) response.destroy();
      else
        await send(response, refusal(500, 'server_error', 'The gateway failed. See its log.'), gone.signal);
    }
  }

  /** Checked before any of the body is read. */
  private refusal(request: IncomingMessage): HttpAnswer | undefined {
    const { origin, host = '', 'content-length': length } = request.headers;
    if (origin !== undefined) return refusal(403, 'permission_error', 'Web pages are not answered.');
    if (!this.isOwnHost(host))
      return refusal(403, 'permission_error', `"${host}" is not this gateway. Use ${this.address}.`);
    if (!tokensOf(request).some((given) => this.isToken(given)))
      return refusal(
        401,
        'authentication_error',
        'The token is missing or wrong. Send it as "Authorization: Bearer …".',
      );
    if (Number(length) > limits.gatewayRequestBytes) return TOO_LARGE;
    return this.route(request)
      ? undefined
      : refusal(404, 'not_found_error', 'There is nothing at this address.');
  }

  private isOwnHost(host: string): boolean {
    return ['127.0.0.1', 'localhost', '[::1]'].some((name) => host.toLowerCase() === `${name}:${this.port}`);
  }

  private isToken(given: string): boolean {
    const [own, other] = [this.options.token, given].map((text) => Buffer.from(text));
    return (
      own !== undefined && other !== undefined && own.length === other.length && timingSafeEqual(own, other)
    );
  }

  private route({ method = '', url = '' }: IncomingMessage): FoundRoute | undefined {
    const { routes } = this.options;
    const [path = '', query = ''] = url.split('?');
    const name = `${method} ${path.length > 1 ? path.replace(/\/$/, '') : path}`;
    const found = Object.keys(routes).find((each) =>
      each.endsWith('*') ? name.startsWith(each.slice(0, -1)) && name.length >= each.length : each === name,
    );
    const route = found === undefined ? undefined : routes[found];
    if (found === undefined || !route) return undefined;
    const rest = found.endsWith('*') ? decoded(name.slice(found.length - 1)) : '';
    return { route, address: { rest, query: new Map(new URLSearchParams(query)) } };
  }

  private async answer(request: IncomingMessage, signal: AbortSignal): Promise<HttpAnswer> {
    const found = this.route(request);
    const text = await bodyOf(request);
    if (text === undefined) return TOO_LARGE;
    const body = text === '' ? {} : parseObject(text);
    if (!body || !found) return refusal(400, 'invalid_request_error', 'The body is not a JSON object.');
    if (isDeeperThan(limits.gatewayRequestDepth, body)) return TOO_DEEP;
    return found.route(body, signal, found.address);
  }
}

const TOO_LARGE = refusal(413, 'invalid_request_error', 'The request is larger than 32 MiB.');

const TOO_DEEP = refusal(
  400,
  'invalid_request_error',
  `The body is nested more than ${limits.gatewayRequestDepth} levels deep. Flatten it.`,
);

interface FoundRoute {
  readonly route: HttpRoute;
  readonly address: RequestAddress;
}

/** Invalid escapes stay as they are. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** In the form that the clients of OpenAI and Anthropic read. */
function refusal(status: number, type: string, message: string): HttpAnswer {
  return {
    type: 'whole',
    status,
    body: { type: 'error', error: { message, type, param: null, code: null } },
  };
}

/** In the forms that the clients of OpenAI and Anthropic send; Anthropic's may also send a key for another service. */
function tokensOf({ headers }: IncomingMessage): readonly string[] {
  const { authorization = '', 'x-api-key': key = '' } = headers;
  return [authorization.replace(/^Bearer /i, ''), String(key)];
}

/** Returns `undefined` if the body is too large. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    // SAFETY: without an encoding, a request yields buffers.
    const bytes = piece as Buffer;
    size += bytes.length;
    if (size > limits.gatewayRequestBytes) return undefined;
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
}

async function send(response: ServerResponse, answer: HttpAnswer, signal: AbortSignal): Promise<void> {
  switch (answer.type) {
    case 'whole': {
      const { status, body, retryAfterMs } = answer;
      const text = JSON.stringify(body);
      response.writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(text)),
        ...(retryAfterMs !== undefined && { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
        // The unread rest of a body must not be parsed as the next request.
        ...(status >= 400 && { connection: 'close' }),
      });
      response.end(text);
      return;
    }
    case 'stream':
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      });
      await sendEvents(response, answer.events, signal);
      response.end();
      return;
    case 'passed':
      response.writeHead(answer.status, answer.headers);
      for await (const piece of answer.pieces) await write(response, piece, signal);
      response.end();
  }
}

/** Sends a comment now and then, so that clients and proxies do not give up during silence. */
async function sendEvents(
  response: ServerResponse,
  events: Extract<HttpAnswer, { type: 'stream' }>['events'],
  signal: AbortSignal,
): Promise<void> {
  let isSilent = true;
  const comment = (): void => {
    if (isSilent && !response.writableNeedDrain) response.write(': under way\n\n');
    isSilent = true;
  };
  response.flushHeaders();
  const timer = setInterval(comment, limits.gatewaySilenceMs);
  try {
    for await (const { name, data } of events) {
      isSilent = false;
      const event = name === undefined ? '' : `event: ${name}\n`;
      await write(response, `${event}data: ${data}\n\n`, signal);
    }
  } finally {
    clearInterval(timer);
  }
}

/** Waits for a slow reader. */
async function write(
  response: ServerResponse,
  piece: string | Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  // Writes pieces that arrive together in one write.
  if (response.writableCorked === 0) {
    response.cork();
    setImmediate(() => response.uncork());
  }
  if (!response.write(piece)) await once(response, 'drain', { signal });
}
