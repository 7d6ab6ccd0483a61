import { warning } from './calls';
import { isBlank, type Reading } from './cursor';
import type { Reader, ReplyWriter } from './reader';
import { MAY_END_ANSWER, THINK_TAGS } from './reasoning-marks';

/**
 * Reads reasoning from its opening tag to the tag that closes it; pairs nest. Calls in it are rehearsals. Where it is
 * never closed, a call in it is warned of, or, where `callsEndIt`, ends the reasoning and counts as repaired.
 */
export function* readReasoning(
  reply: ReplyWriter,
  reader: Reader,
  opener: string,
  callsEndIt: boolean,
): Reading<void> {
  const { cursor } = reply;
  const closer = THINK_TAGS.get(opener) ?? '';
  const start = cursor.position;
  cursor.take(opener.length);
  /** What came behind the first call, as long as it may still count. */
  let held: string[] | undefined;
  const add = (piece: string): void => {
    if (held) held.push(piece);
    else reply.reasoning(piece);
  };
  let sawCall = false;
  for (let depth = 0; ;) {
    const found = yield* cursor.upTo([closer, opener, ...(sawCall ? [] : reader.openers)], add);
    if (found === undefined) break;
    if (found === closer && depth === 0) {
      held?.forEach((piece) => reply.reasoning(piece));
      cursor.release();
      cursor.take(closer.length);
      return;
    }
    if (found === opener) depth++;
    else if (found === closer) depth--;
    else if (!reader.begins || (yield* reader.begins(cursor, found, false))) {
      sawCall = true;
      if (callsEndIt && !reader.mayBeFenced) {
        cursor.mark();
        held = [];
      }
    }
    add(cursor.take(found.length));
  }
  if (!sawCall) return;
  const span = { start, end: cursor.position };
  if (held) {
    cursor.rewind();
    reply.markRepaired(
      warning(span, 'call-in-reasoning', 'The reasoning before the call was not closed.', CLOSE_FIRST),
    );
  } else {
    const message = 'A call stands inside reasoning that was never closed and was not run.';
    reply.warn(warning(span, 'call-in-reasoning', message, CLOSE_FIRST));
  }
}

const CLOSE_FIRST = 'Close the reasoning first and send the call again outside it.';

/**
 * Reads a closing tag that nothing has opened. The first one ends reasoning that the prompt has opened, so all before it
 * was that; others, and one with nothing in front of it, are left over and not shown.
 */
export function* readOrphan(reply: ReplyWriter, closer: string): Reading<boolean> {
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
    const message = 'A call stands inside the reasoning and was not run.';
    reply.warn(warning({ start: 0, end }, 'call-in-reasoning', message, CLOSE_FIRST));
  }
  return true;
}
