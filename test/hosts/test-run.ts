import path from 'node:path';
import type { Settings } from './settings';
import type { VsCodeRelease } from './vscode-versions';

/** One run of tests inside the extension host of a VS Code, whichever host that is. */
export interface TestRun {
  readonly release: VsCodeRelease;
  readonly folder: string;
  /** Absolute paths of the extensions under development. */
  readonly extensions: readonly string[];
  /** Absolute paths of packages to install before. Without any, no installed extension is loaded. */
  readonly packages?: readonly string[];
  /** Absolute path of a module that exports `run()`. */
  readonly tests: string;
  readonly settings: Settings;
  /** Reaches the extension host. */
  readonly env: Readonly<Record<string, string>>;
  readonly print: (line: string) => void;
}

export interface TestRunEnd {
  readonly passed: boolean;
  /** Everything VS Code has printed, for the case that the tests break off. */
  readonly log: string;
}

const mark = 'test>';

/** Marks what a test run prints, because VS Code's own messages come through the same channel. */
export function markLines(text: string): string {
  return text.replace(/^/gm, mark);
}

/** The marked lines in what VS Code has printed, without their mark. */
export function markedLines(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const at = line.indexOf(mark);
    return at === -1 ? [] : [line.slice(at + mark.length)];
  });
}

/** The environment that has `chosenFiles` give these; of none all are wanted. */
export function choiceOf(files: readonly string[] | undefined): Readonly<Record<string, string>> {
  return files === undefined ? {} : { PARLEY_TEST_FILES: files.join(path.delimiter) };
}

/** The test files that this run was asked for; none where it is all of them. */
export function chosenFiles(env: NodeJS.ProcessEnv = process.env): readonly string[] | undefined {
  return env['PARLEY_TEST_FILES']?.split(path.delimiter);
}
