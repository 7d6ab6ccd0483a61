import type { Cursor, Reading } from '../engine/cursor';
import { LongText, Remainder } from '../engine/long-text';
import type { OpenFence } from '../engine/reader';
import { JsonStream } from './json-stream';
import type { JsonListeners } from './json-stream';

/** White space that may stand between the brace and the first key. */
const BLANK_LIMIT = 1024;

/** Whether the brace here may begin an object: only a quote may follow it, so that braces in prose and code are text. */
export function* beginsObject(
  cursor: Cursor,
  _opener: string,
  _isLineStart: boolean,
  from = 0,
): Reading<boolean> {
  let offset = from + 1;
  while (offset < from + BLANK_LIMIT && /\s/.test(yield* cursor.char(offset))) offset++;
  return /["'“]/.test(yield* cursor.char(offset));
}

interface Candidate {
  readonly stream: JsonStream;
  /** The object as it was written; empty if it was let go. */
  readonly text: string;
  /** Where each item of the outer list or of `tool_calls` ends that another one follows, as offsets in the text. */
  readonly itemEnds: readonly number[];
  /** What was written from the first line break on; a string that should have ended may have swallowed it. */
  readonly lines: string;
}

interface CandidateListeners extends Pick<JsonListeners, 'onKey' | 'onText'> {
  /** Whether the object may still turn out to be text, so that its own text has to be kept. */
  readonly mayBeText: (stream: JsonStream) => boolean;
}

/** Takes one JSON value by its brackets and strings alone. */
export function* takeObject(
  cursor: Cursor,
  { mayBeText, ...listeners }: CandidateListeners,
): Reading<Candidate> {
  const itemEnds: number[] = [];
  const stream = new JsonStream({
    ...listeners,
    onItemEnd: (key, offset) => {
      if (key === 'tool_calls' || key === '') itemEnds.push(offset);
    },
  });
  const kept: { text?: LongText } = { text: new LongText() };
  const lines = new Remainder('\n');
  yield* cursor.through((piece) => {
    const used = stream.push(piece);
    if (kept.text && !mayBeText(stream)) delete kept.text;
    const own = used === undefined ? piece : piece.slice(0, used);
    kept.text?.add(own);
    lines.add(own);
    return used;
  });
  return { stream, text: kept.text?.join() ?? '', itemEnds, lines: lines.text };
}

/** Whether an object in a code fence only shows something: the fence must hold it alone and be the end of the reply. */
export function* isExample(fence: OpenFence | undefined, { state }: JsonStream): Reading<boolean> {
  if (!fence || state === 'open') return false;
  return state === 'broken' || !(yield* fence.isDecoration());
}

/**
 * Goes behind the line on which a broken object was left, the cursor in front of what broke it: what stands there
 * belongs to the object, and calls inside it are none. Returns what is wrong.
 */
export function* leaveBroken(cursor: Cursor, stream: JsonStream): Reading<string> {
  const why = whyBroken(stream, yield* cursor.char());
  yield* cursor.upTo(['\n'], () => undefined);
  return why;
}

/** What is wrong with a value that the next character broke off. */
export function whyBroken(stream: JsonStream, next: string): string {
  const read = stream.read(next);
  return read.ok ? 'it breaks off' : read.message;
}
