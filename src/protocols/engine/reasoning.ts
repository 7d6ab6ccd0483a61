import type { Diagnostic } from '../../core/words/messages';
import { warning } from './calls';
import { isBlank, type Cursor, type Reading } from './cursor';
import type { Reader, ReplyWriter, Span } from './reader';
import { closerOf, CLOSERS, MAY_END_ANSWER, NAMED, THINK_TAGS } from './reasoning-marks';

/**
 * Reads what a reasoning tag begins or ends. `begins`: everything before it was reasoning, and the reply begins here.
 * `text`: it is not such a tag, and nothing was taken.
 */
export function* readThinkTag(
  reply: ReplyWriter,
  reader: Reader,
  token: string,
  callsEndIt: boolean,
): Reading<'begins' | 'text' | undefined> {
  const isNamed = token === NAMED.opener || token === NAMED.closer;
  const tag = isNamed ? yield* namedTag(reply.cursor, token) : token;
  if (tag === undefined) return 'text';
  if (!THINK_TAGS.has(tag) && token !== NAMED.opener)
    return (yield* readOrphan(reply, tag)) ? 'begins' : undefined;
  yield* readReasoning(reply, reader, tag, callsEndIt);
  return undefined;
}

/**
 * Reads reasoning from its opening tag to its closing tag; pairs nest. Calls in it are rehearsals. If it is never
 * closed, a call in it causes a warning or, with `callsEndIt`, ends the reasoning and counts as repaired.
 */
function* readReasoning(
  reply: ReplyWriter,
  reader: Reader,
  opener: string,
  callsEndIt: boolean,
): Reading<void> {
  const { cursor } = reply;
  const closer = closerOf(opener);
  const others = CLOSERS.filter((each) => each !== closer);
  // Without these, the beginning of a tag would be found instead of the tag.
  const openers = reader.openers.filter(
    (each) => ![...CLOSERS, closer, opener].some((tag) => tag.startsWith(each)),
  );
  const start = cursor.position;
  cursor.take(opener.length);
  /** The text after the first call or another family's tag, while it may still count. */
  let held: string[] | undefined;
  let otherCloser: string | undefined;
  const thought: string[] = [];
  const add = (piece: string): void => {
    thought.push(piece);
    if (held) held.push(piece);
    else reply.reasoning(piece);
  };
  let sawCall = false;
  for (let depth = 0; ;) {
    const calls = sawCall ? [] : openers;
    const found = yield* cursor.upTo([closer, opener, ...(held ? [] : others), ...calls], add);
    if (found === undefined) break;
    if (found === closer && depth === 0) {
      held?.forEach((piece) => reply.reasoning(piece));
      cursor.release();
      cursor.take(closer.length);
      return;
    }
    if (found === opener) depth++;
    else if (found === closer) depth--;
    else if (others.includes(found)) {
      if (depth === 0) {
        otherCloser = found;
        cursor.mark();
        held = [];
      }
    } else if (!reader.begins || (yield* reader.begins(cursor, found, false))) {
      sawCall = true;
      if (callsEndIt && !held && !reader.mayBeFenced) {
        cursor.mark();
        held = [];
      }
    }
    add(cursor.take(found.length));
  }
  if (otherCloser !== undefined && !cursor.isCut) {
    cursor.rewind();
    cursor.take(otherCloser.length);
    const message = `The reasoning was opened with ${opener} and closed with ${otherCloser}.`;
    reply.markRepaired(
      warning({ start, end: cursor.position }, 'other-closer', message, `Close it with ${closer}.`),
    );
    return;
  }
  if (otherCloser !== undefined) held?.forEach((piece) => reply.reasoning(piece));
  if (otherCloser !== undefined) cursor.release();
  const span = { start, end: cursor.position };
  if (!sawCall) {
    if (reply.lostForm(thought.join('')) !== undefined) reply.warn(callInReasoning(span));
    return;
  }
  if (held) {
    cursor.rewind();
    reply.markRepaired(
      warning(span, 'call-in-reasoning', 'The reasoning before the call was not closed.', CLOSE_FIRST),
    );
  } else {
    reply.warn(callInReasoning(span));
  }
}

export function callInReasoning(span: Span): Diagnostic {
  const message = 'A call is inside reasoning that was never closed and was not run.';
  return warning(span, 'call-in-reasoning', message, CLOSE_FIRST);
}

const CLOSE_FIRST = 'Close the reasoning first and send the call again outside it.';

/**
 * Reads a closing tag without an opening one. The first one ends reasoning that the prompt opened, so everything before
 * it was reasoning. Later ones, and one at the very beginning, are leftovers and not shown.
 */
function* readOrphan(reply: ReplyWriter, closer: string): Reading<boolean> {
  const { cursor, callCount } = reply;
  const end = cursor.position;
  cursor.take(closer.length);
  if (closer === MAY_END_ANSWER && callCount === 0) {
    const blanks = yield* cursor.takeWhile(isBlank, Infinity);
    const isLast = !(yield* cursor.need(1));
    const isEnd = !isLast && reply.endReasoning(end);
    reply.text(blanks);
    return isEnd;
  }
  if (!reply.endReasoning(end)) return false;
  if (callCount > 0) {
    const message = 'A call is inside the reasoning and was not run.';
    reply.warn(warning({ start: 0, end }, 'call-in-reasoning', message, CLOSE_FIRST));
  }
  return true;
}

const NAME_LIMIT = 64;

/** The whole tag that begins here with `<think:`, if it is one. Takes nothing. */
function* namedTag(cursor: Cursor, beginning: string): Reading<string | undefined> {
  let tag = beginning;
  for (let char = yield* cursor.char(tag.length); /[\w.-]/.test(char) && tag.length < NAME_LIMIT;) {
    tag += char;
    char = yield* cursor.char(tag.length);
  }
  const isNamed = tag !== beginning && (yield* cursor.sees('>', tag.length));
  return isNamed ? `${tag}>` : undefined;
}
