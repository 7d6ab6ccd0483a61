import type { Budget } from '../../src/core/run/budget';

/** Lets a run use as much as it likes. */
export const noBudget: Budget = { tokens: 0, minutes: 0, cost: 0 };
