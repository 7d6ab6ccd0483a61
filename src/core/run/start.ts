import { compactNow } from '../context/room';
import type { RunOutcome } from '../words/outcome';
import { runAgent } from './agent';
import type { AgentOptions } from './agent-options';
import { Meter } from './budget';

/** The one door to the loop: `session.ts` loads it when the first run begins, because windows without a run need none of it. */
export function startRun(
  options: AgentOptions,
  work: 'run' | 'compact',
  signal: AbortSignal,
): Promise<RunOutcome> {
  return work === 'compact' ? compactNow(options, new Meter(), signal) : runAgent(options, signal);
}
