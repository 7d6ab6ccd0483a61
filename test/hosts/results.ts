export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const label = 'PARLEY_MOCHA ';

/** The line that tells a runner in another process how a suite ended. */
export function countsLine(counts: Counts): string {
  return label + JSON.stringify(counts);
}

/** The counts in the output of a suite; none when it did not come to its end. */
export function readCounts(output: string): Counts | undefined {
  const line = output
    .split('\n')
    .reverse()
    .find((each) => each.startsWith(label));
  // SAFETY: the line was written by countsLine.
  return line === undefined ? undefined : (JSON.parse(line.slice(label.length)) as Counts);
}
