import assert from 'node:assert/strict';
import { serverFetch } from '../../../src/mcp/bounded-fetch';

const HEADERS = { 'x-key': 'secret', authorization: 'Bearer of-the-definition' };

describe('the fetch of a server', () => {
  const rows = [
    { name: 'its own origin', url: 'https://a.example/mcp', to: 'https://a.example/other', key: 'secret' },
    { name: 'another host', url: 'https://a.example/mcp', to: 'https://b.example/', key: null },
    { name: 'another port', url: 'https://a.example/mcp', to: 'https://a.example:8443/', key: null },
    {
      name: 'another host without https',
      url: 'https://a.example/mcp',
      to: 'http://b.example/',
      key: 'refused',
    },
    {
      name: 'this machine from outside',
      url: 'https://a.example/',
      to: 'http://127.0.0.1:1/',
      key: 'refused',
    },
    {
      name: 'a cloud’s own address',
      url: 'http://localhost:1/',
      to: 'http://169.254.169.254/',
      key: 'refused',
    },
    { name: 'this machine from here', url: 'http://localhost:1/', to: 'http://127.0.0.1:2/', key: null },
    {
      name: 'its own origin without https',
      url: 'http://a.example/',
      to: 'http://a.example/x',
      key: 'secret',
    },
  ] as const;
  for (const { name, url, to, key } of rows) {
    it(`G20: ${key === 'refused' ? 'refuses' : key === 'secret' ? 'sends its headers to' : 'sends no header to'} ${name}`, async () => {
      let sent: Headers | undefined;
      const fetchFrom: typeof fetch = async (_input, init) => {
        sent = new Headers(init?.headers);
        return new Response();
      };
      const asked = serverFetch(fetchFrom, { url, headers: HEADERS })(to, { headers: { accept: 'x/y' } });
      if (key === 'refused') {
        await assert.rejects(asked, { name: 'ServerProblem', message: /is not https\. / });
        assert.equal(sent, undefined);
        return;
      }
      await asked;
      assert.equal(sent?.get('x-key') ?? null, key);
      assert.equal(sent?.get('accept'), 'x/y');
    });
  }

  it('lets a sign-in replace a key of the definition', async () => {
    let sent: Headers | undefined;
    const fetchFrom: typeof fetch = async (_input, init) => {
      sent = new Headers(init?.headers);
      return new Response();
    };
    const ask = serverFetch(fetchFrom, { url: 'https://a.example/mcp', headers: HEADERS });
    await ask('https://a.example/mcp', { headers: { authorization: 'Bearer signed-in' } });
    assert.equal(sent?.get('authorization'), 'Bearer signed-in');
  });
});
