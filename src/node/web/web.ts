import { lookup } from 'node:dns/promises';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { orAborted } from '../../base/async';
import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import { isPublicAddress, judgeUrl, literalAddress, notPublic } from '../../policy/web';
import type { Fetched, Web } from '../../tools/ports/web';
import { pageText } from './page-text';

export interface WebOptions {
  /** Whether connecting to an address is allowed; only public addresses if not given. */
  readonly isAllowedAddress?: (address: string) => boolean;
}

/** Fetches with plain Node: no cookies, no keys, and only from the checked address. */
export function createWeb({ isAllowedAddress = isPublicAddress }: WebOptions = {}): Web {
  return {
    judge: (text) => {
      const { url, verdict } = judgeUrl(text, isAllowedAddress);
      return { verdict, url: url?.href };
    },
    fetch: async (text, signal) => {
      const late = AbortSignal.timeout(limits.fetchTimeoutMs);
      try {
        const either = AbortSignal.any([signal, late]);
        // Not everything obeys the signal: the system decides how long a DNS lookup takes.
        return await orAborted(fetchAll(text, isAllowedAddress, either), either);
      } catch (error) {
        signal.throwIfAborted();
        if (late.aborted) {
          const seconds = limits.fetchTimeoutMs / 1000;
          throw new ToolError(`The page did not load within ${seconds} s. Try another page.`, {
            cause: error,
          });
        }
        throw error;
      }
    },
  };
}

async function fetchAll(
  text: string,
  isAllowed: (address: string) => boolean,
  signal: AbortSignal,
): Promise<Fetched> {
  let next = text;
  for (let redirects = 0; redirects <= limits.fetchRedirects; redirects++) {
    const { url, verdict } = judgeUrl(next, isAllowed);
    if (!url) throw new ToolError(`${next} is refused: ${verdict.reason}. Use another address.`);
    const response = await answerFrom(url, await checkedAddresses(url, isAllowed), signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status < 300 || status > 399 || location === undefined) return await pageOf(url, response, signal);
    response.destroy();
    if (!URL.canParse(location, url.href))
      throw new ToolError(`${url.href} redirects without an address. Use another one.`);
    const target = new URL(location, url);
    if (target.origin !== url.origin) return { type: 'redirect', url: target.href };
    next = target.href;
  }
  throw new ToolError(`More than ${limits.fetchRedirects} redirects. Use another address.`);
}

/** Returns the addresses of a name. All of them must be allowed, because any may be used. */
async function checkedAddresses(
  url: URL,
  isAllowed: (address: string) => boolean,
): Promise<readonly string[]> {
  const literal = literalAddress(url);
  const found = literal === undefined ? await lookUp(url) : [literal];
  if (!found.every(isAllowed))
    throw new ToolError(`${notPublic(url)}, which is not fetched. Use another address.`);
  return found;
}

async function lookUp({ hostname }: URL): Promise<readonly string[]> {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw new ToolError(`${hostname} was not found, or there is no network. Check the address.`, {
      cause: error,
    });
  }
}

/** Connects to the address instead of the name, so that a second lookup cannot return another one. */
async function answerFrom(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let failure: unknown;
  for (const host of addresses.slice(0, limits.fetchAddresses)) {
    try {
      return await answerOf(url, host, signal);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  const why = failure instanceof Error ? failure.message : 'no address';
  throw new ToolError(`No answer from ${url.host}: ${why}. Check the address.`, { cause: failure });
}

function answerOf(url: URL, host: string, signal: AbortSignal): Promise<IncomingMessage> {
  const name = url.hostname.replace(/\.$/, '');
  const options: RequestOptions & { readonly servername?: string } = {
    host,
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port,
    path: url.pathname + url.search,
    agent: false,
    signal,
    headers: {
      host: url.host,
      accept: 'text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.9,*/*;q=0.1',
      'accept-encoding': 'identity',
      'user-agent': 'Parley',
    },
    // The certificate must be valid for the name. For a literal address, there is no name to send.
    ...(literalAddress(url) === undefined && { servername: name }),
  };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:' ? requestHttps(options, resolve) : requestHttp(options, resolve);
    request.on('error', reject);
    // A response that switches protocols causes no other event.
    request.on('close', () => reject(new Error('it closed the connection')));
    request.end();
  });
}

async function pageOf(url: URL, response: IncomingMessage, signal: AbortSignal): Promise<Fetched> {
  const { statusCode = 0, statusMessage = '', headers } = response;
  if (statusCode < 200 || statusCode > 299) {
    response.destroy();
    throw new ToolError(
      `${url.host} answered ${statusCode} ${statusMessage}. Check the address, or try another.`,
    );
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    response.destroy();
    throw new ToolError(`${url.host} sends compressed data (${encoding}) unasked. Use another address.`);
  }
  const { bytes, isCut } = await bodyOf(response);
  const contentType = headers['content-type'] ?? '';
  const { isCut: isPart, ...page } = await pageText(bytes, contentType, signal);
  return { type: 'page', url: url.href, contentType, isCut, isPart, ...page };
}

async function bodyOf(
  response: IncomingMessage,
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response) {
      // SAFETY: without an encoding, a response yields buffers.
      parts.push(part as Buffer);
      size += parts.at(-1)?.length ?? 0;
      // Leaving the loop closes the response.
      if (size > limits.fetchBytes) break;
    }
  } catch (error) {
    throw new ToolError(`The connection closed after ${size} bytes. Try again.`, { cause: error });
  }
  const bytes = Buffer.concat(parts);
  return { bytes: bytes.subarray(0, limits.fetchBytes), isCut: size > limits.fetchBytes };
}
