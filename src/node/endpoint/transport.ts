// Imported by the names that VS Code patches in the extension host: with `node:http`, `http.proxy` would not apply.
import * as http from 'http';
import * as https from 'https';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex, Transform } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { abortReason } from '../../base/async';
import type { Fetch, LifeSigns } from '../../base/transport';
import type { ReadCertificate } from './client-certificate';

/** What a request needs to take another route to its server. */
export interface Way {
  readonly options: http.RequestOptions;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Finds the route through a proxy, if there is one. */
export type Route = (url: URL, signal: AbortSignal, tls?: SecureContextOptions) => Promise<Way | undefined>;

/**
 * A `fetch` over Node's HTTP modules. It has no timeouts, while the platform's `fetch` gives up after five minutes of
 * silence; an abort closes the socket at once; and VS Code's changes to these modules (`http.proxy`, `http.noProxy`,
 * certificates of the system) apply. Does not follow redirects. `certificate`: shown to servers that use TLS.
 */
export function createTransport(route?: Route, certificate?: ReadCertificate): Fetch {
  return async (address, init) => {
    const url = new URL(address);
    const signal = init.signal ?? new AbortController().signal;
    signal.throwIfAborted();
    const tls = url.protocol === 'https:' ? await certificateOf(certificate) : undefined;
    const way = await findWay(route, url, signal, tls);
    const { headers, ...options } = optionsOf(init);
    const incoming = await exchange(
      url,
      { ...options, ...tls, ...way?.options, headers: { ...headers, ...way?.headers } },
      init,
      signal,
    );
    if (init.redirect === 'error' && isRedirect(incoming)) {
      incoming.destroy();
      throw failed(new Error('The server redirects to another address.'));
    }
    return answer(incoming, init, signal);
  };
}

async function certificateOf(read: ReadCertificate | undefined): Promise<SecureContextOptions | undefined> {
  try {
    return await read?.();
  } catch (error) {
    throw failed(error);
  }
}

async function findWay(
  route: Route | undefined,
  url: URL,
  signal: AbortSignal,
  tls: SecureContextOptions | undefined,
): Promise<Way | undefined> {
  try {
    return await route?.(url, signal, tls);
  } catch (error) {
    throw signal.aborted ? abortReason(signal) : failed(error);
  }
}

function optionsOf(init: RequestInit): {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const headers: Record<string, string> = {
    // Uncompressed pieces are complete when they arrive.
    'accept-encoding': 'identity',
    ...Object.fromEntries(new Headers(init.headers)),
    // The server may close a kept connection at the moment when a request goes out on it. Then it would be unknown
    // whether the server took the request.
    connection: 'close',
    ...(typeof init.body === 'string' && { 'content-length': String(Buffer.byteLength(init.body)) }),
  };
  return { method: init.method ?? 'GET', headers };
}

function exchange(
  url: URL,
  options: http.RequestOptions,
  { body, onConnect }: RequestInit & LifeSigns,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const outgoing = request(url, options);
    const stop = (): void => void outgoing.destroy(abortReason(signal));
    signal.addEventListener('abort', stop, { once: true });
    outgoing.once('close', () => signal.removeEventListener('abort', stop));
    outgoing.once('socket', (socket) => whenConnected(socket, () => onConnect?.()));
    // Data was sent, so there is a connection; an agent may have prepared it.
    outgoing.once('finish', () => onConnect?.());
    outgoing.once('response', (incoming) => {
      onConnect?.();
      resolve(incoming);
    });
    outgoing.once('error', (error) => reject(signal.aborted ? abortReason(signal) : failed(error)));
    // If the connection breaks later, the response reports it.
    outgoing.on('error', () => undefined);
    outgoing.end(typeof body === 'string' ? body : undefined);
  });
}

/** `secureConnecting` is a field of Node's TLS sockets until the handshake is done. */
type ConnectingSocket = Socket & { readonly encrypted?: boolean; readonly secureConnecting?: boolean };

function whenConnected(socket: ConnectingSocket, done: () => void): void {
  if (socket.encrypted && socket.secureConnecting !== false) socket.once('secureConnect', done);
  else if (socket.connecting) socket.once('connect', done);
  else done();
}

/** Creates the error that the platform's `fetch` throws: other code recognizes a broken connection by it. */
function failed(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause });
}

/** Status codes of responses without a body. */
const EMPTY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

function answer(incoming: IncomingMessage, { onBytes }: LifeSigns, signal: AbortSignal): Response {
  onBytes?.();
  const { statusCode = 0, statusMessage = '' } = incoming;
  if (statusCode < 200 || statusCode > 599) {
    incoming.destroy();
    throw failed(new Error(`The server answered with the invalid status ${statusCode}.`));
  }
  const headers = new Headers();
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2)
    headers.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '');
  if (EMPTY.has(statusCode)) incoming.resume();
  const body = EMPTY.has(statusCode) ? null : bodyOf(incoming, headers, onBytes, signal);
  // HTTP allows any text there; `Response` accepts only valid header text.
  const statusText = /^[\t\x20-\x7e]*$/.test(statusMessage) ? statusMessage : '';
  return new Response(body, { status: statusCode, statusText, headers });
}

function bodyOf(
  incoming: IncomingMessage,
  headers: Headers,
  onBytes: (() => void) | undefined,
  signal: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const unpack = unpacker(headers.get('content-encoding'));
  const pieces: IncomingMessage | Transform = unpack ? incoming.pipe(unpack) : incoming;
  incoming.on('data', () => onBytes?.());
  let isOver = false;
  /** Joins pieces that arrive together, so that many small pieces are read as fast as a few large ones. */
  const give = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void => {
    while (!isOver && (controller.desiredSize ?? 0) > 0) {
      // SAFETY: without an encoding, a body is read as buffers.
      const piece = pieces.read() as Buffer | null;
      if (piece === null) return;
      controller.enqueue(new Uint8Array(piece));
    }
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      const fail = (error: unknown): void => {
        if (isOver) return;
        isOver = true;
        controller.error(
          signal.aborted ? abortReason(signal) : new TypeError('terminated', { cause: error }),
        );
        incoming.destroy();
      };
      pieces.on('readable', () => give(controller));
      pieces.once('end', () => {
        if (!incoming.complete) return fail(new Error('The connection was closed before the end.'));
        if (!isOver) controller.close();
        isOver = true;
      });
      pieces.on('error', fail);
      incoming.on('error', fail);
      incoming.once('close', () => {
        if (!incoming.complete) fail(new Error('The connection was closed before the end.'));
      });
    },
    pull: give,
    cancel() {
      isOver = true;
      incoming.destroy();
    },
  });
}

/** For gateways that compress without being asked: emits decoded data at once. */
function unpacker(encoding: string | null): (Transform & Duplex) | undefined {
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(flush);
    case 'deflate':
      return createInflate(flush);
    case 'br':
      return createBrotliDecompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      });
    default:
      return undefined;
  }
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode < 400 && headers.location !== undefined;
}
