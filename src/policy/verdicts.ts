import type { Verdict } from '../core/approval';

export function ask(reason: string): Verdict {
  return { decision: 'ask', reason };
}

export function deny(reason: string): Verdict {
  return { decision: 'deny', reason };
}

const ORDER = { auto: 0, ask: 1, deny: 2 } as const;

/** The verdict that all others give way to; of equal ones the first. */
export function strictest(first: Verdict, ...more: readonly Verdict[]): Verdict {
  return more.reduce((worst, next) => (ORDER[next.decision] > ORDER[worst.decision] ? next : worst), first);
}
