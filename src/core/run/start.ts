import { ContextBudget } from '../context/context-budget';
import { summarizeNow } from '../context/fit-request';
import type { RunModel } from '../context/run-model';
import type { RunOutcome } from '../words/outcome';
import { runAgent } from './agent';
import type { AgentOptions } from './agent-options';
import { describedTools } from './on-demand';

/** Starts the loop. `session.ts` loads this file with the first run, because windows without a run do not need it. */
export function startRun(
  options: AgentOptions,
  work: 'run' | 'summarize',
  signal: AbortSignal,
): Promise<RunOutcome> {
  if (work === 'run') return runAgent(options, signal);
  const { prompt, tools } = options;
  const described = describedTools({ offer: tools.offer, protocol: prompt.protocol }, tools.config());
  // It is the only request, so no budget counts it.
  return summarizeNow(options, { tools: described, spend: () => undefined }, signal);
}

/** The context budgets of one conversation: what was learned about a model is valid while its window stays the same. */
export class ContextBudgets {
  private readonly budgets = new Map<string, ContextBudget>();

  of({ client, window, memory }: RunModel): ContextBudget {
    const name = `${client.name} ${window.tokens ?? ''}`;
    const budget = this.budgets.get(name) ?? new ContextBudget(window, memory);
    this.budgets.set(name, budget);
    return budget;
  }
}
