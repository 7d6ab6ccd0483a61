import { Gauge } from '../context/gauge';
import { summarizeNow } from '../context/room';
import type { RunOutcome } from '../words/outcome';
import { runAgent } from './agent';
import type { AgentOptions } from './agent-options';
import { Meter } from './budget';

/** Starts the loop. `session.ts` loads this file with the first run, because windows without a run do not need it. */
export function startRun(
  options: AgentOptions,
  work: 'run' | 'summarize',
  signal: AbortSignal,
): Promise<RunOutcome> {
  return work === 'summarize' ? summarizeNow(options, new Meter(), signal) : runAgent(options, signal);
}

/** The gauges of one conversation: what was learned about a model is valid while its window stays the same. */
export class Gauges {
  private readonly gauges = new Map<string, Gauge>();

  of({ model, window, memory }: Pick<AgentOptions, 'model' | 'window' | 'memory'>): Gauge {
    const name = `${model.name} ${window.tokens ?? ''}`;
    const gauge = this.gauges.get(name) ?? new Gauge(window, memory);
    this.gauges.set(name, gauge);
    return gauge;
  }
}
