import type { Transcript } from './transcript';

export type WaitingCall =
  | { readonly for: 'approval'; readonly name: string; readonly title: string }
  | { readonly for: 'answer'; readonly question: string };

/** The calls that wait for the user, also inside other calls. They can only stand in the last reply. */
export function waitingCalls(transcript: Transcript): readonly WaitingCall[] {
  const last = transcript.entries.at(-1);
  if (last?.type !== 'reply') return [];
  return last.parts.flatMap((part): readonly WaitingCall[] => {
    if (part.type !== 'call') return [];
    const { name, state } = part;
    if (state.type === 'waiting') return [{ for: 'approval', name, title: state.request.title }];
    // What an agent inside a call waits for, the user is asked as well.
    if (state.type === 'running' && state.subAgent) return waitingCalls(state.subAgent);
    return state.type === 'asking' ? [{ for: 'answer', question: state.question.question }] : [];
  });
}
