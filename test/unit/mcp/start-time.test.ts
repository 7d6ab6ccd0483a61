import { deepEqual, equal, match } from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { mock } from 'node:test';
import type { ConfiguredServer } from '../../../src/mcp/definition';
import type { Pins } from '../../../src/mcp/pins';
import { McpServer } from '../../../src/mcp/server';
import { mayDownload } from '../../../src/mcp/start-time';
import { approvedSurroundings } from '../../support/servers/fake-mcp-server';
import { turns } from '../../support/turns';

describe('the first start of a server', () => {
  const cases: readonly [command: string, args: readonly string[], may: boolean][] = [
    ['npx', ['-y', 'a'], true],
    ['/usr/local/bin/uvx', ['a'], true],
    ['C:\\Program Files\\Docker\\docker.EXE', ['run', 'a'], true],
    ['cmd', ['/d', '/c', 'npx.cmd', 'a'], true],
    ['cmd', ['/c', 'node', 'npx'], false],
    ['node', ['npx'], false],
    ['npx-server', [], false],
  ];
  for (const [command, args, may] of cases) {
    it(`${may ? 'may' : 'may not'} download with ${command} ${args.join(' ')}`, () => {
      equal(mayDownload({ type: 'stdio', command, args, env: {} }), may);
    });
  }

  it('downloads nothing over HTTP', () => {
    equal(mayDownload({ type: 'http', url: 'https://npx/npx', headers: {} }), false);
  });
});

describe('the time of a start', () => {
  afterEach(() => mock.timers.reset());

  const SEEN: Pins = { instructions: '', tools: {} };

  /** Starts a program that prints on standard error and never answers, by a clock that stands still. */
  async function begin({ command = 'npx', startTimeoutMs, pins }: Start) {
    mock.timers.enable({ apis: ['setTimeout'] });
    const stderr = new PassThrough();
    let exit: (how: string) => void = () => undefined;
    const ended = new Promise<string>((resolve) => (exit = resolve));
    let hasStarted: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (hasStarted = resolve));
    const surroundings = approvedSurroundings({
      startProgram: async () => {
        hasStarted();
        return { stdin: new PassThrough(), stdout: new PassThrough(), stderr, ended, end: async () => [] };
      },
    });
    const configured: ConfiguredServer = {
      name: 's',
      scope: 'user',
      definition: { type: 'stdio', command, args: ['a'], env: {} },
      ...(startTimeoutMs !== undefined && { options: { startTimeoutMs } }),
    };
    const approvals = { ...surroundings.approvals, pins: async () => pins };
    const server = new McpServer(configured, { ...surroundings, approvals });
    const done = server.start();
    await started;
    await turns();
    return { server, done, stderr, exit };
  }

  interface Start {
    readonly command?: string;
    readonly startTimeoutMs?: number;
    /** What the user has seen of the server. */
    readonly pins?: Pins;
  }

  const times: readonly (Start & { readonly name: string; readonly seconds: number })[] = [
    { name: 'the first one with a program that may download another', seconds: 600 },
    { name: 'a later one', pins: SEEN, seconds: 30 },
    { name: 'the first one of another program', command: 'node', seconds: 30 },
    { name: 'one that its definition limits', startTimeoutMs: 45_000, seconds: 45 },
  ];
  for (const { name, seconds, ...start } of times) {
    it(`${name} is given up after ${seconds} s`, async () => {
      const { server, done } = await begin(start);
      mock.timers.tick(seconds * 1_000 - 1);
      await turns();
      deepEqual(server.state, { type: 'starting' });
      mock.timers.tick(1);
      await done;
      const problem = `It was not ready after ${seconds} s. Look at its log and restart it.`;
      deepEqual(server.state, { type: 'failed', problem });
    });
  }

  it('is shown with the last line of the output', async () => {
    const { server, done, stderr } = await begin({});
    const shown: (string | undefined)[] = [];
    for (const text of ['fetching\n', '10 %\r55 %\r', ' \n', 'x'.repeat(1_000)]) {
      stderr.write(text);
      await turns();
      shown.push(server.state.type === 'starting' ? server.state.output : server.state.type);
    }
    deepEqual(shown, ['fetching', '55 %', '55 %', 'x'.repeat(200)]);
    await server.stop();
    await done;
    equal(server.state.type, 'stopped');
  });

  it('is over as soon as the program has ended', async () => {
    const { server, done, exit } = await begin({});
    exit('exit code 1');
    await done;
    match(
      server.state.type === 'failed' ? server.state.problem : '',
      /ended before it was ready: exit code 1/,
    );
  });
});
