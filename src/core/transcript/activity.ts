import type { Transcript } from './transcript';

/** What happens in a conversation right now, for a view at a glance. */
export type Activity =
  | { readonly type: 'idle' }
  /** `calls`: how many wait for an approval or an answer. */
  | { readonly type: 'waiting'; readonly calls: number }
  /** The running calls, by wire name. */
  | { readonly type: 'calls'; readonly names: readonly string[] }
  /** The model summarizes older messages. */
  | { readonly type: 'summarizing' }
  /** Waiting for a reply, or receiving it. */
  | { readonly type: 'reply' };

/** What the user has to do comes first. */
export function activityOf(transcript: Transcript): Activity {
  const { running, isSummarizing, entries } = transcript;
  if (isSummarizing) return { type: 'summarizing' };
  if (!running) return { type: 'idle' };
  const calls = waitingCalls(transcript).length;
  if (calls > 0) return { type: 'waiting', calls };
  const last = entries.at(-1);
  const parts = last?.type === 'reply' ? last.parts : [];
  const names = parts.flatMap((part) =>
    part.type === 'call' && part.state.type === 'running' ? [part.name] : [],
  );
  return names.length > 0 ? { type: 'calls', names } : { type: 'reply' };
}

type PendingCall =
  | { readonly for: 'approval'; readonly name: string; readonly title: string }
  | { readonly for: 'answer'; readonly question: string };

/** The calls that wait for the user, also inside other calls. They can only be in the last reply. */
export function waitingCalls(transcript: Transcript): readonly PendingCall[] {
  const last = transcript.entries.at(-1);
  if (last?.type !== 'reply') return [];
  return last.parts.flatMap((part): readonly PendingCall[] => {
    if (part.type !== 'call') return [];
    const { name, state } = part;
    if (state.type === 'waiting') return [{ for: 'approval', name, title: state.request.title }];
    // A sub-agent's waiting calls wait for the user as well.
    if (state.type === 'running' && state.subAgent) return waitingCalls(state.subAgent);
    return state.type === 'asking' ? [{ for: 'answer', question: state.question.question }] : [];
  });
}
