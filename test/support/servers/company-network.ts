import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';

const fixtures = path.resolve('test/fixtures/tls');

/** Certificate of the private authority that has signed `api.parley.test`; valid for a hundred years. */
export const companyCertificate = path.join(fixtures, 'ca.pem');

/** Files of a client that the endpoint knows, and the passphrase of its key. */
export const companyClient = {
  cert: path.join(fixtures, 'client.pem'),
  key: path.join(fixtures, 'client-key.pem'),
  passphrase: 'open-sesame',
};

interface Asked {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * A company network: the endpoint `https://api.parley.test/v1`, whose certificate a private authority has signed,
 * and a proxy on this machine, the only way to reach that name. Answers every request with "All done."
 */
export class CompanyNetwork {
  /** The requests to the proxy, and those that reached the endpoint. */
  readonly proxied: Asked[] = [];
  readonly requests: Asked[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly endpoint: Server,
    private readonly proxy: Server,
  ) {}

  /**
   * `credentials`: those that the proxy requires, `NAME:PASSWORD`. `wantsCertificate`: the endpoint accepts only the
   * client of `clientCertificate`.
   */
  static async start({
    credentials,
    wantsCertificate = false,
  }: { readonly credentials?: string; readonly wantsCertificate?: boolean } = {}): Promise<CompanyNetwork> {
    const read = (name: string): Buffer => readFileSync(path.join(fixtures, name));
    const endpoint = createTlsServer(
      {
        ...{ cert: read('server.pem'), key: read('server-key.pem') },
        ...(wantsCertificate && {
          ...{ requestCert: true, rejectUnauthorized: true, ca: read('client.pem') },
        }),
      },
      ({ method = '', url = '', headers }, response) => {
        network.requests.push({ line: `${method} ${url}`, headers });
        answer(response);
      },
    );
    const proxy = createHttpServer(({ method = '', url = '', headers }, response) => {
      network.proxied.push({ line: `${method} ${url}`, headers });
      answer(response);
    });
    const network = new CompanyNetwork(endpoint, proxy);
    proxy.on('connect', ({ url = '', headers }, socket: Socket) => {
      network.proxied.push({ line: `CONNECT ${url}`, headers });
      network.own(socket);
      const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
      if (headers['proxy-authorization'] !== wanted) {
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      const upstream = connect(portOf(endpoint), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      network.own(upstream);
      for (const each of [socket, upstream]) each.on('error', () => socket.destroy());
    });
    for (const server of [endpoint, proxy])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return network;
  }

  /** Of the endpoint itself, under the name of this machine. */
  get port(): number {
    return portOf(this.endpoint);
  }

  get proxyUrl(): string {
    return `http://127.0.0.1:${portOf(this.proxy)}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    for (const server of [this.endpoint, this.proxy]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  private own(socket: Socket): void {
    this.sockets.add(socket);
  }
}

function answer(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = { choices: [{ index: 0, delta: { content: 'All done.' }, finish_reason: 'stop' }] };
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
}

function portOf(server: Server): number {
  // SAFETY: a listening TCP server has an address with a port.
  return (server.address() as AddressInfo).port;
}
