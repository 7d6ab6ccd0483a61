import type { ParsedReply } from '../../core/reply/parse-reply';
import type { ParsedPart } from '../../core/reply/reply-reader';
import { THINK_TAGS } from './reasoning-marks';

/** Position of a part in the raw reply, in UTF-16 units. */
interface PartSpan {
  /** The index of the part. */
  readonly part: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the parts of a reply in its raw text. Calls, rejections and warnings have positions. Text and reasoning do not:
 * they are searched between these, in order, and left out if they are written differently (as a JSON string) or arrived
 * beside the text.
 */
export function replySpans({ parts, raw }: ParsedReply): readonly PartSpan[] {
  const spans: PartSpan[] = [];
  let at = 0;
  parts.forEach((part, index) => {
    const span = spanOf(part, raw, at);
    if (!span) return;
    spans.push({ part: index, ...span });
    // A warning may come long after its position.
    if (part.type !== 'warning') at = Math.max(at, span.end);
  });
  return spans;
}

type Stretch = Omit<PartSpan, 'part'>;

function spanOf(part: ParsedPart, raw: string, at: number): Stretch | undefined {
  switch (part.type) {
    case 'call':
      return stretch(part.call);
    case 'malformed':
      return stretch(part.malformed.diagnostic);
    case 'warning':
      return stretch(part.diagnostic);
    case 'text':
      return found(raw.indexOf(part.text, at), part.text);
    case 'reasoning':
      return reasoningAt(raw, at, part.text);
  }
}

function stretch({ start, end }: Stretch): Stretch {
  return { start, end };
}

function found(start: number, text: string): Stretch | undefined {
  return start < 0 || text === '' ? undefined : { start, end: start + text.length };
}

/** Separately shown reasoning comes right after its tag, or before a tag that closes what the prompt opened. */
function reasoningAt(raw: string, at: number, text: string): Stretch | undefined {
  for (const [opener, closer] of THINK_TAGS) {
    const start = raw.indexOf(opener + text, at);
    if (start >= 0) return found(start + opener.length, text);
    if (raw.startsWith(text + closer, at)) return found(at, text);
  }
  return undefined;
}
