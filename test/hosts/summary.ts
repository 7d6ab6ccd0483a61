import path from 'node:path';
import { isFine, type FileResult } from './results';

/** The results of a step of a test run. */
export interface Outcome {
  readonly results: readonly FileResult[];
  /** The first results of files that failed and were run once more. */
  readonly again?: readonly FileResult[];
}

export interface StepResult extends Outcome {
  readonly name: string;
  readonly seconds: number;
}

/** The report at the end, with the parts of a step added up; scripts read its last line. */
export function summary(parts: readonly StepResult[]): string {
  const steps = [...new Set(parts.map(({ name }) => name))].map((name) => stepOf(name, parts));
  const rows = steps.map(({ name, seconds, results, again = [] }) => {
    const more =
      again.length > 0 ? `; run once more: ${again.map(({ file }) => path.basename(file)).join(', ')}` : '';
    return `${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s  ${counts(results)}${more}`;
  });
  const failed = steps.flatMap(({ name, results }) => reasons(`Failed in ${name}`, results));
  const late = steps.flatMap(({ name, again = [] }) => reasons(`Failed at the first try in ${name}`, again));
  return ['', ...rows, '', ...late, ...failed, counts(steps.flatMap(({ results }) => results))].join('\n');
}

/** The slowest tests and hooks of all steps, one a line. */
export function slowestTests(parts: readonly StepResult[], count: number): string {
  const all = parts.flatMap(({ name, results }) =>
    results.flatMap(({ file, slow = [] }) =>
      slow.map((test) => ({ ...test, name, file: path.basename(file) })),
    ),
  );
  const slowest = all.sort((a, b) => b.seconds - a.seconds).slice(0, count);
  const rows = slowest.map(
    ({ seconds, name, file, title }) =>
      `${seconds.toFixed(1).padStart(6)} s  ${name.padEnd(12)} ${file.replace(/\.test\.js$/, '')}: ${title}`,
  );
  return rows.join('\n');
}

export function succeeded(steps: readonly StepResult[]): boolean {
  return isFine(steps.flatMap(({ results }) => results));
}

function stepOf(step: string, parts: readonly StepResult[]): StepResult {
  const own = parts.filter(({ name }) => name === step);
  return {
    name: step,
    seconds: own.reduce((total, { seconds }) => total + seconds, 0),
    results: own.flatMap(({ results }) => results),
    again: own.flatMap(({ again = [] }) => again),
  };
}

function reasons(what: string, results: readonly FileResult[]): readonly string[] {
  return results.flatMap(({ file, failures }) =>
    failures.map(({ title, message }) => `${what}: ${path.basename(file)}: ${title}\n${indented(message)}\n`),
  );
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ');
}

function counts(results: readonly FileResult[]): string {
  const passed = results.reduce((total, each) => total + each.passed, 0);
  const failed = results.reduce((total, each) => total + each.failures.length, 0);
  return `${passed} passed, ${failed} failed`;
}
