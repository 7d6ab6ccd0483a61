import { rm } from 'node:fs/promises';
import path from 'node:path';
import { chooseHost, lookAround } from './hosts/choose';
import { readCounts } from './hosts/counts';
import type { Counts } from './hosts/counts';
import { runTestsInDesktop } from './hosts/desktop';
import { repository } from './hosts/repository';
import { runProgram, tail } from './hosts/run-program';
import { copySampleWorkspace } from './hosts/sample-workspace';
import { runTestsInServer } from './hosts/server-tests';
import { trusted } from './hosts/settings';
import { testFiles } from './hosts/suite';
import { floor, newest } from './hosts/vscode-versions';
import type { VsCodeRelease } from './hosts/vscode-versions';

const minutes = 60_000;

type Print = (text: string) => void;
type Step = (print: Print) => Promise<Outcome>;

interface Outcome extends Counts {
  /** Test files that failed, and were run once more. */
  readonly again?: readonly string[];
}

const steps: Readonly<Record<string, Step>> = {
  types: (print) => npmScript('check', print),
  lint: (print) => npmScript('lint', print),
  unit: (print) => suite('unit', 12 * minutes, print),
  integration: (print) => integration(floor, print),
  newest: (print) => integration(newest, print),
  docs: (print) => suite('docs', 8 * minutes, print),
  pages: (print) => suite('pages', 25 * minutes, print),
  e2e: (print) => clicks([floor], print),
  'e2e-newest': (print) => clicks([newest], print),
  'e2e-in-turn': (print) => clicks([floor, newest], print),
  release: (print) => suite('release', 8 * minutes, print),
  long: (print) => suite('long', 120 * minutes, print),
};

/** What `npm test` runs. The lists run side by side, because each of them keeps one core busy, and about as long. */
const lists: readonly (readonly string[])[] = [
  ['types', 'lint', 'unit', 'pages', 'release'],
  ['integration', 'newest', 'e2e-in-turn', 'docs'],
];

interface Result extends Outcome {
  readonly name: string;
  readonly seconds: number;
}

async function main(names: readonly string[]): Promise<void> {
  const results = await Promise.all(
    (names.length === 0 ? lists : [names]).map((list, index) =>
      inOrder(list, index === 0 ? print : undefined),
    ),
  );
  printSummary(results.flat());
}

/** Without `live` each step is printed when it has ended, so that it is not mixed with those beside it. */
async function inOrder(names: readonly string[], live: Print | undefined): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const name of names) {
    const kept: string[] = [];
    results.push(await timed(name, live ?? ((text) => void kept.push(text))));
    print(kept.join(''));
  }
  return results;
}

async function timed(name: string, tell: Print): Promise<Result> {
  tell(`\n=== ${name} ===\n`);
  const start = Date.now();
  const step = steps[name] ?? (() => Promise.reject(new Error(`There is no step ${name}.`)));
  const counts = await outcome(() => step(tell), tell);
  return { name, seconds: (Date.now() - start) / 1000, ...counts };
}

/** A step that breaks off counts as one failure, so that the steps after it still run. */
async function outcome(step: () => Promise<Outcome>, tell: Print): Promise<Outcome> {
  try {
    return await step();
  } catch (error) {
    tell(`${error instanceof Error ? error.message : String(error)}\n`);
    return { passed: 0, failed: 1 };
  }
}

async function npmScript(name: string, print: Print): Promise<Counts> {
  const { code } = await runProgram('npm', ['run', '--silent', name], {
    cwd: repository,
    print,
    timeout: 6 * minutes,
  });
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function suite(name: string, timeout: number, print: Print, env?: NodeJS.ProcessEnv): Promise<Counts> {
  const main = path.join(__dirname, 'hosts/suite-main.js');
  const args = ['--enable-source-maps', main, name];
  const { code, output } = await runProgram(process.execPath, args, {
    cwd: repository,
    env: { ...process.env, ...env },
    print,
    timeout,
  });
  return checked(code === 0, readCounts(output));
}

/**
 * The tests that click through a window, each file in one of these releases in turn and in a process of its own. On a busy machine a real workbench may miss a click or
 * be late, so a file that fails is run once more, in a new window, and the summary says so.
 */
async function clicks(releases: readonly VsCodeRelease[], print: Print): Promise<Outcome> {
  const again: string[] = [];
  const all: Counts[] = [];
  for (const [index, file] of testFiles(path.join(__dirname, 'e2e')).entries()) {
    const release = releases[index % releases.length];
    const env = { PARLEY_WORKBENCH: release === newest ? 'newest' : 'floor' };
    const name = path.relative(__dirname, file);
    print(`\n--- ${name} in VS Code ${release?.version} ---\n`);
    const run = (): Promise<Counts> => suite(name, 15 * minutes, print, env);
    let counts = await run();
    if (counts.failed > 0) {
      print(`\n--- ${name} once more ---\n`);
      again.push(path.basename(name));
      counts = await run();
    }
    all.push(counts);
  }
  return { ...sum(all), again };
}

async function integration(release: VsCodeRelease, print: Print): Promise<Counts> {
  const host = chooseHost('tests', lookAround());
  if (host.type === 'none') throw new Error(host.message);
  const folder = await copySampleWorkspace();
  const printed: string[] = [];
  const run = {
    release,
    folder,
    extensions: [repository, path.join(repository, 'test/fixtures/chat-models')],
    tests: path.join(__dirname, 'integration/index.js'),
    settings: trusted,
    print: (line: string) => {
      printed.push(line);
      print(`${line}\n`);
    },
  };
  try {
    const end =
      host.type === 'server' ? await runTestsInServer(run) : await runTestsInDesktop(run, host.executable);
    const counts = readCounts(printed.join('\n'));
    if (counts === undefined) print(`The tests broke off. VS Code said last:\n${tail(end.log)}\n`);
    return checked(end.passed, counts);
  } finally {
    await rm(path.dirname(folder), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A suite that ran nothing, or failed in another way than by its tests, has failed. */
function checked(succeeded: boolean, counts: Counts = { passed: 0, failed: 0 }): Counts {
  const isFine = succeeded && counts.passed > 0;
  return isFine || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

function sum(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((total, { passed }) => total + passed, 0),
    failed: all.reduce((total, { failed }) => total + failed, 0),
  };
}

function printSummary(results: readonly Result[]): void {
  console.log('');
  for (const { name, passed, failed, seconds, again = [] } of results) {
    const more = again.length > 0 ? `; run once more: ${again.join(', ')}` : '';
    console.log(
      `${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s  ${passed} passed, ${failed} failed${more}`,
    );
  }
  const { passed, failed } = sum(results);
  // The last line, which scripts read.
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
}

function print(text: string): void {
  process.stdout.write(text);
}

void main(process.argv.slice(2));
