import type { JsonRead } from '../../base/json-reader';
import { afterUnclosed, unfinishedCall, type CallProblem } from '../engine/calls';
import { blanksEnd, seenOf, skipBlanks, type Cursor, type Reading } from '../engine/cursor';
import type { ReplyWriter } from '../engine/reader';
import { endsReply } from '../engine/special-tokens';
import { finishCall, invalidJson, takeObject, whyBroken } from './json-calls';

export interface Tags {
  readonly open: string;
  readonly close: string;
  /** Spellings of the closing tag, if there are several. */
  readonly closers?: readonly string[];
}

/**
 * Reads `<tag> {"name": …, "arguments": …} </tag>`, with the cursor on the opening tag. The end is found by reading the
 * JSON, so that a closing tag inside a string is data. A code fence around the JSON is repaired; several objects, in a
 * list or in sequence, are several calls.
 */
export function* readTaggedJson(reply: ReplyWriter, tags: Tags): Reading<true> {
  yield* new TaggedJson(reply, tags).read();
  return true;
}

class TaggedJson {
  private readonly cursor: Cursor;
  /** Where the block begins, or the part of it that belongs to the next call. */
  private start: number;
  /** Repairs of the block itself. */
  private readonly repairs = new Set<string>();
  /** The current call, until something was reported about it. */
  private index: number;

  constructor(
    private readonly reply: ReplyWriter,
    private readonly tags: Tags,
  ) {
    this.cursor = reply.cursor;
    this.start = reply.cursor.position;
    this.index = reply.startCall('');
  }

  *read(): Reading<void> {
    const { cursor, tags } = this;
    cursor.take(tags.open.length);
    yield* this.opening();
    const isList = yield* cursor.takes('[');
    yield* skipBlanks(this.reply);
    if (!(yield* cursor.sees('{'))) return yield* this.skip(noJson(tags));
    for (;;) {
      const json = yield* this.object();
      if (!json) return;
      if (!(yield* this.separator())) return yield* this.closing(json, isList);
      this.finish(json);
      this.index = this.reply.startCall('');
    }
  }

  /** Blanks and the line of a code fence. */
  private *opening(): Reading<void> {
    yield* skipBlanks(this.reply);
    if (!(yield* this.cursor.sees('```'))) return;
    this.repairs.add(FENCE);
    yield* this.cursor.upTo(['\n', '{', '[', this.tags.close], () => undefined);
    yield* skipBlanks(this.reply);
  }

  /** One object; `undefined` if it cannot be read, which was then reported. */
  private *object(): Reading<JsonRead | undefined> {
    const { cursor, tags } = this;
    const start = cursor.position;
    const { stream, text, lines } = yield* takeObject(cursor, {
      onPiece: (own) => this.reply.delta(this.index, '', own),
      mayBeText: () => true,
    });
    if (stream.state === 'complete') return stream.read();
    if (stream.state === 'open') {
      yield* this.skip(unfinishedCall(tags.close));
      return undefined;
    }
    if (yield* cursor.sees(tags.close)) {
      this.repairs.add('closed the brackets that were left open');
      return stream.read(stream.missing);
    }
    // An unclosed string may contain the closing tag and more.
    const tag = text.indexOf(tags.close, stream.stringStart);
    if (tag >= 0 && this.reply.putBackSwallowed(text.slice(tag + tags.close.length))) {
      this.reject(invalidJson('a string is not closed'));
      return undefined;
    }
    if (lines !== '') this.reply.markRepaired(afterUnclosed({ start, end: cursor.position }));
    yield* this.skip(invalidJson(whyBroken(stream, yield* cursor.char())));
    return undefined;
  }

  /** Takes what separates two calls; returns whether another one comes. */
  private *separator(): Reading<boolean> {
    yield* skipBlanks(this.reply);
    const isTaken = (yield* this.cursor.takes(',')) || (yield* this.cursor.takes(';'));
    yield* skipBlanks(this.reply);
    if (yield* this.cursor.sees('{')) return true;
    if (isTaken) this.repairs.add('left out a trailing separator');
    return false;
  }

  /** The end of the block after its last call. */
  private *closing(json: JsonRead, isList: boolean): Reading<void> {
    const { cursor, tags } = this;
    const isOpen = isList && !(yield* cursor.takes(']'));
    if (isOpen) this.repairs.add('closed the list that was left open');
    yield* skipBlanks(this.reply);
    if (yield* cursor.takes('```')) this.repairs.add(FENCE);
    yield* skipBlanks(this.reply);
    const behind = (yield* cursor.sees('}')) ? yield* blanksEnd(cursor, 1) : 0;
    const closer = yield* seenOf(cursor, tags.closers ?? [tags.close], behind);
    if (closer !== undefined) {
      cursor.take(behind + closer.length);
      if (behind > 0) this.repairs.add('left out an extra closing brace');
    } else if (!isOpen && ((yield* cursor.sees(tags.open)) || (yield* endsReply(cursor))))
      this.repairs.add(`added the missing ${tags.close}`);
    else return yield* this.skip(invalidJson(`there is text between it and ${tags.close}`));
    this.finish(json);
  }

  private finish(read: JsonRead): void {
    const { reply, index, start } = this;
    const { position: end } = this.cursor;
    this.start = end;
    if (read.ok) finishCall(reply, read.value, { index, start, end }, [...this.repairs, ...read.repairs]);
    else reply.rejectCall({ index, name: '', start, end }, invalidJson(read.message));
  }

  /** Rejects the call and skips to the end of the block. */
  private *skip(problem: CallProblem): Reading<void> {
    this.reject(yield* skipToEnd(this.reply, problem, this.tags));
  }

  private reject(problem: CallProblem): void {
    const { index, start } = this;
    this.reply.rejectCall({ index, name: '', start, end: this.cursor.position }, problem);
  }
}

const FENCE = 'left out the code fence around it';

/**
 * Skips past the closing tag, or to the next opening one, whichever comes first. Returns the problem, or another one if
 * the reply was cut off: nothing came, or only the beginning of the closing tag.
 */
export function* skipToEnd(
  reply: ReplyWriter,
  problem: CallProblem,
  { open, close }: Tags,
  ...others: readonly string[]
): Reading<CallProblem> {
  const { cursor } = reply;
  const start = cursor.position;
  const skipped: string[] = [];
  const found = yield* cursor.upTo([close, open, ...others], (piece) => skipped.push(piece));
  if (found === close) cursor.take(close.length);
  else if (found !== undefined) reply.markRepaired(afterUnclosed({ start, end: cursor.position }));
  const isCutOff = found === undefined && close.startsWith(skipped.join(''));
  return isCutOff ? unfinishedCall(close) : problem;
}

function noJson({ open, close }: Tags): CallProblem {
  return {
    code: 'not-json',
    message: `Text in ${open} is not a JSON object.`,
    hint: `Write ${open}{"name": "…", "arguments": {…}}${close}, no program code.`,
  };
}
