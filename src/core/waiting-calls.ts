import type { Transcript } from './transcript';

export interface WaitingCall {
  readonly for: 'approval' | 'answer';
  /** What it is about, in one line or a few. */
  readonly about: string;
}

/** The calls that wait for the user, also inside other calls. They can only stand in the last reply. */
export function waitingCalls(transcript: Transcript): readonly WaitingCall[] {
  const last = transcript.entries.at(-1);
  if (last?.type !== 'reply') return [];
  return last.parts.flatMap((part): readonly WaitingCall[] => {
    if (part.type !== 'call') return [];
    const { name, state } = part;
    if (state.type === 'waiting') return [{ for: 'approval', about: `${name}, ${state.request.title}` }];
    // What an agent inside a call waits for, the user is asked as well.
    if (state.type === 'running' && state.subAgent) return waitingCalls(state.subAgent);
    return state.type === 'asking' ? [{ for: 'answer', about: state.question.question }] : [];
  });
}
