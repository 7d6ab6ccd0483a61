import type { Budget } from '../../../src/core/run/budget';

/** A budget without limits. */
export const noBudget: Budget = { tokens: 0, minutes: 0, cost: 0 };
