import { nextExam, type Check, type ContestEnd, type Next } from './contest';
import type { Contestant, Help } from './take-exam';

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
