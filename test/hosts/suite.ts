import { readdirSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { countsLine } from './counts';
import type { Counts } from './counts';

export interface SuiteOptions {
  /** A test file, or a folder: then every `*.test.js` below it is run. */
  readonly where: string;
  /** Milliseconds a test may take unless it says otherwise. */
  readonly timeout: number;
  readonly print: (text: string) => void;
}

/** Runs tests in this process, prints each one, and last the line that readCounts reads. */
export async function runSuite({ where, timeout, print }: SuiteOptions): Promise<Counts> {
  const mocha = new Mocha({ timeout });
  for (const file of testFiles(where)) mocha.addFile(file);
  Mocha.reporters.Base.consoleLog = (...values: unknown[]): void => print(format(...values));
  const counts = await new Promise<Counts>((resolve) => {
    const runner = mocha.run((failed) => resolve({ passed: runner.stats?.passes ?? 0, failed }));
  });
  print(countsLine(counts));
  return counts;
}

export function testFiles(where: string): readonly string[] {
  if (where.endsWith('.test.js')) return [where];
  return readdirSync(where, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .sort()
    .map((file) => path.join(where, file));
}
