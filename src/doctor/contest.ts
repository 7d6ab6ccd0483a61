import { chancesOfBest, wilson, type Interval, type Tally } from './statistics';
import type { CallForm, Contestant, Help } from './take-exam';
import { tasks, type Task, type TaskId } from './tasks';

/** One exam that was taken. */
export interface Check {
  /** The id of the contestant. */
  readonly contestant: string;
  readonly task: TaskId;
  /** Counts the contestant's exams from 0; the same number is the same exam for all. */
  readonly number: number;
  /**
   * `skipped`: it does not fit into the window. `refused`: the server does not support tools, so the result is certain.
   */
  readonly outcome: 'right' | 'wrong' | 'skipped' | 'refused';
  readonly form: CallForm;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Exams of each remaining contestant per round, before any is eliminated. */
export const ROUND = 8;
export const ROUNDS = 6;

/** A contestant that is less likely than this to be among the best is eliminated. */
const TOO_UNLIKELY = 0.05;
const LIKELY_ENOUGH = 0.9;

/** A protocol works if more than this share of the calls is right. */
const WORKS = 0.25;

/** After this many rounds without a right call of any contestant, more would not help. */
const ROUNDS_WITHOUT = 2;

/** The position of a contestant. */
export interface Standing extends Tally {
  readonly contestant: string;
  readonly interval: Interval;
  /** Of the tasks that need a call. */
  readonly calls: Tally;
  /** How likely it is to be within five points of the best, from 0 to 1. */
  readonly chance: number;
  /** It cannot win any more. */
  readonly isOut: boolean;
}

export type Next =
  | { readonly type: 'exam'; readonly contestant: Contestant; readonly task: Task; readonly number: number }
  | { readonly type: 'end'; readonly end: ContestEnd };

export type ContestEnd =
  /** One is likely to be as good as any, or was the best when the rounds were over. */
  | ({ readonly type: 'best'; readonly contestant: string; readonly isLikely: boolean } & Tally)
  | { readonly type: 'none-works' };

/**
 * The next exam. Depends only on the checks, so that a contest can continue where it was stopped. In a round, one
 * contestant follows the other, because servers cache what they have just read.
 */
export function nextExam(contestants: readonly Contestant[], checks: readonly Check[]): Next {
  const { standings, rounds, end } = contestOf(contestants, checks);
  if (end) return { type: 'end', end };
  const left = standings.filter(({ isOut }) => !isOut).map(({ contestant }) => contestant);
  const contestant = contestants.find(
    ({ id }) => left.includes(id) && countOf(id, checks) < (rounds + 1) * ROUND,
  );
  // SAFETY: in an incomplete round, at least one contestant has exams left.
  const number = countOf(contestant!.id, checks);
  return { type: 'exam', contestant: contestant!, task: taskOf(number), number };
}

/** In the order of the contestants. */
export function standingsOf(
  contestants: readonly Contestant[],
  checks: readonly Check[],
): readonly Standing[] {
  return contestOf(contestants, checks).standings;
}

interface Contest {
  readonly standings: readonly Standing[];
  /** Number of complete rounds. */
  readonly rounds: number;
  /** Set once it is over; later exams change nothing. */
  readonly end?: ContestEnd;
}

/** Replays the complete rounds. */
function contestOf(contestants: readonly Contestant[], checks: readonly Check[]): Contest {
  const isRefused = (id: string): boolean =>
    checks.some(({ contestant, outcome }) => contestant === id && outcome === 'refused');
  let left = contestants.map(({ id }) => id).filter((id) => !isRefused(id));
  for (let rounds = 0; ; rounds++) {
    const isComplete = left.every((id) => countOf(id, checks) >= (rounds + 1) * ROUND);
    if (!isComplete || rounds === ROUNDS || left.length === 0) {
      const all = standings(contestants, left, checks);
      const isOver = left.length === 0 || rounds === ROUNDS;
      return { standings: all, rounds, ...(isOver && { end: endOf(all) }) };
    }
    const upToNow = checks.filter(({ number }) => number < (rounds + 1) * ROUND);
    const now = standings(contestants, left, upToNow).filter(({ isOut }) => !isOut);
    const isWon = now.some(({ chance }) => chance >= LIKELY_ENOUGH);
    const isVain = rounds + 1 >= ROUNDS_WITHOUT && now.every(({ calls }) => calls.right === 0);
    left = now.filter(({ chance }) => chance >= TOO_UNLIKELY).map(({ contestant }) => contestant);
    if (isWon || isVain) {
      const end = endOf(standings(contestants, left, upToNow));
      return { standings: standings(contestants, left, checks), rounds: rounds + 1, end };
    }
  }
}

function standings(
  contestants: readonly Contestant[],
  left: readonly string[],
  checks: readonly Check[],
): readonly Standing[] {
  const tallies = contestants.map(({ id }) => tallyOf(id, checks));
  const inside = contestants.flatMap(({ id }, at) => (left.includes(id) ? [at] : []));
  const chances = chancesOfBest(inside.map((at) => tallies[at] ?? NOTHING));
  return contestants.map(({ id }, at) => {
    const tally = tallies[at] ?? NOTHING;
    return {
      contestant: id,
      ...tally,
      interval: wilson(tally),
      calls: tallyOf(
        id,
        checks.filter(({ task }) => needsCall(task)),
      ),
      chance: chances[inside.indexOf(at)] ?? 0,
      isOut: !left.includes(id),
    };
  });
}

const NOTHING: Tally = { right: 0, n: 0 };

function endOf(all: readonly Standing[]): ContestEnd {
  const [best] = all.filter(({ isOut }) => !isOut).toSorted((one, other) => other.chance - one.chance);
  if (!best || best.calls.right <= best.calls.n * WORKS) return { type: 'none-works' };
  const { contestant, right, n, chance } = best;
  return { type: 'best', contestant, right, n, isLikely: chance >= LIKELY_ENOUGH };
}

/** Cycles through all tasks; their number differs from the length of a round, so that each round has others. */
export function taskOf(number: number): Task {
  // SAFETY: there are ten.
  return tasks[number % tasks.length] as Task;
}

function needsCall(id: TaskId): boolean {
  return tasks.some((task) => task.id === id && task.needsCall);
}

function countOf(id: string, checks: readonly Check[]): number {
  return checks.filter(({ contestant }) => contestant === id).length;
}

/** Of the exams that were taken. */
export function tallyOf(id: string, checks: readonly Check[]): Tally {
  const taken = checks.filter(
    ({ contestant, outcome }) => contestant === id && (outcome === 'right' || outcome === 'wrong'),
  );
  return { right: taken.filter(({ outcome }) => outcome === 'right').length, n: taken.length };
}

/** A protocol with a smaller share of right tasks may do better with help. */
const NEEDS_HELP = 0.8;

/** As `nextExam`; a best one that is not good enough repeats the exams with each kind of help. */
export function nextExamOrHelp(
  contestants: readonly Contestant[],
  helps: readonly Help[],
  checks: readonly Check[],
): Next {
  const first = nextExam(contestants, checks);
  if (first.type === 'exam') return first;
  const helped = helpedOf(first.end, contestants, helps);
  return helped ? nextExam(helped, checks) : first;
}

/** All contestants that have entered, including those with help if help is needed. */
export function enteredIn(
  contestants: readonly Contestant[],
  helps: readonly Help[],
  checks: readonly Check[],
): readonly Contestant[] {
  const first = nextExam(contestants, checks);
  const helped = first.type === 'end' && helpedOf(first.end, contestants, helps);
  return helped ? [...contestants, ...helped.slice(1)] : contestants;
}

/** The best one without help, and with each kind; empty if it needs none. */
function helpedOf(
  end: ContestEnd,
  contestants: readonly Contestant[],
  helps: readonly Help[],
): readonly Contestant[] | undefined {
  if (end.type !== 'best' || helps.length === 0) return undefined;
  const best = contestants.find(({ id }) => id === end.contestant);
  if (!best || end.right >= end.n * NEEDS_HELP) return undefined;
  // For the API's own calls, there is no text to which an example could be added.
  const own = helps.filter((help) => help !== 'example' || best.protocol.id !== 'native');
  return [best, ...own.map((help) => ({ ...best, id: `${best.id}+${help}`, help }))];
}
