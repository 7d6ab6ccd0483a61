import { Emitter } from '../../base/disposable';
import type { OpenedReply } from '../../contract/lab-parse';
import { entryTurns } from '../../core/transcript/history';
import type { ReplyEntry, Transcript } from '../../core/transcript/transcript';
import type { Turn } from '../../core/words/messages';
import type { ModelDelta } from '../../core/words/model';
import { recordDeltas } from '../../models/chat-chunks';

/** A reply of the conversation, as it can be read again. */
interface RecordedReply {
  /** The index of its entry. */
  readonly entry: number;
  readonly protocol: string;
  readonly reply: string;
  /** What was called, also where it could not be read. */
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

/** Its text, or for the native protocol the lines of a stream that brings the same. */
export function recordedText(reply: ReplyEntry): string {
  return reply.protocol === 'native' ? recordDeltas(nativeDeltas(reply)) : reply.raw;
}

/** The reply and its results as the model is sent them; nothing where that entry is no reply. */
export function repliedTurns({ entries }: Transcript, index: number): readonly Turn[] | undefined {
  const entry = entries[index];
  return entry?.type === 'reply' ? entryTurns(entry) : undefined;
}

/** What the session keeps of a native reply is its parts, not the stream: each becomes one piece of it again. */
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

/** A reply that another part of the window wants looked into, until a page of the lab has taken it. */
export class HandedReply {
  private readonly handed = new Emitter<undefined>();
  private held: OpenedReply | undefined;

  readonly onHanded = this.handed.event;

  hand(reply: OpenedReply): void {
    this.held = reply;
    this.handed.fire(undefined);
  }

  take(): OpenedReply | undefined {
    const { held } = this;
    this.held = undefined;
    return held;
  }
}
