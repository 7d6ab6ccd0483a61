import assert from 'node:assert/strict';
import { Authorization } from '../../../src/mcp/authorization';
import type { McpSurroundings } from '../../../src/mcp/ports';
import { McpServer } from '../../../src/mcp/server';
import { AuthorizationServer } from '../../support/servers/authorization-server';
import { approvedSurroundings, FakeMcpServer } from '../../support/servers/fake-mcp-server';

const TOOLS = { 'tools/list': () => ({ tools: [{ name: 'now', inputSchema: { type: 'object' } }] }) };

const HERE = 'vscode://parley.parley/mcp/callback?windowId=1';
const ELSEWHERE = 'vscode://parley.parley/mcp/callback?windowId=2';

describe('signing in to a server over HTTP', () => {
  let keys: AuthorizationServer;
  let remote: FakeMcpServer;
  let servers: McpServer[];
  /** The state that windows share. */
  let stored: string | undefined;
  let learned: Set<string>;
  let logged: string[];
  /** How many times the user was asked. */
  let visits: number;

  beforeEach(async () => {
    keys = await AuthorizationServer.start();
    remote = await FakeMcpServer.start(TOOLS, keys);
    servers = [];
    stored = undefined;
    learned = new Set();
    logged = [];
    visits = 0;
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await keys.http.stop();
    await remote.http.stop();
  });

  /** Acts like a window whose user completes the sign-in in the browser. */
  function window(redirect: string): McpSurroundings {
    return approvedSurroundings({
      log: (_server, text) => logged.push(text),
      signIn: () => {
        const provider = new Authorization({
          store: {
            get: async () => stored,
            set: async (text) => void (stored = text),
            delete: async () => void (stored = undefined),
          },
          redirect: async () => redirect,
          learn: (secret) => learned.add(secret),
        });
        return {
          provider,
          callback: async () => {
            visits++;
            const { page, state } = provider.open ?? assert.fail('There is no page.');
            const back = await fetch(page, { redirect: 'manual' });
            const { searchParams } = new URL(
              back.headers.get('location') ?? assert.fail(String(back.status)),
            );
            assert.equal(searchParams.get('state'), state);
            return searchParams;
          },
        };
      },
    });
  }

  function open(redirect = HERE, to = remote, headers: Readonly<Record<string, string>> = {}): McpServer {
    const server = new McpServer(to.configured(headers), window(redirect));
    servers.push(server);
    return server;
  }

  async function isRunning(server: McpServer): Promise<void> {
    await server.start();
    assert.deepEqual(server.state, { type: 'running', changed: [] });
    assert.deepEqual(
      server.offer.tools.map(({ name }) => name),
      ['now'],
    );
  }

  it('registers, asks the user once, and keeps what it was given for the next window', async () => {
    await isRunning(open());
    assert.equal(visits, 1);
    assert.equal(keys.registrations.length, 1);
    await isRunning(open(ELSEWHERE));
    assert.equal(visits, 1);
    assert.equal(keys.registrations.length, 1);
  });

  it('renews an expired key unasked, also in a window with another address', async () => {
    await isRunning(open());
    keys.expire();
    await isRunning(open(ELSEWHERE));
    keys.expire();
    await isRunning(open(HERE));
    assert.equal(visits, 1);
    assert.equal(keys.registrations.length, 1);
  });

  it('asks again if the key was revoked', async () => {
    await isRunning(open());
    keys.revoke();
    await isRunning(open());
    assert.equal(visits, 2);
    assert.equal(keys.registrations.length, 1);
  });

  it('registers again if it signs in again with another address', async () => {
    await isRunning(open());
    keys.revoke();
    await isRunning(open(ELSEWHERE));
    assert.equal(visits, 2);
    assert.equal(keys.registrations.length, 2);
  });

  it('says what to do if no client is registered', async () => {
    keys.registersAnybody = false;
    const server = open();
    await server.start();
    assert.deepEqual(server.state, {
      type: 'failed',
      problem: `The server requires a sign-in at ${keys.issuer}, which does not accept new clients. Register one there and set its ID as "oauth": { "clientId": "…" }, or set a key in "headers".`,
    });
    assert.equal(visits, 0);
  });

  it('has the user sign in again if a call needs it, and makes the call', async () => {
    const server = open();
    await isRunning(server);
    keys.revoke();
    const [tool] = server.offer.tools;
    assert.ok(tool);
    const signal = new AbortController().signal;
    // Any client that gets this far is let in; this server has no calls.
    await assert.rejects(
      server.callTool(tool, {}, { signal, onProgress: () => undefined }),
      /Method not found/,
    );
    assert.equal(visits, 2);
  });

  it('G20: hands no key of one issuer to another', async () => {
    await isRunning(open());
    const other = await AuthorizationServer.start();
    const moved = await FakeMcpServer.start(TOOLS, other);
    try {
      // Pretends that the server trusts another issuer from now on.
      await isRunning(open(HERE, moved));
      const sent = other.http.requests.map(({ body, url }) => `${url.href} ${body}`).join();
      assert.ok(sent.includes('code='));
      for (const secret of keys.given) assert.equal(sent.includes(secret), false);
    } finally {
      await moved.http.stop();
      await other.http.stop();
    }
  });

  it('G20: sends the headers of its definition to its own origin alone', async () => {
    const server = open(HERE, remote, { 'x-key': 'key-of-the-server' });
    await isRunning(server);
    assert.ok(remote.http.requests.every(({ headers }) => headers['x-key'] === 'key-of-the-server'));
    assert.ok(keys.http.requests.length > 2);
    assert.ok(keys.http.requests.every(({ headers }) => headers['x-key'] === undefined));
  });

  it('G19: registers every secret for redaction and writes no secret into a log', async () => {
    await isRunning(open());
    keys.expire();
    await isRunning(open());
    const [firstSecret, code, ...others] = keys.given;
    assert.ok(firstSecret !== undefined && code !== undefined);
    for (const secret of [firstSecret, ...others]) assert.ok(learned.has(secret), secret);
    assert.ok(keys.given.every((secret) => !logged.join().includes(secret)));
  });

  it('starts over if the stored state is unreadable', async () => {
    for (const broken of ['', '{', '{"issuer":1}', '[]']) {
      stored = broken;
      await isRunning(open());
    }
    assert.equal(visits, 4);
  });
});
