import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  findLocalServers,
  findServer,
  readAddress,
  seekServer,
} from '../../../../src/models/servers/local-servers';

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
    const models = [
      { id: 'qwen3:8b', facts: {} },
      { id: 'llama', facts: {} },
    ];
    assert.deepEqual(found, [
      { label: 'One', baseUrl: one, models, isLocked: false },
      { label: 'Empty', baseUrl: empty, models: [], isLocked: false },
    ]);
    assert.deepEqual(asked, ['GET /v1/models undefined']);
  });

  const strangers: [string, RequestListener][] = [
    ['a web page', answer('<html></html>')],
    ['JSON of another kind', answer({ models: ['x'] })],
    ['an error', answer({ data: [{ id: 'x' }] }, 404)],
    ['a top-level list without models', answer([{ id: 'x' }])],
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
    it(`ignores a server that answers with ${name}`, async () => {
      assert.deepEqual(await findLocalServers([{ label: 'x', baseUrl: await serve(listener) }], never), []);
    });
  }

  it('leaves out invalid names, and shows a limited number', async () => {
    const data = [
      { id: 7 },
      null,
      { id: '' },
      ...Array.from({ length: 1_300 }, (_, at) => ({ id: `m${at}` })),
    ];
    const [found] = await findLocalServers([{ label: 'x', baseUrl: await serve(answer({ data })) }], never);
    assert.equal(found?.models.length, 1_000);
    assert.equal(found.models[0]?.id, 'm0');
  });

  it('waits for no server that was given up', async () => {
    const stop = new AbortController();
    const baseUrl = await serve(() => stop.abort());
    assert.deepEqual(await findLocalServers([{ label: 'x', baseUrl }], stop.signal), []);
  });

  it('names a server by what it reports, and shows its window', async () => {
    const baseUrl = await serve(answer({ data: [{ id: 'm', owned_by: 'llamacpp', meta: { n_ctx: 4096 } }] }));
    const [found] = await findLocalServers([{ label: 'something', baseUrl }], never);
    assert.deepEqual(found, {
      label: 'llama.cpp',
      baseUrl,
      models: [{ id: 'm', facts: { kind: 'llamacpp', window: 4096 } }],
      isLocked: false,
    });
  });

  it('shows a server that wants a key, and asks with the one that there is', async () => {
    const baseUrl = await serve((request, response) => {
      const isRight = request.headers.authorization === 'Bearer any';
      answer(isRight ? { data: [{ id: 'm' }] } : { error: 'no key' }, isRight ? 200 : 401)(request, response);
    });
    const server = { label: 'Jan', baseUrl };
    assert.deepEqual(await findLocalServers([server], never), [{ ...server, models: [], isLocked: true }]);
    const [opened] = await findLocalServers([server], never, async () => 'any');
    assert.deepEqual(opened?.models, [{ id: 'm', facts: {} }]);
  });

  it('takes the first address that answers', async () => {
    const baseUrl = await serve((request, response) => {
      answer({ data: [{ id: 'm' }] }, request.url === '/v1/models' ? 200 : 404)(request, response);
    });
    const root = baseUrl.replace('/v1', '');
    const found = await findServer('x', [{ baseUrl: root }, { baseUrl }], never);
    assert.equal(found?.baseUrl, baseUrl);
  });
});

describe('a possible server address', () => {
  it('says whether anything answers at all', async () => {
    const server = createServer((_, response) => {
      response.writeHead(404);
      response.end('no');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const root = baseUrl.replace('/v1', '');
    assert.deepEqual(await seekServer('x', [{ baseUrl }, { baseUrl: root }], never), {
      type: 'unlisted',
      baseUrl,
      status: 404,
    });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(await seekServer('x', [{ baseUrl }], never), { type: 'silent' });
  });
});

describe('the address that a user types', () => {
  const rows: [string, readonly string[]][] = [
    ['8081', ['http://127.0.0.1:8081/v1', 'http://127.0.0.1:8081']],
    [':8081', ['http://127.0.0.1:8081/v1', 'http://127.0.0.1:8081']],
    [' localhost:8081 ', ['http://localhost:8081/v1', 'http://localhost:8081']],
    ['192.168.1.5:8000/v1', ['http://192.168.1.5:8000/v1']],
    ['192.168.1.5:8000/v1/', ['http://192.168.1.5:8000/v1']],
    ['[::1]:1234', ['http://[::1]:1234/v1', 'http://[::1]:1234']],
    ['gpu-box:8000', ['http://gpu-box:8000/v1', 'http://gpu-box:8000']],
    ['studio.local', ['http://studio.local/v1', 'http://studio.local']],
    ['llm.example.com', ['https://llm.example.com/v1', 'https://llm.example.com']],
    ['http://llm.example.com/api/v1', ['http://llm.example.com/api/v1']],
    ['https://x.openai.azure.com/openai/v1/', ['https://x.openai.azure.com/openai/v1']],
    ['https://g.example/v1beta/openai', ['https://g.example/v1beta/openai']],
    ['127.0.0.1:8080/v1/chat/completions', ['http://127.0.0.1:8080/v1']],
    ['http://127.0.0.1:8080/v1/models', ['http://127.0.0.1:8080/v1']],
    ['http://127.0.0.1:8080/llama#y', ['http://127.0.0.1:8080/llama/v1', 'http://127.0.0.1:8080/llama']],
    ['http://127.0.0.1:8080/llama?x=1#y', ['http://127.0.0.1:8080/llama?x=1']],
    ['llm.example.com/v1/chat/completions?x=1', ['https://llm.example.com/v1?x=1']],
    ['', []],
    ['0', []],
    ['99999', []],
    ['two words', []],
    ['ftp://127.0.0.1', []],
    ['file:///etc/passwd', []],
    ['user:secret@127.0.0.1:8080', []],
    ['http://user:secret@127.0.0.1', []],
    ['http://', []],
  ];
  for (const [typed, addresses] of rows) {
    it(`${JSON.stringify(typed)}: ${addresses[0] ?? 'none'}`, () =>
      assert.deepEqual(readAddress(typed), addresses));
  }
});
