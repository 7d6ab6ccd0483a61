/** The results of the tests of one file. */
export interface FileResult {
  /** Absolute path; a plain name if it is not a test file. */
  readonly file: string;
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** Its slow tests and hooks, for the table of `npm test -- --slow`. */
  readonly slow?: readonly SlowTest[];
}

/** A test, or a hook before or after tests. */
export interface SlowTest {
  /** After the titles of the blocks around it. */
  readonly title: string;
  readonly seconds: number;
}

export interface Failure {
  /** The test's title, after the titles of the blocks around it. */
  readonly title: string;
  readonly message: string;
}

/** Whether something ran and nothing failed. */
export function isFine(results: readonly FileResult[]): boolean {
  return results.some(({ passed }) => passed > 0) && results.every(({ failures }) => failures.length === 0);
}

/** A failure outside of tests. */
export function failure(name: string, message: string): FileResult {
  return { file: name, passed: 0, failures: [{ title: '', message }] };
}

const label = 'PARLEY_MOCHA ';

/** The line that reports the results of a suite to a runner in another process. */
export function resultsLine(results: readonly FileResult[]): string {
  return label + JSON.stringify(results);
}

/** The results in the output of a suite; undefined if it did not finish. */
export function readResults(output: string): readonly FileResult[] | undefined {
  const line = output
    .split('\n')
    .reverse()
    .find((each) => each.startsWith(label));
  // SAFETY: the line was written by resultsLine.
  return line === undefined ? undefined : (JSON.parse(line.slice(label.length)) as readonly FileResult[]);
}
