// The kinds of steps of `test/run.ts`. Each prints its output and returns its results.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { chooseHost, lookAround } from './choose-host';
import { runTestsInDesktop } from './desktop';
import type { Job, Print } from './lanes';
import { repository } from './repository';
import { failure, isFine, readResults, type FileResult } from './results';
import { runProgram, tail } from './run-program';
import { copySampleWorkspace } from './sample-workspace';
import { runTestsInServer } from './server-tests';
import { trusted } from './settings';
import { testFiles } from './suite';
import type { Outcome } from './summary';
import { choiceOf } from './test-run';
import { newest, type VsCodeRelease } from './vscode-versions';

type Run = Job['run'];

const minutes = 60_000;
const tests = path.join(__dirname, '..');

export function npmScript(name: string): Run {
  return program(name, 'npm', ['run', '--silent', name]);
}

/** Runs a file of out/test with these arguments; it passes if it exits with 0. */
export function script(file: string, ...words: readonly string[]): Run {
  return program(file, process.execPath, [path.join(tests, file), ...words]);
}

function program(name: string, file: string, args: readonly string[]): Run {
  return async (print) => {
    const { code, output } = await runProgram(file, args, { cwd: repository, print, timeout: 15 * minutes });
    return { results: [code === 0 ? { file: name, passed: 1, failures: [] } : failure(name, tail(output))] };
  };
}

/** Runs a folder of tests in `parts` parts, each in a separate process. */
export function inParts(folder: string, count: number): readonly Run[] {
  return Array.from(
    { length: count },
    (_, at) => (print: Print) => suite(print, [folder, `${at + 1}/${count}`], 25 * minutes),
  );
}

/** Runs each file of a folder in a separate process. */
export function eachFile(folder: string, timeout = 15 * minutes): readonly Run[] {
  return filesOf(folder).map((file) => (print) => suite(print, [file], timeout));
}

/** Runs test files that drive windows of this release, each in a separate process. */
export function inWindows(files: readonly string[], release: VsCodeRelease): readonly Run[] {
  const env = { PARLEY_WORKBENCH: release === newest ? 'newest' : 'floor' };
  return files.map((file) => (print) => {
    print(`\n--- ${file} in VS Code ${release.version} ---\n`);
    return withSecondTry(async () => (await suite(print, [file], 15 * minutes, env)).results, print);
  });
}

/** Runs the tests inside the extension host. */
export function integration(release: VsCodeRelease): Run {
  return (print) => withSecondTry((files) => inExtensionHost(release, files, print), print);
}

/** Returns the test files of a folder, by their paths in out/test. */
export function filesOf(folder: string): readonly string[] {
  return testFiles(path.join(tests, folder)).map((file) => path.relative(tests, file));
}

/** Runs `suite-main.ts` with these arguments. */
async function suite(
  print: Print,
  words: readonly string[],
  timeout: number,
  env?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const args = ['--enable-source-maps', path.join(__dirname, 'suite-main.js'), ...words];
  const { code, output } = await runProgram(process.execPath, args, {
    cwd: repository,
    env: { ...process.env, ...env },
    print,
    timeout,
  });
  return { results: checked(words.join(' '), code === 0, readResults(output)) };
}

/**
 * Runs the failed files once more, in a new window: on a busy machine a real VS Code may miss a click or be late.
 * The summary reports it, with the reason.
 */
async function withSecondTry(
  run: (files?: readonly string[]) => Promise<readonly FileResult[]>,
  print: Print,
): Promise<Outcome> {
  const results = await run();
  const again = results.filter(({ failures }) => failures.length > 0);
  if (again.length === 0) return { results };
  const files = again.map(({ file }) => file);
  print(`\n--- once more: ${files.map((file) => path.relative(tests, file)).join(', ')} ---\n`);
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
    tests: path.join(tests, 'integration/index.js'),
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

/** A suite also fails if it ran nothing, or failed outside its tests. */
function checked(
  name: string,
  hasSucceeded: boolean,
  results: readonly FileResult[] = [],
): readonly FileResult[] {
  const hasFailures = results.some(({ failures }) => failures.length > 0);
  if (hasFailures || (hasSucceeded && isFine(results))) return results;
  return [...results, failure(name, 'It did not finish, ran nothing or left something running.')];
}
