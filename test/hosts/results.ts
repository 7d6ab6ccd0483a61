/** How the tests of one file ended. */
export interface FileResult {
  /** Absolute path; of what is no file of tests its name. */
  readonly file: string;
  readonly passed: number;
  readonly failures: readonly Failure[];
}

export interface Failure {
  /** The test's title, with those of the blocks around it. */
  readonly title: string;
  readonly message: string;
}

/** Something ran, and nothing failed. */
export function isFine(results: readonly FileResult[]): boolean {
  return results.some(({ passed }) => passed > 0) && results.every(({ failures }) => failures.length === 0);
}

/** What is no test, but has failed. */
export function failure(name: string, message: string): FileResult {
  return { file: name, passed: 0, failures: [{ title: '', message }] };
}

const label = 'PARLEY_MOCHA ';

/** The line that tells a runner in another process how a suite ended. */
export function resultsLine(results: readonly FileResult[]): string {
  return label + JSON.stringify(results);
}

/** The results in the output of a suite; none when it did not come to its end. */
export function readResults(output: string): readonly FileResult[] | undefined {
  const line = output
    .split('\n')
    .reverse()
    .find((each) => each.startsWith(label));
  // SAFETY: the line was written by resultsLine.
  return line === undefined ? undefined : (JSON.parse(line.slice(label.length)) as readonly FileResult[]);
}
