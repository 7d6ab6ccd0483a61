import { warning } from './calls';
import type { Reading } from './cursor';
import type { ReplyWriter } from './text-parser';

/** Whether an object behind a call is a result, which only Parley writes; its first key says so. */
export function isInvented(reply: ReplyWriter, resultKey: string, keys: readonly string[]): boolean {
  return keys[0] === resultKey && reply.callCount > 0;
}

/** Passes over the rest of the reply: whatever follows was written in the belief that the result is real. */
export function* dropInvented(reply: ReplyWriter, start: number): Reading<true> {
  yield* reply.cursor.upTo([], () => undefined);
  reply.warn(
    warning(
      { start, end: reply.cursor.position },
      'invented-result',
      'The model wrote a tool result of its own; it was dropped.',
      'Stop after the call and wait for its real result.',
    ),
  );
  return true;
}
