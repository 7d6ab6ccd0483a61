import { deepEqual, equal, match } from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { eventually } from '../../support/eventually';
import { httpServer, McpHarness } from '../../support/servers/mcp-harness';
import { freePort, EverythingServer } from '../../support/servers/everything-server';

describe('a real server over HTTP', () => {
  let harness: McpHarness;
  let server: EverythingServer;

  before(async function () {
    this.timeout(60_000);
    harness = await McpHarness.create();
    server = await EverythingServer.start();
    await harness.start(httpServer('far', server.url));
  });
  after(async () => {
    await harness.dispose();
    await server.stop();
  });

  it('runs, and its tools can be called', async () => {
    deepEqual(harness.servers.get('far')?.state, { type: 'running', changed: [] });
    match((await harness.call('mcp_far_echo', { message: 'over there' })).text, /over there/);
  });

  it('shows progress, and stops', async () => {
    const stop = new AbortController();
    const calling = harness.call(
      'mcp_far_trigger-long-running-operation',
      { duration: 20, steps: 40 },
      stop.signal,
    );
    calling.catch(() => undefined);
    await eventually(() => harness.log.some((line) => line.startsWith('output: ')));
    stop.abort();
    await calling.then(
      () => Promise.reject(new Error('It was not stopped.')),
      () => undefined,
    );
    match((await harness.call('mcp_far_echo', { message: 'still there' })).text, /still there/);
  });

  it('asks the user', async () => {
    harness.answer = () => Promise.resolve({ action: 'accept', content: { name: 'Grace', check: true } });
    match((await harness.call('mcp_far_trigger-elicitation-request', {})).text, /Grace/);
  });
});

describe('a server over HTTP that is not an MCP server', () => {
  let harness: McpHarness;
  let server: Server | undefined;

  const serve = async (answer: (response: ServerResponse) => void): Promise<string> => {
    const own = createServer((request, response) => {
      request.resume();
      answer(response);
    });
    server = own;
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
    const address = own.address();
    await harness.start(
      httpServer('odd', `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/mcp`),
    );
    const state = harness.servers.get('odd')?.state;
    return state?.type === 'failed' ? state.problem : (state?.type ?? '');
  };

  beforeEach(async () => {
    harness = await McpHarness.create();
  });
  afterEach(async () => {
    await harness.dispose();
    server?.closeAllConnections();
    server?.close();
  });

  it('is reported if it is a web page', async () => {
    match(await serve((response) => response.end('<html>Welcome</html>')), /could not be started/);
  });

  it('is reported if it refuses', async () => {
    const problem = await serve((response) => {
      response.writeHead(500);
      response.end('down');
    });
    match(problem, /could not be started.*(500|down)/);
  });

  it('is cut off if its answer has no end', async () => {
    const problem = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        if (!response.destroyed && response.write(' '.repeat(1024 * 1024))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    match(problem, /more than 4 MiB/);
  });

  it('is reported if nothing listens', async () => {
    await harness.start(httpServer('nobody', `http://127.0.0.1:${await freePort()}/mcp`));
    const state = harness.servers.get('nobody')?.state;
    match(state?.type === 'failed' ? state.problem : '', /^The server could not be reached \(ECONNREFUSED\)/);
  });

  it('G20.mcp: is not followed to another origin', async () => {
    let asked = 0;
    const other = createServer((_, response) => {
      asked++;
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await serve((response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${port}/mcp` });
      response.end();
    });
    other.close();
    equal(asked, 0);
  });
});
