import { readdirSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { countsLine } from './counts';
import type { Counts } from './counts';

export interface SuiteOptions {
  /** Every `*.test.js` below it is run. */
  readonly folder: string;
  /** Milliseconds a test may take unless it says otherwise. */
  readonly timeout: number;
  readonly print: (text: string) => void;
}

/** Runs the tests of a folder in this process, prints each one, and last the line that readCounts reads. */
export async function runSuite({ folder, timeout, print }: SuiteOptions): Promise<Counts> {
  const mocha = new Mocha({ timeout });
  for (const file of testFiles(folder)) mocha.addFile(file);
  Mocha.reporters.Base.consoleLog = (...values: unknown[]): void => print(format(...values));
  const counts = await new Promise<Counts>((resolve) => {
    const runner = mocha.run((failed) => resolve({ passed: runner.stats?.passes ?? 0, failed }));
  });
  print(countsLine(counts));
  return counts;
}

function testFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .sort()
    .map((file) => path.join(folder, file));
}
