import { never } from '../base/never';
import type { ReplyPart, ToolResult, Turn } from './messages';
import { unfinished, type ReplyEntry, type Transcript } from './transcript';

/** The history a protocol renders: well formed by construction, each call answered exactly once. */
export function turnsOf(transcript: Transcript): Turn[] {
  return transcript.entries.flatMap((entry): Turn[] => {
    switch (entry.type) {
      case 'user':
        return [{ type: 'user', text: entry.text }];
      case 'outcome':
        return [];
      case 'reply':
        return replyTurns(entry);
      default:
        return never(entry);
    }
  });
}

function replyTurns(entry: ReplyEntry): Turn[] {
  const parts = entry.parts.flatMap((part): ReplyPart[] => {
    if (part.type !== 'call') return [part];
    if (part.state.type === 'streaming') return [];
    if (part.state.type === 'malformed') return [{ type: 'malformed', malformed: part.state.malformed }];
    return [{ type: 'call', call: part.state.call }];
  });
  if (parts.length === 0) return [];
  const results = entry.parts.flatMap((part): ToolResult[] => {
    if (part.type !== 'call' || part.state.type === 'streaming') return [];
    if (part.state.type === 'ended') return [part.state.result];
    return [part.state.type === 'malformed' && part.state.result ? part.state.result : unfinished(part)];
  });
  const reply: Turn = { type: 'reply', parts };
  return results.length === 0 ? [reply] : [reply, { type: 'results', results }];
}
