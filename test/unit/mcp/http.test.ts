import { deepEqual, equal, match } from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { eventually } from '../../support/eventually';
import { httpServer, McpBench } from '../../support/servers/mcp-harness';
import { freePort, HttpServer } from '../../support/servers/everything-server';

describe('a real server over HTTP', () => {
  let bench: McpBench;
  let server: HttpServer;

  before(async function () {
    this.timeout(60_000);
    bench = await McpBench.create();
    server = await HttpServer.start();
    await bench.start(httpServer('far', server.url));
  });
  after(async () => {
    await bench.dispose();
    await server.stop();
  });

  it('runs, and its tools can be called', async () => {
    deepEqual(bench.servers.get('far')?.state, { type: 'running', changed: [] });
    match((await bench.call('mcp_far_echo', { message: 'over there' })).text, /over there/);
  });

  it('shows progress, and stops', async () => {
    const stop = new AbortController();
    const calling = bench.call(
      'mcp_far_trigger-long-running-operation',
      { duration: 20, steps: 40 },
      stop.signal,
    );
    calling.catch(() => undefined);
    await eventually(() => bench.log.some((line) => line.startsWith('output: ')));
    stop.abort();
    await calling.then(
      () => Promise.reject(new Error('It was not stopped.')),
      () => undefined,
    );
    match((await bench.call('mcp_far_echo', { message: 'still there' })).text, /still there/);
  });

  it('asks the user', async () => {
    bench.answer = () => Promise.resolve({ action: 'accept', content: { name: 'Grace', check: true } });
    match((await bench.call('mcp_far_trigger-elicitation-request', {})).text, /Grace/);
  });
});

describe('a server over HTTP that is not an MCP server', () => {
  let bench: McpBench;
  let server: Server | undefined;

  const serve = async (answer: (response: ServerResponse) => void): Promise<string> => {
    const own = createServer((request, response) => {
      request.resume();
      answer(response);
    });
    server = own;
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
    const address = own.address();
    await bench.start(
      httpServer('odd', `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/mcp`),
    );
    const state = bench.servers.get('odd')?.state;
    return state?.type === 'failed' ? state.problem : (state?.type ?? '');
  };

  beforeEach(async () => {
    bench = await McpBench.create();
  });
  afterEach(async () => {
    await bench.dispose();
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
    await bench.start(httpServer('nobody', `http://127.0.0.1:${await freePort()}/mcp`));
    const state = bench.servers.get('nobody')?.state;
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
