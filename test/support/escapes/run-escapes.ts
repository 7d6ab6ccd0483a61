// Runs a table of attempts as the current user: `node run-escapes.js TABLE FOLDER`. Prints one result per line, as
// JSON.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createFiles } from '../../../src/node/files/files';
import { createProcesses } from '../../../src/node/processes/processes';
import { Sandbox } from '../../../src/node/sandbox/sandbox';
import { noSandbox, type SandboxSettings } from '../../../src/node/sandbox/settings';
import { turns } from '../turns';
import type { Escape, EscapeResult } from './escape';
import { tables } from './tables';
import { World } from './world';

type Snapshot = ReadonlyMap<string, string>;

async function main(table: string, top: string): Promise<void> {
  process.umask(0o022);
  const world = new World(top);
  const place = (name: string): string => {
    mkdirSync(path.join(top, name), { recursive: true });
    return path.join(top, name);
  };
  process.env['HOME'] = world.home;
  process.env['TMPDIR'] = place('tmp');
  const folders = [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'];
  process.env['PATH'] = [path.join(world.home, '.cargo/bin'), ...folders].join(':');
  let settings: SandboxSettings = noSandbox;
  const roots = [world.workspace];
  const sandbox = new Sandbox({ roots, settings: () => settings, stateFolder: place('state') });
  const processes = createProcesses({
    roots,
    isTrusted: () => true,
    rules: () => ({ allow: [], deny: [] }),
    grammar: () => Promise.resolve(undefined),
    sandbox,
  });
  const files = createFiles({ roots });

  const inside = async (command: string): Promise<string> => {
    const cwd = await files.resolve('.', 'list');
    const options = { command, cwd, inSandbox: true, timeoutMs: TIMEOUT_MS, keepLog: true };
    const started = await processes.start(options, new AbortController().signal);
    const { sandbox: report } = await started.ended;
    if (report && report.remaining.length > 0) throw new Error(`Remaining: ${report.remaining.join(', ')}`);
    const { head, tail } = started.log.excerpt();
    return head + tail;
  };

  for (const escape of tables[table] ?? []) {
    if (escape.isRoots && process.getuid?.() !== 0) continue;
    world.reset();
    const control = await tried(escape, world, (command) => outside(command, world.workspace));
    world.reset();
    settings = { ...noSandbox, isEnabled: true, runUnasked: true, ...escape.settings?.(world) };
    let [before, after]: [Snapshot, Snapshot] = [new Map(), new Map()];
    const inner = await tried(escape, world, async (command) => {
      before = world.snapshot();
      const printed = await inside(`echo '${STARTED}'; ${command}`);
      after = world.snapshot();
      if (!printed.includes(STARTED)) throw new Error(`It did not start: ${printed}`);
      return printed;
    });
    const result: EscapeResult = {
      name: escape.name,
      control: control.done,
      escaped: inner.done,
      traces: tracesOf(
        before,
        after,
        (escape.leaves ?? []).map((leaf) => world.in(leaf)),
      ),
      ...(inner.failure !== undefined && { failure: inner.failure }),
      printed: [control.failure ?? control.printed, inner.printed],
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
  await processes.endAll();
  await sandbox.close();
}

const TIMEOUT_MS = 10_000;
/** A failed attempt counts only if the command has run at all. */
const STARTED = 'It has started.';

interface Tried {
  readonly done: boolean;
  readonly printed: string;
  readonly failure?: string;
}

async function tried(
  { prepare, attempt, succeeded }: Escape,
  world: World,
  run: (command: string) => Promise<string>,
): Promise<Tried> {
  try {
    await prepare?.(world);
    const printed = await run(attempt(world));
    return { done: await succeeded(world, printed), printed };
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { done: false, printed: '', failure };
  } finally {
    await world.cleanUp();
  }
}

function outside(command: string, cwd: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-c', command], { cwd, timeout: TIMEOUT_MS });
    let printed = '';
    child.stdout.on('data', (chunk) => (printed += String(chunk)));
    child.stderr.on('data', (chunk) => (printed += String(chunk)));
    child.stdin.end();
    // Does not wait for the end of the output: a daemon may keep it open.
    child.once('exit', () => void turns().then(() => resolve(printed)));
  });
}

function tracesOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  allowed: readonly string[],
): readonly string[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (at) => before.get(at) !== after.get(at),
  );
  return changed.filter((at) => !allowed.some((leaf) => at === leaf || at.startsWith(`${leaf}/`)));
}

const [, , table = '', top = ''] = process.argv;
void main(table, top);
