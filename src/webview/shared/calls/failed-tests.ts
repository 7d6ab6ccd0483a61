/** What test runners write at the end, with the number of tests that failed. */
const SUMMARIES: readonly RegExp[] = [
  // node --test
  /^(?:# |ℹ )fail (\d+)$/gm,
  // Mocha
  /^ *(\d+) failing$/gm,
  // Jest, Vitest
  /^ *Tests:? +(\d+) failed\b/gm,
  // Playwright
  /^ *(\d+) failed$/gm,
  // pytest
  /^=+ (?:.*, )?(\d+) failed\b.*=+$/gm,
  /^(\d+) failed\b.* in [\d.]+s/gm,
  // cargo test
  /^test result: FAILED\. \d+ passed; (\d+) failed;/gm,
  // unittest
  /^FAILED \((?:.*\b)?failures=(\d+)/gm,
  // .NET
  /^ *Failed: +(\d+)\b/gm,
];

const GO_TEST = /^--- FAIL: /gm;

/** Colours and other control sequences. */
const ESCAPES = /\u001b\[[0-9;]*m/g;

/** How many tests have failed by the output of a test runner; `undefined` if it does not say. */
export function failedTests(output: string): number | undefined {
  // The summary is at the end.
  const text = output.slice(-TAIL).replace(ESCAPES, '').replaceAll('\r', '');
  for (const summary of SUMMARIES) {
    const count = Number([...text.matchAll(summary)].at(-1)?.[1] ?? 0);
    if (count > 0) return count;
  }
  const ofGo = text.match(GO_TEST)?.length ?? 0;
  return ofGo > 0 ? ofGo : undefined;
}

const TAIL = 64 * 1024;
