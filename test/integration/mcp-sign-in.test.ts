import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SignIns, type OpenPage } from '../../src/host/services/mcp/sign-in';
import { Secrets } from '../../src/host/platform/secrets';
import { McpServer } from '../../src/mcp/server';
import { AuthorizationServer } from '../support/servers/authorization-server';
import { approvedSurroundings, FakeMcpServer } from '../support/servers/fake-mcp-server';

const TOOLS = { 'tools/list': () => ({ tools: [] }) };

describe('signing in to an MCP server', () => {
  let keys: AuthorizationServer;
  let remote: FakeMcpServer;
  let stored: Map<string, string>;
  let secrets: Secrets;
  let logged: string[];
  let signIns: SignIns;
  let openPage: OpenPage;
  let server: McpServer;

  beforeEach(async () => {
    keys = await AuthorizationServer.start();
    remote = await FakeMcpServer.start(TOOLS, keys);
    stored = new Map();
    logged = [];
    // SAFETY: nothing else of it is used.
    const storage = {
      get: async (key: string) => stored.get(key),
      store: async (key: string, text: string) => void stored.set(key, text),
      delete: async (key: string) => void stored.delete(key),
    } as unknown as vscode.SecretStorage;
    const extension = vscode.extensions.getExtension('parley.parley');
    assert.ok(extension);
    secrets = new Secrets(storage);
    openPage = async (_server, page) => {
      signIns.handleUri(await browse(page));
      return true;
    };
    signIns = new SignIns({
      // SAFETY: only its id is used.
      context: { secrets: storage, extension: extension as vscode.Extension<unknown> },
      secrets,
      log: { warn: (text) => logged.push(text) },
      openPage: (...asked) => openPage(...asked),
    });
    server = new McpServer(
      remote.configured(),
      approvedSurroundings({
        signIn: (...asked) => signIns.signIn(...asked),
        log: (_server, text) => logged.push(text),
      }),
    );
  });
  afterEach(async () => {
    await server.stop();
    signIns.dispose();
    await keys.http.stop();
    await remote.http.stop();
  });

  /** Acts as the browser: follows the page to the address from VS Code that leads back to the window. */
  async function browse(page: URL): Promise<vscode.Uri> {
    const { headers, status } = await fetch(page, { redirect: 'manual' });
    const back = new URL(headers.get('location') ?? assert.fail(String(status)));
    const { searchParams } = back;
    if (back.protocol !== 'http:') return vscode.Uri.parse(back.href);
    // For a window in the browser: a page of VS Code, which handles the rest.
    const own = [...searchParams].filter(([name]) => !name.startsWith('vscode-'));
    assert.equal(searchParams.get('vscode-authority'), 'parley.parley');
    const query = own.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
    return vscode.Uri.parse(
      `${vscode.env.uriScheme}://parley.parley${searchParams.get('vscode-path')}?${query}`,
    );
  }

  it('ends with a running server, and keys in the secret storage but not in logs', async () => {
    assert.equal(signIns.isSignedIn('remote'), false);
    await server.start();
    assert.equal(server.state.type, 'running');
    assert.equal(signIns.isSignedIn('remote'), true);
    assert.deepEqual([...stored.keys()], [`mcp:${remote.url}`]);
    const text = JSON.stringify([...keys.accessTokens]);
    assert.equal(secrets.redact(text), '["[key]"]');
    assert.ok(keys.given.every((secret) => !logged.join().includes(secret)));
    await signIns.signOut('remote');
    assert.equal(stored.size, 0);
    assert.equal(signIns.isSignedIn('remote'), false);
  });

  it('ignores a callback with another state or path', async () => {
    const { uriScheme: scheme } = vscode.env;
    openPage = async (_server, page) => {
      const back = await browse(page);
      signIns.handleUri(back.with({ path: '/mcp/other' }));
      signIns.handleUri(back.with({ query: back.query.replace(/state=\w+/, `state=${'0'.repeat(64)}`) }));
      signIns.handleUri(vscode.Uri.parse(`${scheme}://parley.parley/mcp/callback?code=theirs`));
      assert.equal(
        keys.http.requests.some(({ url }) => url.pathname === '/token'),
        false,
      );
      signIns.handleUri(back);
      return true;
    };
    await server.start();
    assert.equal(server.state.type, 'running');
    assert.equal(logged.filter((text) => /does not belong to a sign-in/.test(text)).length, 3);
  });

  it('accepts an answer once', async () => {
    let back: vscode.Uri | undefined;
    openPage = async (_server, page) => {
      back = await browse(page);
      signIns.handleUri(back);
      return true;
    };
    await server.start();
    assert.ok(back);
    signIns.handleUri(back);
    assert.match(logged.join(), /does not belong to a sign-in/);
  });

  it('ends with a sentence if the user cancels', async () => {
    openPage = async () => false;
    await server.start();
    assert.deepEqual(server.state, {
      type: 'failed',
      problem: 'You did not sign in. Restart the server to be asked again.',
    });
  });

  it('stops waiting when the server is stopped', async () => {
    const opened = new Promise<void>((resolve) => {
      openPage = async () => {
        resolve();
        return true;
      };
    });
    const started = server.start();
    await opened;
    assert.equal(server.state.type, 'signing-in');
    await server.stop();
    await started;
    assert.equal(server.state.type, 'stopped');
  });
});
