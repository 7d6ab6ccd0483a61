import { lookup } from 'node:dns/promises';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { isAllowedSite, mayLeadTo, siteName } from '../../policy/web';
import type { PrivateFolder } from './private-folder';

interface Site {
  /** The name in the command's request. */
  readonly host: string;
  /** The address of the name, looked up here, so that the address that was checked is the one that is connected to. */
  readonly address: string;
  readonly port: number;
}

/**
 * The way from the sandbox to allowed sites: an HTTP proxy on a unix socket. It looks up names itself, so nothing in
 * the sandbox needs DNS.
 */
export class SiteProxy {
  private listening: Promise<{ readonly server: Server; readonly socket: string }> | undefined;
  private readonly open = new Set<Duplex>();

  constructor(
    private readonly folder: PrivateFolder,
    /** Called for each request. */
    private readonly allowed: () => readonly string[],
  ) {}

  /** The path of its socket. */
  async socket(): Promise<string> {
    this.listening ??= this.listen();
    return (await this.listening).socket;
  }

  async close(): Promise<void> {
    const listening = await this.listening?.catch(() => undefined);
    this.listening = undefined;
    listening?.server.close();
    for (const each of this.open) each.destroy();
  }

  private async listen(): Promise<{ readonly server: Server; readonly socket: string }> {
    const socket = path.join(await this.folder.get(), 'sites');
    const server = createServer((asked, answer) => void this.forward(asked, answer));
    server.on('connect', (asked: IncomingMessage, client: Duplex, head: Buffer) => {
      void this.tunnel(asked, client, head);
    });
    server.on('connection', (client: Socket) => this.track(client));
    server.on('clientError', (_, client) => client.destroy());
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(socket, resolve);
    });
    server.unref();
    return { server, socket };
  }

  /** `CONNECT example.org:443`: passes bytes in both directions. */
  private async tunnel({ url = '' }: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => undefined);
    const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(url) ?? [];
    const found = await this.find(host, Number(port));
    if ('refusal' in found) {
      client.end(
        `HTTP/1.1 ${found.status}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${found.refusal}\n`,
      );
      return;
    }
    const server = this.track(connect(found.port, found.address));
    server.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n'));
    server.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      server.write(head);
      server.pipe(client);
      client.pipe(server);
    });
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
  }

  /** `GET http://example.org/`: forwards one request. */
  private async forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : undefined;
    const found =
      url?.protocol === 'http:'
        ? await this.find(url.hostname, Number(url.port || 80))
        : { status: '400 Bad Request', refusal: 'This proxy accepts only full http addresses and CONNECT.' };
    if (url === undefined || 'refusal' in found) {
      const [status = '400'] = ('status' in found ? found.status : '').split(' ');
      answer.writeHead(Number(status), { 'content-type': 'text/plain', connection: 'close' });
      answer.end(`${'refusal' in found ? found.refusal : ''}\n`);
      return;
    }
    const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = asked.headers;
    const onward = request(
      {
        host: found.address,
        port: found.port,
        method: asked.method,
        path: url.pathname + url.search,
        headers: { ...headers, host: url.host, connection: 'close' },
      },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    onward.once('error', () => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502, { connection: 'close' }).end();
    });
    answer.once('close', () => onward.destroy());
    asked.pipe(onward);
  }

  private async find(
    host: string,
    port: number,
  ): Promise<Site | { readonly status: string; readonly refusal: string }> {
    const name = siteName(host);
    const allowed = this.allowed();
    if (name === undefined || !isAllowedSite(name, allowed) || !(port > 0 && port < 65_536))
      return { status: '403 Forbidden', refusal: `The sandbox reaches only: ${allowed.join(', ')}.` };
    const addresses = isIP(name) ? [name] : await addressesOf(name);
    if (addresses.length === 0) return { status: '502 Bad Gateway', refusal: `There is no site ${name}.` };
    const address = addresses.find((each) => mayLeadTo(each, name, allowed));
    if (address === undefined)
      return { status: '403 Forbidden', refusal: `${name} leads to this machine or a private network.` };
    return { host: name, address, port };
  }

  private track<S extends Duplex>(socket: S): S {
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
    socket.on('error', () => undefined);
    return socket;
  }
}

async function addressesOf(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}
