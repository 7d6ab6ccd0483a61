import { entryTurns } from '../../../core/transcript/history';
import type { ReplyEntry, Transcript } from '../../../core/transcript/transcript';
import type { Turn } from '../../../core/words/messages';
import type { ModelDelta } from '../../../core/words/model';
import { recordDeltas } from '../../../models/recorded-reply';

/** A reply of the conversation that can be parsed again. */
interface RecordedReply {
  /** Index of its entry. */
  readonly entry: number;
  readonly protocol: string;
  readonly reply: string;
  /** Names of its calls, including malformed ones. */
  readonly calls: readonly string[];
}

export function recordedReplies({ entries }: Transcript): readonly RecordedReply[] {
  return entries.flatMap((entry, index) => {
    if (entry.type !== 'reply' || entry.parts.length === 0) return [];
    return [
      {
        entry: index,
        protocol: entry.protocol,
        reply: recordedText(entry),
        calls: entry.parts.flatMap((part) => (part.type === 'call' ? [part.name] : [])),
      },
    ];
  });
}

/** Its text, or for the native protocol the lines of an equivalent stream. */
export function recordedText(reply: ReplyEntry): string {
  return reply.protocol === 'native' ? recordDeltas(nativeDeltas(reply)) : reply.raw;
}

/** The reply and its results as sent to the model; nothing if that entry is not a reply. */
export function repliedTurns({ entries }: Transcript, index: number): readonly Turn[] | undefined {
  const entry = entries[index];
  return entry?.type === 'reply' ? entryTurns(entry) : undefined;
}

/** A session stores the parts of a native reply, not the stream: each becomes one chunk of it again. */
function nativeDeltas({ parts, raw, ended }: ReplyEntry): readonly ModelDelta[] {
  let index = 0;
  const deltas = parts.flatMap((part): ModelDelta[] => {
    if (part.type !== 'call') return [part];
    const { state } = part;
    if (state.type === 'streaming') return [];
    const { id, name } = state.type === 'malformed' ? state.malformed : state.call;
    const { start, end } = state.type === 'malformed' ? state.malformed.diagnostic : state.call;
    return [{ type: 'tool-call', index: index++, id, name, arguments: raw.slice(start, end) }];
  });
  if (ended === undefined || ended === 'cut' || ended === 'aborted' || ended === 'repetition') return deltas;
  return [...deltas, { type: 'end', reason: ended }];
}
