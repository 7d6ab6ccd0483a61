import type { CacheBreak, ChatMessage, ModelRequest } from '../words/model';

/**
 * Compares each request with the previous one and names what made them differ. Servers cache what they have read of a
 * request and read only what is new of the next one, if it begins the same.
 */
export class PrefixWatch {
  private last: ModelRequest | undefined;

  /**
   * Why the server cannot reuse its cache of the previous request; `undefined` if it can, and for the first request.
   */
  look(request: ModelRequest): CacheBreak | undefined {
    const { last } = this;
    this.last = request;
    if (!last || continues(last, request)) return undefined;
    return reason(last, request);
  }
}

/** Whether one request begins with everything that the other sent. */
function continues(last: ModelRequest, next: ModelRequest): boolean {
  const end = last.messages.length - 1;
  return (
    end < next.messages.length &&
    isSame(last.tools, next.tools) &&
    last.messages.every((message, at) => {
      const now = next.messages[at];
      return now !== undefined && (isSameMessage(message, now) || (at === end && isBeginning(message, now)));
    })
  );
}

/** After a failed request, the user's next text joins the same message. */
function isBeginning(message: ChatMessage, now: ChatMessage): boolean {
  if (message.role !== 'user' || now.role !== 'user') return false;
  return message.images === undefined && now.content.startsWith(message.content);
}

function isSameMessage(one: ChatMessage, other: ChatMessage): boolean {
  if (one.content !== other.content) return false;
  return isSame({ ...one, content: '' }, { ...other, content: '' });
}

/** The first difference in order, because everything after it has to be read again. */
function reason(last: ModelRequest, next: ModelRequest): CacheBreak {
  const [before, now] = [last.origin.conversation, next.origin.conversation];
  if (last.origin.protocol !== next.origin.protocol) return 'protocol';
  if (before.promptForm !== now.promptForm) return 'short-prompt';
  if (!isSame(before.tools, now.tools)) return 'tools';
  if (before.instructions !== now.instructions || before.situation !== now.situation) return 'instructions';
  const at = last.messages.findIndex((message, index) => {
    const other = next.messages[index];
    return !other || !isSameMessage(message, other);
  });
  const [was, is] = [last.messages[at], next.messages[at]];
  if (was?.role === 'user' && was.images && imagesIn(is) < was.images.length) return 'images';
  const [first, firstNow] = [before.turns[0], now.turns[0]];
  return isSame(first, firstNow) ? 'history' : 'compaction';
}

function imagesIn(message: ChatMessage | undefined): number {
  return message?.role === 'user' ? (message.images?.length ?? 0) : 0;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
