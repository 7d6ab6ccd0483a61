import path from 'node:path';
import type { Settings } from './settings';
import type { VsCodeRelease } from './vscode-versions';

/** One run of tests inside the extension host of a VS Code, on any host. */
export interface TestRun {
  readonly release: VsCodeRelease;
  readonly folder: string;
  /** Absolute paths of the extensions under development. */
  readonly extensions: readonly string[];
  /** Absolute paths of packages to install first. Without any, no installed extension is loaded. */
  readonly packages?: readonly string[];
  /** Absolute path of a module that exports `run()`. */
  readonly tests: string;
  readonly settings: Settings;
  /** Passed to the extension host. */
  readonly env: Readonly<Record<string, string>>;
  readonly print: (line: string) => void;
}

export interface TestRunEnd {
  readonly passed: boolean;
  /** Everything VS Code has printed, in case the tests stop early. */
  readonly log: string;
}

const mark = 'test>';

/** Marks the output of a test run, because VS Code's messages use the same channel. */
export function markLines(text: string): string {
  return text.replace(/^/gm, mark);
}

/** The marked lines of VS Code's output, without their mark. */
export function markedLines(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const at = line.indexOf(mark);
    return at === -1 ? [] : [line.slice(at + mark.length)];
  });
}

/** The environment that makes `chosenFiles` return these files; undefined means all. */
export function choiceOf(files: readonly string[] | undefined): Readonly<Record<string, string>> {
  return files === undefined ? {} : { PARLEY_TEST_FILES: files.join(path.delimiter) };
}

/** The test files requested for this run; undefined means all. */
export function chosenFiles(env: NodeJS.ProcessEnv = process.env): readonly string[] | undefined {
  return env['PARLEY_TEST_FILES']?.split(path.delimiter);
}
