import { callIdOf, type CallState, type Transcript } from './transcript';

export type WaitingCall = Extract<CallState, { readonly type: 'waiting' }>;

/** A call that waits for the user, also inside another call's sub-agent. */
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

/** Whether the call is in a reply that the user edited: no model wrote it. */
export function isEdited({ entries }: Transcript, callId: string): boolean {
  return entries.some(
    (entry) =>
      entry.type === 'reply' &&
      entry.isEdited === true &&
      entry.parts.some((part) => part.type === 'call' && callIdOf(part.state) === callId),
  );
}
