import { readdirSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import './random-cases';
import { resultsLine, type Failure, type FileResult, type SlowTest } from './results';

export interface SuiteOptions {
  readonly files: readonly string[];
  /** Milliseconds that a test may take unless it sets its own limit. */
  readonly timeout: number;
  readonly print: (text: string) => void;
}

/** A result in the making. */
interface Tally {
  readonly file: string;
  passed: number;
  readonly failures: Failure[];
  readonly slow: SlowTest[];
}

/** Milliseconds from which a test or hook is reported as slow. */
const SLOW = 250;

/** Runs tests in this process, prints each one, and at the end prints the line for readResults. */
export async function runSuite({ files, timeout, print }: SuiteOptions): Promise<readonly FileResult[]> {
  const mocha = new Mocha({ timeout });
  for (const file of files) mocha.addFile(file);
  Mocha.reporters.Base.consoleLog = (...values: unknown[]): void => print(format(...values));
  const results = new Map<string, Tally>();
  const resultOf = ({ file = 'outside of any file' }: Mocha.Runnable): Tally => {
    const result = results.get(file) ?? { file, passed: 0, failures: [], slow: [] };
    results.set(file, result);
    return result;
  };
  const noteTime = (of: Mocha.Runnable): void => {
    const { duration = 0 } = of;
    if (duration >= SLOW) resultOf(of).slow.push({ title: of.fullTitle(), seconds: duration / 1000 });
  };
  await new Promise((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => (resultOf(test).passed += 1));
    runner.on('test end', noteTime);
    runner.on('hook end', noteTime);
    // Also for hooks before or after tests.
    runner.on('fail', (test: Mocha.Runnable, error: unknown) =>
      resultOf(test).failures.push({ title: test.fullTitle(), message: messageOf(error) }),
    );
  });
  print(resultsLine([...results.values()]));
  return [...results.values()];
}

/** With its causes: a property that fails only says how to repeat it, and its cause says what is wrong. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, cause } = error;
  return `${name}: ${message}${cause === undefined ? '' : `\nCaused by ${messageOf(cause)}`}`;
}

/** Returns the test file at this path, or all below this folder. */
export function testFiles(where: string): readonly string[] {
  if (where.endsWith('.test.js')) return [where];
  return readdirSync(where, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .sort()
    .map((file) => path.join(where, file));
}

/** Returns one part of the files: the second of three if `part` is `2/3`. */
export function partOf(files: readonly string[], part: string): readonly string[] {
  const [number = 1, count = 1] = part.split('/').map(Number);
  return files.filter((_, at) => at % count === number - 1);
}
