import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type SecureContextOptions } from 'node:tls';
import { abortReason } from '../../base/async';
import type { Route, Way } from './transport';

/** A failure caused by a proxy. The message is a sentence for people with the next step. */
class ProxyProblem extends Error {
  override readonly name = 'ProxyProblem';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The route of requests by `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in lower or upper case, as curl
 * reads them. Uses a tunnel if the server speaks TLS, so that the proxy sees neither the key nor the content. Never
 * uses a proxy for servers on this machine.
 */
export function environmentRoute(environment: Environment): Route {
  return async (url, signal, tls) => {
    const proxy = proxyFor(url, environment);
    if (!proxy) return undefined;
    return url.protocol === 'https:' ? tunnel(url, proxy, signal, tls) : forwarded(url, proxy);
  };
}

/** The proxy for a request, if there is one. */
export function proxyFor(url: URL, environment: Environment): URL | undefined {
  const value = (name: string): string | undefined =>
    [environment[name.toLowerCase()], environment[name]].find((each) => each !== undefined)?.trim();
  const named = value(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || value('ALL_PROXY');
  if (!named || isLoopback(url.hostname) || isExempt(url, value('NO_PROXY') ?? '')) return undefined;
  const address = named.includes('://') ? named : `http://${named}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy?.protocol !== 'http:' && proxy?.protocol !== 'https:') {
    const reason =
      'The proxy of the environment cannot be used: only http:// and https:// proxies are supported. Correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY.';
    throw new ProxyProblem(reason);
  }
  return proxy;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * `NO_PROXY`: names, which include all names below them, addresses, ranges (`10.0.0.0/8`), each with or without a port;
 * `*`.
 */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const range = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(entry);
      if (range) return isInRange(host, range[1] ?? '', Number(range[2]));
      const [, name = entry, only] =
        /^(.*?):(\d+)$/.exec(/^[^:]*:\d+$|^\[.*\]:\d+$/.test(entry) ? entry : '') ?? [];
      if (only !== undefined && only !== port) return false;
      const bare = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
      return host === bare || host.endsWith(`.${bare}`);
    });
}

function isInRange(host: string, network: string, bits: number): boolean {
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(host) || bits > 32) return false;
  const size = 2 ** (32 - bits);
  return Math.floor(toNumber(host) / size) === Math.floor(toNumber(network) / size);
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** A request without TLS goes directly to the proxy, with the whole address in its first line. */
function forwarded(url: URL, proxy: URL): Way {
  const { host, port } = addressOf(proxy);
  return {
    options: {
      hostname: host,
      port,
      path: `${url.origin}${url.pathname}${url.search}`,
      // `node:http` does not support TLS.
      ...(proxy.protocol === 'https:' && { createConnection: () => connectTls(tlsOptions(proxy)) }),
    },
    headers: { host: url.host, ...credentials(proxy) },
  };
}

function tunnel(url: URL, proxy: URL, signal: AbortSignal, tls: SecureContextOptions = {}): Promise<Way> {
  return new Promise((resolve, reject) => {
    const port = url.port || '443';
    const target = `${url.hostname}:${port}`;
    const { request } = proxy.protocol === 'https:' ? https : http;
    const asking = request({
      ...addressOf(proxy),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...credentials(proxy) },
      agent: false,
    });
    const stop = (): void => void asking.destroy(abortReason(signal));
    signal.addEventListener('abort', stop, { once: true });
    asking.once('close', () => signal.removeEventListener('abort', stop));
    asking.once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
      if (statusCode !== 200 || head.length > 0) {
        socket.destroy();
        reject(refusal(proxy, statusCode));
        return;
      }
      const secure = connectTls({ socket, ...tlsOptions(url), ...tls });
      // The request over this connection reports the error.
      const cut = (): void => void secure.destroy(abortReason(signal));
      signal.addEventListener('abort', cut, { once: true });
      secure.once('close', () => signal.removeEventListener('abort', cut));
      resolve({ options: { createConnection: () => secure } });
    });
    asking.once('response', (answer) => {
      answer.resume();
      reject(refusal(proxy, answer.statusCode ?? 0));
    });
    asking.once('error', (error) => {
      const reason = `No answer from the proxy ${proxy.host}. Check HTTPS_PROXY, or name the server in NO_PROXY.`;
      reject(signal.aborted ? abortReason(signal) : new ProxyProblem(reason, { cause: error }));
    });
    asking.end();
  });
}

function refusal(proxy: URL, status: number): ProxyProblem {
  const reason =
    status === 407
      ? `The proxy ${proxy.host} requires a name and a password (407). Put them into HTTPS_PROXY, or name the server in NO_PROXY.`
      : `The proxy ${proxy.host} did not make the connection (${status}). Check HTTPS_PROXY, or name the server in NO_PROXY.`;
  return new ProxyProblem(reason);
}

function addressOf({ hostname, port, protocol }: URL): { readonly host: string; readonly port: number } {
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(port || (protocol === 'https:' ? '443' : '80')) };
}

/** The name that the certificate must match. An address is not sent as a server name. */
function tlsOptions(url: URL): ConnectionOptions {
  const address = addressOf(url);
  return { ...address, ...(!isIP(address.host) && { servername: address.host }) };
}

/** The proxy's credentials, from its address. No other key is sent to it. */
function credentials({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const both = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(both).toString('base64')}` };
}
