import type { ToolResult } from '../../core/words/messages';
import {
  bodyAt,
  differingPiece,
  fixName,
  fixNumber,
  fixOperator,
  fixText,
  isPlain,
  testedCalls,
  type Fix,
} from './faults';
import { isDefinition } from './find-uses';
import { isComment, isProse, isTestFile, readHits, readPaths, readText, type Line } from './results';
import { amount, code, sorry, type TaskAnswer, type Step, type Surroundings, type Task } from './task';
import { findTestCommand } from './test-command';
import { readFailures, type Failure, type Spot } from './test-output';

/** Maximum number of faults fixed per request. */
const MOST_FIXES = 5;

interface Made {
  readonly path: string;
  readonly fix: Fix;
  readonly failure: Failure;
}

/** A part of the task that makes calls. */
type Part<T> = Generator<Step, T, ToolResult>;

/**
 * Runs the tests and fixes faults that a script can recognize in their output. Reports what it did and what it could
 * not do.
 */
export function* runTests(surroundings: Surroundings): Task {
  const found = yield* findTestCommand(surroundings);
  if (!found)
    return { text: 'I found no tests here: no file says how they are run, and none looks like one.' };
  let { command } = found;
  let run = yield* runOnce(command, `${code(found.from)} leads to ${code(command)}. I run it.`);
  if (/No module named '?pytest/.test(run.result)) {
    command = command.replace('-m pytest', '-m unittest');
    run = yield* runOnce(command, 'pytest is not installed; I try unittest.');
  }
  const made: Made[] = [];
  const given: Failure[] = [];
  while (hasFailed(run) && made.length < MOST_FIXES) {
    const failure = readFailures(run.result).find((each) => !given.some((other) => isSame(each, other)));
    if (!failure) break;
    const fixed = yield* fixFailure(failure);
    if (!fixed) {
      given.push(failure);
      continue;
    }
    const edited = yield editStep(
      fixed,
      `I change ${code(fixed.path)}, line ${fixed.fix.line.number}: ${code(fixed.fix.from)} becomes ${code(fixed.fix.to)}.`,
    );
    if (edited.status !== 'success') return { ...sorry(edited), hasStopped: true };
    run = yield* runOnce(command, 'I run the tests again.');
    if (!readFailures(run.result).some((each) => isSame(each, failure))) {
      made.push({ ...fixed, failure });
      continue;
    }
    // Reverts a wrong guess.
    yield editStep({ path: fixed.path, fix: undone(fixed.fix) }, 'That did not help, so I take it back.');
    given.push(failure);
  }
  return report(command, run, made);
}

function* runOnce(command: string, say: string): Part<ToolResult> {
  return yield { say, tool: 'run_shell_command', arguments: { command, timeout_s: 300 } };
}

function hasFailed({ status, result }: ToolResult): boolean {
  return status === 'success' && /^Exit code (?!0\b)/.test(result.replace(/^\[[^\]]*\]\n/, ''));
}

function isSame(one: Failure, other: Failure): boolean {
  return (
    one.title === other.title &&
    one.values?.actual === other.values?.actual &&
    one.missing?.name === other.missing?.name
  );
}

function editStep({ path, fix }: Pick<Made, 'path' | 'fix'>, say: string): Step {
  return { say, tool: 'edit_file', arguments: { path, edits: [{ old: fix.line.text, new: fix.text }] } };
}

function undone({ line, text, from, to }: Fix): Fix {
  return { line: { ...line, text }, text: line.text, from: to, to: from };
}

function* fixFailure(failure: Failure): Part<Pick<Made, 'path' | 'fix'> | undefined> {
  if (failure.missing) {
    for (const spot of failure.places.slice(0, 3)) {
      const file = yield* readSpot(spot);
      const line = file?.lines.find(({ number }) => number === spot.line);
      const fix = file && line && fixName(failure.missing, line, file.lines);
      if (fix) return { path: file.path, fix };
    }
    return undefined;
  }
  if (!failure.values) return undefined;
  const piece = differingPiece(failure.values);
  return piece ? yield* fixPiece(piece, failure) : yield* fixResult(failure);
}

/** Looks for a text that differs in the code. */
function* fixPiece(
  piece: { readonly from: string; readonly to: string },
  failure: Failure,
): Part<Pick<Made, 'path' | 'fix'> | undefined> {
  const found = yield {
    say: `${failureText(failure)} I look for where ${code(piece.from)} comes from.`,
    tool: 'search_text',
    arguments: { query: piece.from, case_sensitive: true },
  };
  const hits = readHits(found).filter(
    (hit) => !isProse(hit.path) && !isTestFile(hit.path) && !isComment(hit.text) && fixText(piece, hit),
  );
  const [hit, ...others] = hits;
  // With several candidates, the right one is unknown.
  if (!hit || others.length > 0) return undefined;
  const { read } = yield* readText(hit.path, `I read ${hit.path}.`);
  const line = read?.lines.find(({ number }) => number === hit.number);
  const fix = line && fixText(piece, line);
  return fix && { path: hit.path, fix };
}

/** Looks for the computation of a wrong value, by the call in the test. */
function* fixResult(failure: Failure): Part<Pick<Made, 'path' | 'fix'> | undefined> {
  const { values } = failure;
  const spot = failure.places.find(({ path }) => isTestFile(path)) ?? failure.places[0];
  if (!values || !spot || !isPlain(values.expected) || !isPlain(values.actual)) return undefined;
  const test = yield* readSpot(spot);
  for (const tested of testedCalls(test?.lines ?? [], spot.line).slice(0, 2)) {
    const found = yield {
      say: `${failureText(failure)} I look for ${code(tested.name)}.`,
      tool: 'search_text',
      arguments: { query: tested.name, case_sensitive: true },
    };
    const hit = readHits(found).find(({ path, text }) => !isProse(path) && isDefinition(text, tested.name));
    if (!hit) continue;
    const { read } = yield* readText(hit.path, `I read ${hit.path}.`);
    const body = bodyAt(read?.lines ?? [], hit.number);
    const fix = fixOperator(tested, values, body) ?? fixNumber(values, body);
    if (fix) return { path: hit.path, fix };
  }
  return undefined;
}

/** Reads the file of a position; its path in the output may be absolute, or relative to any folder of the project. */
function* readSpot({
  path,
}: Spot): Part<{ readonly path: string; readonly lines: readonly Line[] } | undefined> {
  const normal = path.replaceAll('\\', '/').replace(/^\.\//, '');
  const name = normal.slice(normal.lastIndexOf('/') + 1);
  const found = yield { say: `I look for ${name}.`, tool: 'find_files', arguments: { glob: `**/${name}` } };
  const own = readPaths(found)
    .filter((each) => `/${normal}`.endsWith(`/${each}`) || each.endsWith(`/${normal}`))
    .sort((a, b) => b.length - a.length)[0];
  if (own === undefined) return undefined;
  const { read } = yield* readText(own, `I read ${own}.`);
  return read && { path: own, lines: read.lines };
}

function report(command: string, run: ToolResult, made: readonly Made[]): TaskAnswer {
  if (run.status !== 'success') return sorry(run);
  const changes = made.map(
    ({ path, fix, failure }) =>
      `- ${code(path)}, line ${fix.line.number}: ${code(fix.from)} became ${code(fix.to)}. ${failureText(failure)}`,
  );
  const changed =
    changes.length === 0 ? [] : [`I changed ${amount(changes.length, 'line')}:`, changes.join('\n')];
  if (!hasFailed(run)) {
    const end = changes.length === 0 ? 'The tests pass; there is nothing to fix.' : 'The tests pass now.';
    const trust =
      'I took the tests to be right and the code to be wrong. Look at the changes before you keep them.';
    return {
      text: [
        `${end} ${code(command)} ended without an error.`,
        ...changed,
        ...(made.length > 0 ? [trust] : []),
      ].join('\n\n'),
    };
  }
  const failures = readFailures(run.result);
  const left =
    failures.length === 0
      ? `I found no failed test in its output. Its first lines are: ${code(firstLines(run.result))}`
      : failures
          .slice(0, 5)
          .map((failure) => `- ${failureText(failure)}`)
          .join('\n');
  return {
    text: [
      `${code(command)} still fails${failures.length > 0 ? ` in ${amount(failures.length, 'place')}` : ''}.`,
      ...changed,
      ...(changes.length > 0 ? ['What is left:'] : []),
      left,
      LIMITS,
    ].join('\n\n'),
  };
}

const LIMITS =
  'I am a script and recognize few mistakes: a wrong text, a misspelled name, a wrong operator or number. I am not sure about this one. Select a real model to continue.';

function firstLines(output: string): string {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 3)
    .join(' / ')
    .slice(0, 300);
}

/** Describes a failure in a sentence. */
function failureText({ title, places, values, missing, message }: Failure): string {
  const name = title === '' ? 'The run' : `The test ${code(title.slice(0, 120))}`;
  const [spot] = places;
  const where = spot ? ` at ${code(`${shortPath(spot.path)}:${spot.line}`)}` : '';
  if (missing) return `${name} stopped${where}: ${code(missing.name)} was not there.`;
  if (values)
    return `${name} failed${where}: it expected ${code(values.expected.slice(0, 120))} and got ${code(values.actual.slice(0, 120))}.`;
  return `${name} failed${where}${message === '' ? '.' : `: ${code(message.slice(0, 200))}`}`;
}

/** The end of a path is enough to find the file. */
function shortPath(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/');
  return parts.length > 3 ? parts.slice(-2).join('/') : parts.join('/');
}
