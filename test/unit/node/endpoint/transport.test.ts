import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createTransport } from '../../../../src/node/endpoint/transport';

describe('transport', () => {
  const servers: Server[] = [];
  const send = createTransport();

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // SAFETY: a listening TCP server has an address with a port.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/x?y=1`;
  }

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('sends method, headers and body, and gives back status, headers and body', async () => {
    const url = await serve((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { method, url: path, headers } = request;
        const { authorization, 'content-length': length } = headers;
        response.writeHead(201, 'Made', { 'x-two': ['a', 'b'], 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ method, path, authorization, length, body: Buffer.concat(pieces).toString() }),
        );
      });
    });
    const response = await send(url, {
      method: 'POST',
      headers: { authorization: 'Bearer k' },
      body: '{"ü":1}',
    });
    assert.equal(response.status, 201);
    assert.equal(response.statusText, 'Made');
    assert.equal(response.headers.get('x-two'), 'a, b');
    assert.deepEqual(await response.json(), {
      method: 'POST',
      path: '/v1/x?y=1',
      authorization: 'Bearer k',
      length: '8',
      body: '{"ü":1}',
    });
  });

  it('reports the connection before the headers, and every byte', async () => {
    let arrived: (response: ServerResponse) => void = () => undefined;
    const arrival = new Promise<ServerResponse>((resolve) => (arrived = resolve));
    const url = await serve((_, response) => arrived(response));
    const signs: string[] = [];
    let connected: () => void = () => undefined;
    const connection = new Promise<void>((resolve) => (connected = resolve));
    const sent = send(url, {
      onConnect: () => {
        signs.push('connect');
        connected();
      },
      onBytes: () => signs.push('bytes'),
    });
    await connection;
    assert.ok(!signs.includes('bytes'));
    const answer = await arrival;
    answer.write(': comment\n\n');
    answer.end('data: x\n\n');
    assert.equal(await (await sent).text(), ': comment\n\ndata: x\n\n');
    assert.equal(signs[0], 'connect');
    assert.ok(signs.filter((sign) => sign === 'bytes').length >= 2, signs.join(' '));
  });

  it('follows no redirect, and rejects one on request', async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests++;
      response.writeHead(302, { location: '/other' }).end();
    });
    assert.equal((await send(url, { redirect: 'manual' })).status, 302);
    await assert.rejects(send(url, { redirect: 'error' }), TypeError);
    assert.equal(requests, 2);
  });

  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const) {
    it(`unpacks ${encoding}, which it did not ask for`, async () => {
      const asked: unknown[] = [];
      const url = await serve((request, response) => {
        asked.push(request.headers['accept-encoding']);
        response.writeHead(200, { 'content-encoding': encoding }).end(pack('data: hello\n\n'));
      });
      assert.equal(await (await send(url, {})).text(), 'data: hello\n\n');
      assert.deepEqual(asked, ['identity']);
    });
  }

  it('closes the socket at once when it is stopped, before the headers and in the body', async () => {
    for (const hasHeaders of [false, true]) {
      const stop = new AbortController();
      let closed: () => void = () => undefined;
      const connectionClosed = new Promise<void>((resolve) => (closed = resolve));
      let arrived: () => void = () => undefined;
      const arrival = new Promise<void>((resolve) => (arrived = resolve));
      const url = await serve((request, response) => {
        request.socket.on('close', closed);
        if (hasHeaders) response.write('data: x\n\n');
        arrived();
      });
      const sent = send(url, { signal: stop.signal });
      if (hasHeaders) {
        const body = (await sent).text();
        stop.abort();
        await assert.rejects(body);
      } else {
        await arrival;
        stop.abort();
        await assert.rejects(sent);
      }
      await connectionClosed;
    }
  });

  it('rejects a truncated body, with or without a length', async () => {
    for (const headers of [{ 'content-length': '100' }, {}]) {
      const url = await serve((_, response) => {
        response.writeHead(200, headers);
        response.write('data: x\n\n', () => setImmediate(() => response.destroy()));
      });
      await assert.rejects((await send(url, {})).text(), TypeError);
    }
  });

  it('closes the connection if the reader stops', async () => {
    let closed: () => void = () => undefined;
    const connectionClosed = new Promise<void>((resolve) => (closed = resolve));
    const url = await serve((request, response) => {
      request.socket.on('close', closed);
      response.write('data: x\n\n');
    });
    const reader = (await send(url, {})).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await connectionClosed;
  });

  it('reads no more than is taken from it', async () => {
    let written = 0;
    const url = await serve((_, response) => {
      const more = (): void => {
        while (!response.closed && written < 512 && response.write(Buffer.alloc(256 * 1024))) written++;
      };
      response.on('drain', more);
      more();
    });
    const reader = (await send(url, {})).body?.getReader();
    await reader?.read();
    for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(written < 256, `${written} pieces of 256 KiB were taken in`);
    await reader?.cancel();
  });

  it('says why a connection was not made', async () => {
    const closed = createSocketServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    // SAFETY: a listening TCP server has an address with a port.
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await assert.rejects(send(`http://127.0.0.1:${port}/`, {}), (error: Error) => {
      assert.ok(error instanceof TypeError);
      assert.equal((error.cause as { code: string }).code, 'ECONNREFUSED');
      return true;
    });
  });

  it('keeps no connection for the next request', async () => {
    const connections = new Set<unknown>();
    const url = await serve((request, response) => {
      connections.add(request.socket);
      response.end('ok');
    });
    await (await send(url, {})).text();
    await (await send(url, {})).text();
    assert.equal(connections.size, 2);
  });

  it('takes an answer without a body', async () => {
    const url = await serve((_, response) => void response.writeHead(204).end());
    const response = await send(url, {});
    assert.equal(response.status, 204);
    assert.equal(response.body, null);
  });
});
