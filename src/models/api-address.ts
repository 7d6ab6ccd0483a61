import type { Api } from './apis/api-name';

/**
 * Base addresses of an API that an address may mean, the likeliest first: people leave out `/v1`, or
 * paste the address of one request. Queries stay: some gateways need them.
 */
export function baseAddresses(address: string): readonly string[] {
  if (!URL.canParse(address)) return [address];
  const { pathname, search } = new URL(address);
  const path = withoutRequest(pathname);
  if (VERSION.test(path)) return [withPath(address, path)];
  if (path === '') return [withPath(address, '/v1'), withPath(address, '')];
  return [withPath(address, path), ...(search === '' ? [withPath(address, `${path}/v1`)] : [])];
}

/** The address of one request, below a base address. */
export function requestAddress(base: string, path: string): string {
  return withPath(base, new URL(base).pathname.replace(/\/+$/, '') + path);
}

/** The root of a server for its own API: without the version of the Chat Completions API, and without a query. */
export function rootOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const path = withoutRequest(new URL(baseUrl).pathname).replace(/\/(?:api\/)?v\d+$/, '');
  return withPath(baseUrl.replace(/[?#].*$/, ''), path);
}

/** The API that an address names: by the path of a request, or as Anthropic's own. */
export function impliedApi(address: string): Api {
  if (!URL.canParse(address)) return 'chat';
  const { hostname, pathname } = new URL(address);
  const [, request] = /\/(responses|messages)\/*$/.exec(pathname) ?? [];
  if (request === 'responses') return 'responses';
  return request === 'messages' || hostname === 'api.anthropic.com' ? 'messages' : 'chat';
}

/** Keys in the query of an address, which a server may repeat in its errors. */
export function keysIn(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  return [...new URL(address).searchParams].flatMap(([name, value]) =>
    /key|token|secret|sig|pass/i.test(name) ? [value] : [],
  );
}

/** Whether an answer with this status means that the address may be another one. */
export function isElsewhere(status: number | undefined): boolean {
  return status === 404 || status === 405;
}

/** At the end of a base address; Gemini's and Groq's have a name before or behind it. */
const VERSION = /\/v\d+(?:(?:alpha|beta)\d*)?(?:\/openai)?$/;

/** Paths of single requests. Only behind a version, `models` cannot be part of the base. */
const REQUEST = /\/(?:chat\/completions|completions|responses|messages)$|(?<=\/v\d+)\/models$/;

function withoutRequest(pathname: string): string {
  return pathname.replace(/\/+$/, '').replace(REQUEST, '').replace(/\/+$/, '');
}

function withPath(address: string, path: string): string {
  const url = new URL(address);
  url.pathname = path;
  // The root is always written with a slash.
  return path === '' && url.search === '' ? url.href.replace(/\/$/, '') : url.href;
}

/** The addresses of one endpoint, and the one that was found to be right. */
export class Addresses {
  private right: string | undefined;

  constructor(
    private readonly endpoint: { readonly baseUrl: string; readonly addresses?: readonly string[] },
  ) {}

  /**
   * Sends a request to the right address: while it is unknown, to one after the other, until one of them has this
   * path. Rejects as the first one did if none has. `statusOf`: the status that an error is about.
   */
  async find<T>(
    send: (base: string) => Promise<T>,
    statusOf: (error: unknown) => number | undefined,
  ): Promise<T> {
    const { baseUrl, addresses = [baseUrl] } = this.endpoint;
    let first: unknown;
    for (const base of this.right === undefined ? addresses : [this.right]) {
      try {
        const answer = await send(base);
        this.right = base;
        return answer;
      } catch (error) {
        if (!isElsewhere(statusOf(error))) throw error;
        first ??= error;
      }
    }
    throw first;
  }
}
