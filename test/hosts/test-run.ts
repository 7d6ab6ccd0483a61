import type { Settings } from './settings';
import type { VsCodeRelease } from './vscode-versions';

/** One run of tests inside the extension host of a VS Code, whichever host that is. */
export interface TestRun {
  readonly release: VsCodeRelease;
  readonly folder: string;
  /** Absolute paths of the extensions under development. */
  readonly extensions: readonly string[];
  /** Absolute path of a module that exports `run()`. */
  readonly tests: string;
  readonly settings: Settings;
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
