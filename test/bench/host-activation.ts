// What activation costs in the extension host of the oldest and the newest VS Code, with its module hooks. Compares builds of
// the extension in turns, each in new windows: `node out/test/bench/host-activation.js [FOLDER …]`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repository } from '../hosts/repository';
import { runTestsInServer } from '../hosts/server-tests';
import { trusted } from '../hosts/settings';
import { floor, newest, type VsCodeRelease } from '../hosts/vscode-versions';
import { median } from './measure';

const WINDOWS = 5;

/** Milliseconds by the clock, and of all processors. */
interface Cost {
  readonly clock: number;
  readonly processor: number;
}

async function main(given: readonly string[]): Promise<void> {
  const builds = given.length === 0 ? [repository] : given.map((folder) => path.resolve(folder));
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  try {
    for (const release of [floor, newest]) {
      const costs = new Map(builds.map((build) => [build, [] as Cost[]]));
      for (let window = 0; window < WINDOWS; window++) {
        for (const [build, measured] of costs) measured.push(await activate(build, folder, release));
      }
      for (const [build, measured] of costs) {
        const [clock, processor] = (['clock', 'processor'] as const).map((which) =>
          textOf(measured.map((cost) => cost[which])),
        );
        console.log(`VS Code ${release.version}, ${build}: clock ${clock}, processor ${processor}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds: the median, and all. */
function textOf(times: readonly number[]): string {
  return `${median(times).toFixed(1)} ms (${times.map((time) => time.toFixed(0)).join(' ')})`;
}

async function activate(build: string, folder: string, release: VsCodeRelease): Promise<Cost> {
  const printed: string[] = [];
  const { passed, log } = await runTestsInServer({
    release,
    folder,
    extensions: [build],
    tests: path.join(__dirname, 'host-activation-run.js'),
    settings: trusted,
    env: {},
    print: (line) => printed.push(line),
  });
  if (!passed) throw new Error(log);
  const [clock = NaN, processor = NaN] = printed[0]?.split(' ').map(Number) ?? [];
  return { clock, processor };
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
