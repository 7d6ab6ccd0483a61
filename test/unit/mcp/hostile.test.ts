import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerState } from '../../../src/mcp/ports';
import { limits } from '../../../src/base/limits';
import { caseCount } from '../../hosts/random-cases';
import { eventually } from '../../support/eventually';
import { HOSTILE_SERVER, McpHarness, programServer } from '../../support/servers/mcp-harness';
import {
  hasProcessList,
  openDescriptors,
  processesWith,
  zombies,
} from '../../support/processes/process-list';
import { BlockMeter } from '../../support/measure/event-loop-delay';

/** Long enough for a busy machine. */
const PATIENT = { ...limits, mcpRestartDelayMs: 20 };
/** Short enough to wait for something that never comes. */
const HASTY = { mcpCallTimeoutMs: 700 };
/** Long enough for answers that do come on a busy machine. */
const UNHURRIED = { mcpCallTimeoutMs: 2_000 };

(hasProcessList ? describe : describe.skip)('a hostile MCP server', () => {
  let harness: McpHarness;
  /** A marker in the command line of this test's server. */
  let trace: string;

  beforeEach(async () => {
    harness = await McpHarness.create({ limits: PATIENT });
    trace = randomUUID();
  });
  afterEach(async () => {
    await harness.dispose();
    deepEqual(harness.survivors, []);
    deepEqual(processesWith(trace), []);
  });

  /** Limits how many milliseconds this test waits for something that never comes. */
  const hurry = async (changes: Partial<typeof PATIENT>): Promise<void> => {
    await harness.dispose();
    harness = await McpHarness.create({ limits: { ...PATIENT, ...changes } });
  };
  const begin = (mode: string): Promise<void> =>
    harness.start(programServer('s', HOSTILE_SERVER, mode, trace));
  const state = (): ServerState => harness.servers.get('s')?.state ?? { type: 'stopped' };
  const problem = (): string => {
    const now = state();
    return now.type === 'failed' ? now.problem : now.type;
  };

  it('that crashes at its start is reported with its exit and its output', async () => {
    await begin('crash-at-start');
    match(problem(), /exit code 3/);
    match(harness.log.join('\n'), /no such configuration/);
  });

  it('that says nothing is given up', async () => {
    await hurry({ mcpStartTimeoutMs: 3_000 });
    await begin('silent');
    match(problem(), /was not ready after 3 s/);
  });

  it('that refuses to die is killed', async () => {
    await begin('refuses-to-die');
    equal(state().type, 'running');
    await harness.servers.end();
    deepEqual(processesWith(trace), []);
  });

  it('G13.mcp: ends together with the processes it started', async () => {
    await begin('leaves-stubborn-children');
    await eventually(() => processesWith(trace).length === 2);
    await harness.servers.end();
    deepEqual(processesWith(trace), []);
  });

  it('that crashes in a call ends the call, and is started again', async () => {
    await begin('crashes-in-call');
    match(await harness.failure('mcp_s_echo', {}), /could not be finished.*effect is unknown/);
    await eventually(() => state().type === 'running');
    await harness.failure('mcp_s_echo', {});
  });

  it('that crashes again and again is given up after three restarts', async () => {
    await begin('crashes-in-call');
    for (let round = 0; round <= PATIENT.mcpRestarts; round++) {
      await eventually(() => state().type === 'running');
      await harness.failure('mcp_s_echo', {});
    }
    await eventually(() => state().type === 'failed');
    match(problem(), /ended 4 times in 5 minutes.*exit code 7/);
    equal(harness.servers.tools().length, 0);
  });

  it('that hangs in a call is given up, and can be called on', async () => {
    await hurry(HASTY);
    await begin('hangs-in-call');
    match(await harness.failure('mcp_s_echo', {}), /nothing was heard of it for 0\.7 s/);
    equal(state().type, 'running');
  });

  it('survives long calls that report progress', async () => {
    await hurry(UNHURRIED);
    await begin('slow-with-progress');
    equal((await harness.call('mcp_s_echo', {})).text, 'slow but there');
  });

  it('G35.mcp-flood: is read no faster than it may send, and does not block others', async () => {
    await hurry(HASTY);
    await begin('floods-in-call');
    const meter = new BlockMeter();
    const before = process.memoryUsage().rss;
    await harness.failure('mcp_s_echo', {});
    const blockedMs = meter.end();
    ok(blockedMs < 500, `the event loop was blocked for ${blockedMs} ms`);
    ok(process.memoryUsage().rss - before < 200 * 1024 ** 2);
  });

  it('that sends a frame without end is cut off', async () => {
    await begin('huge-frame');
    match(await harness.failure('mcp_s_echo', {}), /could not be finished/);
    await eventually(() => /more than 4 MiB/.test(harness.log.join('\n')));
  });

  it('that floods its log changes nothing', async () => {
    await begin('stderr-flood');
    equal((await harness.call('mcp_s_echo', { text: 'calm' })).text, 'echo: calm');
  });

  it('has its answers cut', async () => {
    await begin('huge-result');
    const { text } = await harness.call('mcp_s_echo', {});
    ok(text.length < limits.mcpResultTextBytes + 200);
    match(text, /\d+ bytes were left out/);
  });

  it('G35.mcp-lines: that floods with lines that are not messages is ended, and does not block others', async () => {
    await begin('bad-lines');
    const meter = new BlockMeter();
    match(await harness.failure('mcp_s_echo', {}), /could not be finished|nothing was heard/);
    const blockedMs = meter.end();
    ok(blockedMs < 500, `the event loop was blocked for ${blockedMs} ms`);
    await eventually(() => /lines that are not messages/.test(harness.log.join('\n')));
  });

  it('G35.mcp-unread: that does not read what it is sent is ended', async () => {
    await hurry(HASTY);
    await begin('never-reads');
    await harness.failure('mcp_s_echo', {});
    await eventually(() => /does not read what it is sent/.test(harness.log.join('\n')));
  });

  it('that keeps asking is shown one form at a time, and no form once they were dismissed', async () => {
    let close = (): void => undefined;
    harness.answer = () =>
      new Promise((resolve) => {
        close = () => resolve({ action: 'cancel' });
      });
    await begin('asks-and-asks');
    for (let round = 1; round <= 6; round++) {
      equal((await harness.call('mcp_s_echo', {})).text, 'asked');
      equal(harness.forms.length, Math.min(round, PATIENT.mcpDismissedForms));
      close();
    }
  });

  describe('that leaves a form open after its call', () => {
    let close: () => void;
    let next: Promise<string>;
    let isOver: boolean;
    beforeEach(async () => {
      await hurry(UNHURRIED);
      harness.answer = () =>
        new Promise((resolve) => {
          close = () => resolve({ action: 'cancel' });
        });
      await harness.start(
        programServer('s', HOSTILE_SERVER, 'asks-and-goes-on', trace),
        programServer('t', HOSTILE_SERVER, 'hangs-in-call', trace),
      );
      equal((await harness.call('mcp_s_echo', {})).text, 'asked');
      await eventually(() => harness.forms.length === 1);
      isOver = false;
      next = harness.failure('mcp_s_echo', {}).finally(() => {
        isOver = true;
      });
    });

    it('has the next call wait for the user, too', async () => {
      // A call that begins later, at a server without a form.
      match(await harness.failure('mcp_t_echo', {}), /nothing was heard of it for 2 s/);
      equal(isOver, false);
      close();
      await next;
    });

    it('has the next call ended in time once the form is closed', async () => {
      close();
      match(await next, /nothing was heard of it for 2 s/);
    });
  });

  it('G23.twins: has only the first tool of a name, and a bounded number of tools', async () => {
    await begin('twins');
    deepEqual(
      harness.servers.tools().map(({ spec }) => [spec.name, spec.description]),
      [['mcp_s_echo', 'First.']],
    );
    match(harness.log.join('\n'), /A second tool is called echo.*The tool large is too large/s);
  });

  it('that sends garbage is still understood', async () => {
    await begin('garbage');
    equal((await harness.call('mcp_s_echo', {})).text, 'after garbage');
  });

  it('that answers with a text in the wrong place is understood', async () => {
    await begin('wrong-shape');
    equal((await harness.call('mcp_s_echo', {})).text, 'not a list');
  });

  it('G16.mcp: has its errors shown without escapes', async () => {
    await begin('rpc-error');
    const said = await harness.failure('mcp_s_echo', {});
    match(said, /was refused by its server: .*bad⟨U\+001B⟩\[31m things happen/);
  });

  it('G23.changed: a tool that changes is off until the user has seen what it is now', async () => {
    await begin('changes-tool');
    equal((await harness.call('mcp_s_echo', {})).text, 'changed');
    await eventually(() => harness.servers.tools().length === 2);
    deepEqual(state(), { type: 'running', changed: ['echo', 'extra'] });
    match(harness.tool('mcp_s_echo').whyNotOffered ?? '', /Review its changes/);
    match(await harness.failure('mcp_s_echo', {}), /has changed/);
    const server = harness.servers.get('s');
    const { before, after } = server?.difference() ?? {};
    match(before?.tools['echo'] ?? '', /The tool echo/);
    match(after?.tools['echo'] ?? '', /sends all your files/);
    if (after) await server?.acceptChanges(after);
    equal(harness.tool('mcp_s_echo').whyNotOffered, undefined);
    equal((await harness.call('mcp_s_echo', {})).text, 'changed');
  });

  it('G23.reconnect: what changed while it was away is off, too', async () => {
    await begin('good');
    const allowed = harness.tool('mcp_s_echo');
    equal(allowed.whyNotOffered, undefined);
    // The same definition with another server.
    await harness.servers.get('s')?.stop();
    const canonical = await harness.servers.get('s')?.definitionToApprove();
    await harness.approvals.pin(canonical ?? '', { instructions: '', tools: { echo: '{}' } });
    await harness.servers.get('s')?.startAnew();
    match(harness.tool('mcp_s_echo').whyNotOffered ?? '', /Review its changes/);
  });

  it('that endlessly reports changes is listed one request at a time', async () => {
    await begin('changes-for-ever');
    await harness.call('mcp_s_echo', {});
    await eventually(async () => {
      match((await harness.call('mcp_s_echo', {})).text, /^listed ([2-9]|\d\d) times, 1 at once$/);
    });
  });

  it('G24.secret: is not given a password', async () => {
    await begin('asks-secret');
    equal((await harness.call('mcp_s_echo', {})).text, 'the user said: decline');
    deepEqual(harness.forms, []);
  });

  it('may have 64 tools', async () => {
    await begin('many-tools');
    equal(harness.servers.tools().length, limits.mcpToolsPerServer);
    deepEqual(harness.servers.get('s')?.flaws, ['200 of its 1200 tools are left out.']);
    match(harness.log.join('\n'), /200 of its 1200 tools are left out/);
  });

  it('with lists that cannot be read keeps the others', async () => {
    await begin('failing-lists');
    equal((await harness.call('mcp_s_echo', { text: 'fine' })).text, 'echo: fine');
    const s = harness.servers.get('s');
    deepEqual(
      s?.offer.resources.map(({ uri }) => uri),
      ['x://z'],
    );
    deepEqual(s.flaws.toSorted(), [
      'Its prompts could not be read: the database is locked',
      'Left out of its resources: x://y (it has no name).',
    ]);
  });

  it('with a list that has no end is used with what was read', async () => {
    await begin('endless-list');
    equal(harness.servers.tools().length, limits.mcpListPages);
    match(harness.servers.get('s')?.flaws.join() ?? '', /cut short after 200 pages/);
  });

  it('G23.schemas: has only tools offered that can be shown, checked and told apart', async () => {
    const before = process.cpuUsage();
    await begin('schemas');
    const why = (name: string): string => harness.tool(`mcp_s_${name}`).whyNotOffered ?? 'offered';
    match(why('deep'), /nested more than 16 levels/);
    match(why('huge'), /larger than 32 KiB/);
    match(why('doubling'), /larger than 64 KiB with all that it refers to/);
    equal(why('circle'), 'offered');
    equal(why('fetched'), 'offered');
    match(why('hidden'), /hidden characters: te⟨U\+200B⟩xt/);
    ok(harness.tool('mcp_s_long').spec.description.length < 2_200);
    // Its annotations loosen nothing, and a built-in name stays built in.
    equal(harness.tool('mcp_s_lies').effect, 'execute');
    equal(harness.tool('mcp_s_read_file').toolset, 'mcp_s');
    const text = `${'a'.repeat(40)}!`;
    match((await harness.call('mcp_s_circle', { text: { text: {} } })).text, /echo|circle/);
    for (const name of ['fetched', 'pattern']) {
      match((await harness.call(`mcp_s_${name}`, { text })).text, /aaaa/);
    }
    const { user, system } = process.cpuUsage(before);
    ok(user + system < 10_000_000, `${user + system} microseconds of processor time`);
  });

  it('G24.annotations: asks, whatever its annotations say, until the user allows this tool', async () => {
    await begin('schemas');
    const { signal } = new AbortController();
    const verdict = async () => (await harness.tool('mcp_s_lies').prepare({}, signal)).accesses[0]?.verdict;
    const asked = await verdict();
    equal(asked?.decision, 'ask');
    if (asked.grant?.type === 'allow-mcp-tool') harness.approvals.allow(asked.grant.digest);
    equal((await verdict())?.decision, 'auto');
    equal((await harness.tool('mcp_s_pattern').prepare({}, signal)).accesses[0]?.verdict.decision, 'ask');
  });

  it('is gone after it was started and stopped again and again', async function () {
    this.timeout(120_000);
    const names = Array.from({ length: 10 }, (_, at) => `s${at}`);
    await harness.start(
      ...names.map((name) => programServer(name, HOSTILE_SERVER, 'leaves-children', trace)),
    );
    const descriptors = openDescriptors();
    for (let round = 1; round < caseCount(10); round++) {
      await Promise.all(harness.servers.all.map((server) => server.startAnew()));
      deepEqual(new Set(harness.servers.all.map((server) => server.state.type)), new Set(['running']));
    }
    await harness.servers.end();
    deepEqual(processesWith(trace), []);
    deepEqual(zombies(), []);
    ok(openDescriptors() <= descriptors, 'pipes were left open');
  });
});
