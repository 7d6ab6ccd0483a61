import { rm } from 'node:fs/promises';
import path from 'node:path';
import { chooseHost, lookAround } from './hosts/choose';
import { findChromium } from './hosts/chromium';
import { runTestsInDesktop } from './hosts/desktop';
import { repository } from './hosts/repository';
import { isFine, readResults } from './hosts/results';
import type { FileResult } from './hosts/results';
import { runProgram, tail } from './hosts/run-program';
import { copySampleWorkspace } from './hosts/sample-workspace';
import { installServer } from './hosts/server-install';
import { runTestsInServer } from './hosts/server-tests';
import { trusted } from './hosts/settings';
import { testFiles } from './hosts/suite';
import { summary, succeeded } from './hosts/summary';
import type { Outcome, StepResult } from './hosts/summary';
import { choiceOf } from './hosts/test-run';
import { floor, newest } from './hosts/vscode-versions';
import type { VsCodeRelease } from './hosts/vscode-versions';

const minutes = 60_000;

type Print = (text: string) => void;
type Step = (print: Print) => Promise<Outcome>;

const steps: Readonly<Record<string, Step>> = {
  types: (print) => npmScript('check', print),
  lint: (print) => npmScript('lint', print),
  unit: (print) => suite('unit', 25 * minutes, print),
  integration: (print) => integration(floor, print),
  newest: (print) => integration(newest, print),
  docs: (print) => suite('docs', 15 * minutes, print),
  pages: (print) => suite('pages', 25 * minutes, print),
  e2e: (print) => windows('e2e', [floor], print),
  'e2e-newest': (print) => windows('e2e', [newest], print),
  'e2e-in-turn': (print) => windows('e2e', [floor, newest], print),
  release: (print) => windows('release', [floor], print),
  long: (print) => suite('long', 120 * minutes, print),
};

/**
 * What `npm test` runs: two at a time, because each keeps about one core busy. First what needs neither a VS Code nor a
 * browser, which are fetched meanwhile; then the longest, so that both end at about the same time.
 */
const all = ['unit', 'lint', 'types', 'e2e-in-turn', 'pages', 'newest', 'integration', 'release', 'docs'];

async function main(names: readonly string[]): Promise<void> {
  const results: StepResult[] = [];
  if (names.length > 0) await runFrom([...names], results, print);
  else {
    const queue = [...all];
    await Promise.all([runFrom(queue, results, print), runFrom(queue, results), fetchHosts()]);
  }
  console.log(summary(results));
  process.exitCode = succeeded(results) ? 0 : 1;
}

/** So that no step has to wait for it. One that finds them missing all the same fetches them itself, and says why not. */
async function fetchHosts(): Promise<void> {
  if (chooseHost('tests', lookAround()).type !== 'server') return;
  const servers = installServer(floor).then(() => installServer(newest));
  await Promise.allSettled([servers, findChromium()]);
}

/** Takes steps from the queue until it is empty. Without `live` each is printed when it has ended, to stay in one piece. */
async function runFrom(queue: string[], results: StepResult[], live?: Print): Promise<void> {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const kept: string[] = [];
    results.push(await timed(name, live ?? ((text) => void kept.push(text))));
    print(kept.join(''));
  }
}

async function timed(name: string, tell: Print): Promise<StepResult> {
  tell(`\n=== ${name} ===\n`);
  const start = Date.now();
  const step = steps[name] ?? (() => Promise.reject(new Error(`There is no step ${name}.`)));
  const outcome = await ended(name, () => step(tell), tell);
  return { name, seconds: (Date.now() - start) / 1000, ...outcome };
}

/** A step that breaks off counts as one failure, so that the steps after it still run. */
async function ended(name: string, step: () => Promise<Outcome>, tell: Print): Promise<Outcome> {
  try {
    return await step();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    tell(`${message}\n`);
    return { results: [failure(name, message)] };
  }
}

async function npmScript(name: string, print: Print): Promise<Outcome> {
  const { code, output } = await runProgram('npm', ['run', '--silent', name], {
    cwd: repository,
    print,
    timeout: 15 * minutes,
  });
  return { results: [code === 0 ? { file: name, passed: 1, failures: [] } : failure(name, tail(output))] };
}

async function suite(name: string, timeout: number, print: Print, env?: NodeJS.ProcessEnv): Promise<Outcome> {
  const main = path.join(__dirname, 'hosts/suite-main.js');
  const args = ['--enable-source-maps', main, name];
  const { code, output } = await runProgram(process.execPath, args, {
    cwd: repository,
    env: { ...process.env, ...env },
    print,
    timeout,
  });
  return { results: checked(path.join(__dirname, name), code === 0, readResults(output)) };
}

/** Tests that click through windows: each file in one of these releases in turn, if it names none, and in a process of its own. */
async function windows(folder: string, releases: readonly VsCodeRelease[], print: Print): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const [index, file] of testFiles(path.join(__dirname, folder)).entries()) {
    const release = releases[index % releases.length] ?? floor;
    const env = { PARLEY_WORKBENCH: release === newest ? 'newest' : 'floor' };
    const name = path.relative(__dirname, file);
    print(`\n--- ${name} in VS Code ${release.version} ---\n`);
    outcomes.push(
      await withSecondTry(async () => (await suite(name, 15 * minutes, print, env)).results, print),
    );
  }
  return {
    results: outcomes.flatMap(({ results }) => results),
    again: outcomes.flatMap(({ again = [] }) => again),
  };
}

/** The tests inside the extension host. */
async function integration(release: VsCodeRelease, print: Print): Promise<Outcome> {
  return withSecondTry((files) => inExtensionHost(release, files, print), print);
}

/**
 * Runs the files that failed once more, in a new window: on a busy machine a real VS Code may miss a click or be late.
 * The summary says so, and why.
 */
async function withSecondTry(
  run: (files?: readonly string[]) => Promise<readonly FileResult[]>,
  print: Print,
): Promise<Outcome> {
  const results = await run();
  const again = results.filter(({ failures }) => failures.length > 0);
  if (again.length === 0) return { results };
  const files = again.map(({ file }) => file);
  print(`\n--- once more: ${files.map((file) => path.relative(__dirname, file)).join(', ')} ---\n`);
  return { results: [...results.filter(({ file }) => !files.includes(file)), ...(await run(files))], again };
}

async function inExtensionHost(
  release: VsCodeRelease,
  files: readonly string[] | undefined,
  print: Print,
): Promise<readonly FileResult[]> {
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
    env: choiceOf(files),
    print: (line: string) => {
      printed.push(line);
      print(`${line}\n`);
    },
  };
  try {
    const end =
      host.type === 'server' ? await runTestsInServer(run) : await runTestsInDesktop(run, host.executable);
    const results = readResults(printed.join('\n')) ?? [];
    if (end.passed !== isFine(results))
      throw new Error(`The tests broke off. VS Code said last:\n${tail(end.log)}`);
    return results;
  } finally {
    await rm(path.dirname(folder), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A suite that ran nothing, or failed in another way than by its tests, has failed. */
function checked(
  file: string,
  hasSucceeded: boolean,
  results: readonly FileResult[] = [],
): readonly FileResult[] {
  const hasFailures = results.some(({ failures }) => failures.length > 0);
  if (hasFailures || (hasSucceeded && isFine(results))) return results;
  return [...results, failure(file, 'It did not come to its end, ran nothing or left something running.')];
}

function failure(file: string, message: string): FileResult {
  return { file, passed: 0, failures: [{ title: '', message }] };
}

function print(text: string): void {
  process.stdout.write(text);
}

void main(process.argv.slice(2));
