import type { AgentEvent } from '../core/events';

const ABORTED: AgentEvent = { type: 'run-end', outcome: { type: 'aborted' } };

/** Ends each run whose end was never written, as one that was stopped: so every call has its result (G29). */
export function endRuns(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const ended: AgentEvent[] = [];
  let isRunning = false;
  for (const event of events) {
    const begins = event.type === 'run-start' || event.type === 'run-resume';
    if (begins && isRunning) ended.push(ABORTED);
    if (begins) isRunning = true;
    if (event.type === 'run-end') isRunning = false;
    ended.push(event);
  }
  return isRunning ? [...ended, ABORTED] : ended;
}
