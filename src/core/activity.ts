import type { Transcript } from './transcript';
import { waitingCalls } from './waiting-calls';

/** What goes on in a conversation right now, for those who only glance at it. */
export type Activity =
  | { readonly type: 'idle' }
  /** `calls`: how many wait for an approval or an answer. */
  | { readonly type: 'waiting'; readonly calls: number }
  /** The calls that run, by wire name. */
  | { readonly type: 'calls'; readonly names: readonly string[] }
  /** The model puts older messages in short. */
  | { readonly type: 'compacting' }
  /** The model is asked, or answers. */
  | { readonly type: 'reply' };

/** What the user has to do comes before what they need not look at. */
export function activityOf(transcript: Transcript): Activity {
  const { running, isCompacting, entries } = transcript;
  if (isCompacting) return { type: 'compacting' };
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
