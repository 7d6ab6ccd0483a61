import type { AgentEvent } from './events';

/** What a call asks the user. Anything may be answered; the options are answers that the model expects. */
export interface Question {
  readonly question: string;
  readonly options: readonly string[];
}

/**
 * Asks on behalf of a call and resolves to the user's answer. Told through `emit`; rejects only
 * when the signal aborts.
 */
export type Ask = (
  callId: string,
  question: Question,
  emit: (event: AgentEvent) => void,
  signal: AbortSignal,
) => Promise<string>;
