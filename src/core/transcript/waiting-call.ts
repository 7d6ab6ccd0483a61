import { callIdOf, type CallState, type Transcript } from './transcript';

export type WaitingCall = Extract<CallState, { readonly type: 'waiting' }>;

/** A call that waits for the user, also inside the agent that another call has started. */
export function waitingCall({ entries }: Transcript, callId: string): WaitingCall | undefined {
  const states = entries.flatMap((entry) =>
    entry.type === 'reply' ? entry.parts.flatMap((part) => (part.type === 'call' ? [part.state] : [])) : [],
  );
  for (const state of states) {
    if (state.type === 'waiting' && state.call.id === callId) return state;
    const inner = 'subAgent' in state ? waitingCall(state.subAgent, callId) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

/** The call stands in a reply that the user has mended: no model wrote it as it is. */
export function isEdited({ entries }: Transcript, callId: string): boolean {
  return entries.some(
    (entry) =>
      entry.type === 'reply' &&
      entry.isEdited === true &&
      entry.parts.some((part) => part.type === 'call' && callIdOf(part.state) === callId),
  );
}
