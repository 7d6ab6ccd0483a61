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

const WINDOWS = 9;

async function main(given: readonly string[]): Promise<void> {
  const builds = given.length === 0 ? [repository] : given.map((folder) => path.resolve(folder));
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  try {
    for (const release of [floor, newest]) {
      const times = new Map(builds.map((build) => [build, [] as number[]]));
      for (let window = 0; window < WINDOWS; window++) {
        for (const [build, measured] of times) measured.push(await activate(build, folder, release));
      }
      for (const [build, measured] of times) {
        const all = measured.map((time) => time.toFixed(0)).join(' ');
        console.log(`VS Code ${release.version}, ${build}: ${median(measured).toFixed(1)} ms (${all})`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds. */
async function activate(build: string, folder: string, release: VsCodeRelease): Promise<number> {
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
  return Number(printed[0]);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
