import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { isAll } from '../../hosts/random-cases';
import { long } from '../platform';
import { isSandboxAvailable } from '../sandbox-available';
import type { Escape, EscapeResult } from './escape';
import { tables } from './tables';

const NOBODY = 65_534;

/**
 * Describes each attempt of a table as this user. For root, as a user without rights, and in the long line also as
 * root.
 */
export function describeEscapes(table: string): void {
  const rows = tables[table] ?? [];
  const isRoot = process.getuid?.() === 0;
  const all = isRoot ? rows : rows.filter((row) => !row.isRoots);
  // Both runs start with the first test, because they wait most of the time.
  let begun: Readonly<Record<'own' | 'others', Promise<readonly EscapeResult[]>>> | undefined;
  const begin = () =>
    (begun ??= {
      own: isRoot && !isAll ? Promise.resolve([]) : run(table, undefined),
      others: isRoot ? run(table, NOBODY) : Promise.resolve([]),
    });
  const describeOwn = (): void => describeRows(`as ${isRoot ? 'root' : 'this user'}`, all, () => begin().own);
  if (isRoot) long.describe('with all rights', describeOwn);
  else describeOwn();
  if (!isRoot) return;
  const others = rows.filter((row) => !row.isRoots);
  describeRows('as a user without rights', others, () => begin().others);
}

function describeRows(
  title: string,
  rows: readonly Escape[],
  results: () => Promise<readonly EscapeResult[]>,
): void {
  describe(title, function () {
    this.timeout(120_000);
    const found = new Map<string, EscapeResult>();

    before(async function () {
      if ((await isSandboxAvailable(this)) && canRun())
        for (const each of await results()) found.set(each.name, each);
      else this.skip();
    });

    for (const { name, needs } of rows) {
      it(`does not let a command ${name}`, function () {
        const result = found.get(name);
        assert.ok(result, 'The row was not run.');
        const { control, escaped, traces, printed } = result;
        if (!control && needs !== undefined) this.skip();
        assert.ok(
          control,
          `The attempt must succeed outside, or it shows nothing. It printed: ${printed[0]}`,
        );
        assert.equal(result.failure, undefined);
        assert.ok(!escaped, `It succeeded. It printed: ${printed[1]}`);
        assert.deepEqual(traces, []);
      });
    }
  });
}

/** The programs that attempts use. */
function canRun(): boolean {
  return ['python3', 'git', 'setpriv'].every((name) =>
    ['/usr/local/bin', '/usr/bin', '/bin'].some((folder) => existsSync(path.join(folder, name))),
  );
}

/** Runs in a separate process, with a home, a temporary folder and an environment made by the test. */
async function run(table: string, user: number | undefined): Promise<readonly EscapeResult[]> {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-escapes-')));
  try {
    const program = path.join(top, 'run-escapes.cjs');
    await build({
      entryPoints: [path.resolve('test/support/escapes/run-escapes.ts')],
      bundle: true,
      platform: 'node',
      outfile: program,
      logLevel: 'error',
    });
    chmodSync(program, 0o644);
    const own = mkdtempSync(path.join(top, 'own-'));
    chmodSync(top, 0o711);
    if (user !== undefined) chownSync(own, user, user);
    const words = [process.execPath, program, table, own];
    const lines = await output(
      user === undefined ? words : ['setpriv', ...CLEAR, `--reuid=${user}`, `--regid=${user}`, ...words],
      own,
    );
    return lines.map((line) => JSON.parse(line) as EscapeResult);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

const CLEAR = ['--clear-groups'];

function output([program = '', ...args]: readonly string[], cwd: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk) => (printed += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(printed.trim().split('\n'));
      else reject(new Error(`The table ended with ${code}: ${printed}`));
    });
  });
}
