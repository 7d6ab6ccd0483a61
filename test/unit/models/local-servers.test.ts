import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findLocalServers } from '../../../src/models/local-servers';

const never = new AbortController().signal;

describe('local servers', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    server.unref();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }

  const answer = (body: unknown, status = 200): RequestListener => {
    return (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  };

  it('lists the models of those that answer', async () => {
    const asked: string[] = [];
    const one = await serve((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      answer({ data: [{ id: 'qwen3:8b' }, { id: 'llama' }] })(request, response);
    });
    const empty = await serve(answer({ data: [] }));
    const gone = await serve(answer({}));
    servers.pop()?.close();
    const found = await findLocalServers(
      [
        { label: 'One', baseUrl: one },
        { label: 'Gone', baseUrl: gone },
        { label: 'Empty', baseUrl: empty },
      ],
      never,
    );
    assert.deepEqual(found, [
      { label: 'One', baseUrl: one, models: ['qwen3:8b', 'llama'] },
      { label: 'Empty', baseUrl: empty, models: [] },
    ]);
    assert.deepEqual(asked, ['GET /v1/models undefined']);
  });

  const strangers: [string, RequestListener][] = [
    ['a web page', answer('<html></html>')],
    ['JSON of another kind', answer({ models: ['x'] })],
    ['an error', answer({ data: [{ id: 'x' }] }, 404)],
    ['a list at the top', answer([{ id: 'x' }])],
    [
      'a redirect',
      (_, response) => {
        response.writeHead(302, { location: '/v1/models?again' });
        response.end();
      },
    ],
    ['nothing', (_, response) => void response.destroy()],
    ['more than it may', answer(`"${'x'.repeat(5 * 1024 * 1024)}"`)],
    ['more empty lines than it may', answer(`${'\n\n'.repeat(3 * 1024 * 1024)}{"data":[{"id":"x"}]}`)],
  ];
  for (const [name, listener] of strangers) {
    it(`takes a server that answers with ${name} for none`, async () => {
      assert.deepEqual(await findLocalServers([{ label: 'x', baseUrl: await serve(listener) }], never), []);
    });
  }

  it('leaves out what is no name, and shows no more than can be looked through', async () => {
    const data = [{ id: 7 }, null, { id: '' }, ...Array.from({ length: 300 }, (_, at) => ({ id: `m${at}` }))];
    const [found] = await findLocalServers([{ label: 'x', baseUrl: await serve(answer({ data })) }], never);
    assert.equal(found?.models.length, 200);
    assert.equal(found.models[0], 'm0');
  });

  it('waits for no server that was given up', async () => {
    const stop = new AbortController();
    const baseUrl = await serve(() => stop.abort());
    assert.deepEqual(await findLocalServers([{ label: 'x', baseUrl }], stop.signal), []);
  });
});
