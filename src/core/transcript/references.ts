import { withLeft } from './rewind';
import type { Entry, ReplyEntry, Transcript } from './transcript';

/** A permanent name of a reply, also of one that was left out since. */
export interface ReplyRef {
  /** How many replies had begun before it in its conversation. */
  readonly number: number;
  /** The call whose sub-agent wrote it; absent for the conversation itself. */
  readonly callId?: string | undefined;
}

/** The reply with that name. */
export function findReply(transcript: Transcript, { number, callId }: ReplyRef): ReplyEntry | undefined {
  const within = callId === undefined ? transcript : subAgentOf(callId, transcript);
  return within && repliesIn(within).find((each) => each.number === number);
}

/** Every reply of a conversation, in the order in which they came. */
function repliesIn({ entries }: Transcript): readonly ReplyEntry[] {
  return withLeft(entries).filter((entry) => entry.type === 'reply');
}

/** Ids of calls are unique in a conversation, sub-agents included. */
function subAgentOf(callId: string, transcript: Transcript): Transcript | undefined {
  for (const { parts } of repliesIn(transcript)) {
    for (const part of parts) {
      if (part.type !== 'call' || !('subAgent' in part.state)) continue;
      const { call, subAgent } = part.state;
      const found = call.id === callId ? subAgent : subAgentOf(callId, subAgent);
      if (found) return found;
    }
  }
  return undefined;
}

/** A user message, as shown when the user chose to go back to it. */
export interface EarlierMessage {
  /** Its index in the conversation. */
  readonly entry: number;
  readonly text: string;
}

/** Whether it is one of these: the page may show another conversation by now. */
export function isAmong({ entry, text }: EarlierMessage, entries: readonly Entry[]): boolean {
  const said = entries[entry];
  return said?.type === 'user' && said.text === text;
}
