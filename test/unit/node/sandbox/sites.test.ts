import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PrivateFolder } from '../../../../src/node/sandbox/private-folder';
import { noSandbox } from '../../../../src/node/sandbox/settings';
import { SiteProxy } from '../../../../src/node/sandbox/site-proxy';
import { isAllowedSite, mayLeadTo, siteName } from '../../../../src/policy/web';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { linux } from '../../../support/platform';

const ALLOWED = ['registry.test', '*.example.org', 'localhost'];

describe('sites of the sandbox', () => {
  const names: readonly (readonly [string, boolean])[] = [
    ['registry.test', true],
    ['Registry.Test.', true],
    ['a.registry.test', false],
    ['registry.test.evil.com', false],
    ['notregistry.test', false],
    ['a.example.org', true],
    ['a.b.example.org', true],
    ['example.org', false],
    ['evilexample.org', false],
    ['registry.test\0.evil.com', false],
    ['registry.test/', false],
    ['registry.test@evil.com', false],
    ['registry.test%00', false],
    ['', false],
  ];
  for (const [host, isAllowed] of names) {
    it(`${isAllowed ? 'allows' : 'refuses'} ${JSON.stringify(host)}`, () => {
      const name = siteName(host);
      assert.equal(name !== undefined && isAllowedSite(name, ALLOWED), isAllowed);
    });
  }

  it('allows nothing by an empty list', () => {
    assert.equal(isAllowedSite('example.org', []), false);
  });

  const leads: readonly (readonly [string, string, boolean])[] = [
    ['a.example.org', '93.184.216.34', true],
    ['a.example.org', '127.0.0.1', false],
    ['a.example.org', '10.0.0.7', false],
    ['a.example.org', '169.254.169.254', false],
    ['registry.test', '10.0.0.7', true],
    ['registry.test', '127.0.0.1', false],
    ['registry.test', '::1', false],
    ['registry.test', '::ffff:127.0.0.1', false],
    ['registry.test', '169.254.169.254', false],
    ['localhost', '127.0.0.1', true],
  ];
  for (const [name, address, may] of leads) {
    it(`${may ? 'lets' : 'does not let'} ${name} lead to ${address}`, () => {
      assert.equal(mayLeadTo(address, name, ALLOWED), may);
    });
  }
});

linux.describe('SiteProxy', () => {
  let folder: PrivateFolder;
  let proxy: SiteProxy;
  let server: Server;

  before(async () => {
    folder = new PrivateFolder();
    proxy = new SiteProxy(folder, () => ['localhost']);
    server = await listening();
  });
  after(async () => {
    server.close();
    await proxy.close();
    await folder.remove();
  });

  it('passes a request on to an allowed site, whole addresses and tunnels', async () => {
    const site = `localhost:${portOf(server)}`;
    assert.match(
      await said(`GET http://${site}/a?b HTTP/1.1\r\nHost: ${site}\r\nConnection: close\r\n\r\n`),
      /GET \/a\?b/,
    );
    const through = `CONNECT ${site} HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\nHost: ${site}\r\nConnection: close\r\n\r\n`;
    assert.match(await said(through), /^HTTP\/1.1 200 [^]*GET \/c/);
  });

  for (const [name, request] of [
    ['another site', 'CONNECT evil.test:443 HTTP/1.1\r\n\r\n'],
    ['another site by a whole address', 'GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n'],
    ['an address instead of a name', 'CONNECT 127.0.0.1:80 HTTP/1.1\r\n\r\n'],
    ['an invalid port', 'CONNECT localhost:99999 HTTP/1.1\r\n\r\n'],
    ['a tunnel without a port', 'CONNECT localhost HTTP/1.1\r\n\r\n'],
  ] as const) {
    it(`refuses ${name}`, async () => {
      assert.match(await said(request), /^HTTP\/1.1 403 /);
    });
  }

  it('takes the host from the address alone', async () => {
    const request = `GET http://evil.test/ HTTP/1.1\r\nHost: localhost:${portOf(server)}\r\nConnection: close\r\n\r\n`;
    assert.match(await said(request), /^HTTP\/1.1 403 /);
  });

  it('answers a path without a site and an invalid request', async () => {
    assert.match(
      await said('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
      /^HTTP\/1.1 400 /,
    );
    assert.equal(await said('\x05\x01\x00'), '');
  });

  async function said(text: string): Promise<string> {
    const client = connect(await proxy.socket());
    let answer = '';
    client.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    client.write(text);
    await new Promise((resolve) => client.once('close', resolve));
    return answer;
  }
});

linux.describe('a command in the sandbox that may reach a site', () => {
  let state: string;
  let scratch: ScratchWorkspace;
  let server: Server;

  before(async function () {
    state = await mkdtemp(path.join(tmpdir(), 'parley-state-'));
    server = await listening();
    const settings = { ...noSandbox, isEnabled: true, runUnasked: true, allowedDomains: ['localhost'] };
    scratch = await ScratchWorkspace.create(
      {},
      { sandbox: { settings: () => settings, stateFolder: state } },
    );
    const status = await scratch.surroundings.sandbox?.status();
    if (status?.works !== true) this.skip();
  });
  after(async () => {
    server.close();
    await scratch.dispose();
    await rm(state, { recursive: true, force: true });
  });

  it('reaches it, by the proxy of its environment', async () => {
    assert.match(await output(get(`http://localhost:${portOf(server)}/a`, true)), /200 GET \/a/);
  });

  it('reaches no other site, and no site without the proxy', async () => {
    assert.match(await output(get('http://evil.test/', true)), /403 The sandbox reaches only: localhost\./);
    assert.match(await output(get(`http://127.0.0.1:${portOf(server)}/`, false)), /ECONNREFUSED/);
  });

  it('looks up no name, and opens no unix socket', async () => {
    assert.match(
      await output(`node -e "require('dns').lookup('localhost.test', (e) => console.log(e.code))"`),
      /ENOTFOUND|EAI_AGAIN/,
    );
    assert.match(
      await output(
        `node -e "require('net').createServer().on('error', (e) => console.log(e.code)).listen('/tmp/s')"`,
      ),
      /EPERM|EACCES/,
    );
  });

  it('ends with its own exit code', async () => {
    assert.match(await output('exit 7'), /Exit code 7/);
  });

  async function output(command: string): Promise<string> {
    return scratch.call('run_shell_command', { command });
  }

  function get(url: string, isByProxy: boolean): string {
    const script = isByProxy
      ? `const p = new URL(process.env.HTTP_PROXY); require('http').get({ host: p.hostname, port: p.port, path: '${url}', headers: { host: new URL('${url}').host } }, show)`
      : `require('http').get('${url}', show)`;
    return `node -e "const show = (r) => r.on('data', (d) => console.log(r.statusCode, String(d))); ${script}.on('error', (e) => console.log(e.code))"`;
  }
});

/** A site that echoes its request. */
async function listening(): Promise<Server> {
  const server = createServer(({ method = '', url = '' }, response) => response.end(`${method} ${url}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  const address = server.address() as AddressInfo;
  return address.port;
}
