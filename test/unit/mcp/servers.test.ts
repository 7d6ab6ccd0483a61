import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmod, copyFile, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { ConfiguredServer, StdioDefinition } from '../../../src/mcp/definition';
import { HOSTILE_SERVER, McpHarness, programServer } from '../../support/servers/mcp-harness';
import { processesWith } from '../../support/processes/process-list';
import { posix } from '../../support/platform';

describe('MCP servers', () => {
  let harness: McpHarness;
  let trace: string;

  beforeEach(async () => {
    harness = await McpHarness.create();
    trace = randomUUID();
  });
  afterEach(() => harness.dispose());

  const server = (name = 's', mode = 'good'): ConfiguredServer =>
    programServer(name, HOSTILE_SERVER, mode, trace);
  const state = (name = 's') => harness.servers.get(name)?.state;

  describe('G22', () => {
    it('G22.start: nothing is started before its definition was approved', async () => {
      harness.servers.update([server()]);
      await harness.servers.start();
      deepEqual(state(), { type: 'unapproved', isChanged: false });
      deepEqual(processesWith(trace), []);
      deepEqual(harness.servers.tools(), []);
    });

    it('G22.kept: what was approved once starts by itself', async () => {
      await harness.start(server());
      await harness.servers.end();
      harness.servers.update([]);
      harness.servers.update([server()]);
      await harness.servers.start();
      equal(state()?.type, 'running');
    });

    const program = server().definition as StdioDefinition;
    const changes: Readonly<Record<string, Partial<ConfiguredServer>>> = {
      'an argument': { definition: { ...program, args: [...program.args, '--verbose'] } },
      'the order of arguments': { definition: { ...program, args: [...program.args].reverse() } },
      'a variable of the environment': { definition: { ...program, env: { DEBUG: '1' } } },
      'the folder it runs in': { definition: { ...program, cwd: '/' } },
      'the folder it belongs to': { folder: '/tmp' },
      'where it is written': { scope: 'workspace' },
      'the way it is reached': { definition: { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} } },
    };
    for (const [what, change] of Object.entries(changes)) {
      it(`G22.changed: another value of ${what} asks again`, async () => {
        await harness.start(server());
        harness.servers.update([{ ...server(), ...change }]);
        await harness.servers.start();
        equal(state()?.type, 'unapproved');
      });
    }

    posix.it('G22.program: another program behind the same command asks again', async () => {
      const command = path.join(harness.folder, 'run');
      const link = (target: string): Promise<void> => symlink(target, command);
      await link(process.execPath);
      const linked: ConfiguredServer = {
        ...server(),
        definition: { ...program, command, args: [HOSTILE_SERVER, 'good', trace] },
      };
      await harness.start(linked);
      equal(state()?.type, 'running');
      const other = path.join(harness.folder, 'other');
      await copyFile(process.execPath, other);
      await chmod(other, 0o755);
      await unlink(command);
      await link(other);
      await harness.servers.get('s')?.startAnew();
      deepEqual(state(), { type: 'unapproved', isChanged: true });
    });

    it('G22.shown: an approval is for what was shown, not for what it has become', async () => {
      harness.servers.update([server()]);
      const shown = (await harness.servers.get('s')?.definitionToApprove()) ?? '';
      harness.servers.update([
        { ...server(), definition: { ...program, args: [HOSTILE_SERVER, 'good', trace, 'more'] } },
      ]);
      await harness.servers.get('s')?.approve(shown);
      deepEqual(state(), { type: 'unapproved', isChanged: true });
    });

    it('G22.shown: what is shown is all of it', async () => {
      const definition: StdioDefinition = {
        ...program,
        args: ['x'.repeat(20_000)],
        env: { TOKEN: '${env:TOKEN}' },
      };
      harness.servers.update([{ ...server(), definition }]);
      const shown = (await harness.servers.get('s')?.definitionToApprove()) ?? '';
      for (const part of ['x'.repeat(20_000), '${env:TOKEN}', process.execPath])
        equal(shown.includes(JSON.stringify(part)), true);
    });
  });

  it('keeps approvals when only the times of a server change', async () => {
    await harness.start(server());
    harness.servers.update([{ ...server(), options: { callTimeoutMs: 5, startTimeoutMs: 20_000 } }]);
    await harness.servers.start();
    equal(state()?.type, 'running');
  });

  it('gives up a call after the time of its server', async () => {
    await harness.start({ ...server('s', 'hangs-in-call'), options: { callTimeoutMs: 400 } });
    match(await harness.failure('mcp_s_echo', {}), /nothing was heard of it for 0\.4 s/);
  });

  it('gives up a start after the time of its server', async () => {
    await harness.start({ ...server('s', 'silent'), options: { startTimeoutMs: 400 } });
    const now = state();
    match(now?.type === 'failed' ? now.problem : '', /was not ready after 0\.4 s/);
  });

  it('does not start a disabled server by itself', async () => {
    const disabled: ConfiguredServer = { ...server(), options: { isDisabled: true } };
    harness.servers.update([disabled]);
    await harness.servers.start();
    deepEqual([state()?.type, processesWith(trace)], ['stopped', []]);
    await harness.approve('s');
    equal(state()?.type, 'running');
  });

  it('logs once what is unknown in the entry of a server', async () => {
    await harness.start({ ...server(), options: { remarks: ['It is odd.'] } });
    await harness.servers.get('s')?.startAnew();
    deepEqual(
      harness.log.filter((line) => line.includes('odd')),
      ['s: [It is odd.]'],
    );
  });

  it('keeps unchanged servers running when others come or go', async () => {
    await harness.start(server('a'));
    const [a] = harness.servers.all;
    harness.servers.update([server('b'), server('a')]);
    equal(harness.servers.get('a'), a);
    equal(state('a')?.type, 'running');
    harness.servers.update([]);
    await a?.stop();
    deepEqual(processesWith(trace), []);
  });

  it('G23.names: two servers never share a name of a tool', async () => {
    await harness.start(server('a b'), server('a_b'), server('a-b'));
    const names = harness.servers.tools().map(({ spec }) => spec.name);
    equal(new Set(names).size, 3);
    for (const name of names) match(name, /^mcp_a[-_]b.*_echo/);
  });

  it('starts stopped servers, and stops starting ones', async () => {
    await harness.start(server());
    const s = harness.servers.get('s');
    await s?.stop();
    deepEqual([state()?.type, harness.servers.tools().length], ['stopped', 0]);
    const starting = s?.startAnew();
    await s?.stop();
    await starting;
    deepEqual(processesWith(trace), []);
    await s?.startAnew();
    equal(state()?.type, 'running');
  });

  it('G4.pins: an unreadable approval does not count', async () => {
    await harness.start(server());
    const approved = (await harness.servers.get('s')?.definitionToApprove()) ?? '';
    await harness.servers.end();
    await harness.approvals.pin(approved, { instructions: '', tools: {} });
    await harness.servers.get('s')?.startAnew();
    notEqual(harness.tool('mcp_s_echo').whyNotOffered, undefined);
  });

  it('G19.environment: hands on nothing but what programs need and what the user has entered', async () => {
    process.env['PARLEY_CANARY'] = `canary-${trace}`;
    try {
      const { definition } = programServer('s', HOSTILE_SERVER, 'environment');
      await harness.start({
        ...server(),
        definition: { ...(definition as StdioDefinition), env: { GIVEN: 'yes' } },
      });
      const { text } = await harness.call('mcp_s_echo', {});
      match(text, /GIVEN/);
      equal(text.includes('CANARY'), false);
    } finally {
      delete process.env['PARLEY_CANARY'];
    }
  });
});
