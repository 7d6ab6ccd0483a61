import type { Json, JsonObject } from '../../base/json';
import { afterUnclosed, malformed, unfinishedCall, warning } from '../engine/calls';
import { blanksEnd, endsLine, seenOf, skipBlanks, type Reading } from '../engine/cursor';
import { LiteralReader, Unreadable, type Literals } from '../engine/literals';
import type { ReplyWriter } from '../engine/reader';
import { endsReply } from '../engine/special-tokens';

interface Begun {
  readonly index: number;
  readonly name: string;
  readonly start: number;
  end: number;
  arguments: JsonObject;
}

/** The end of the code around calls. */
const FENCES = ['```', '~~~'];

interface CallMarkers {
  /** The marker before the calls; those without one end with their line. */
  readonly opener?: string | undefined;
  /** What a model is told to end its calls with. */
  readonly end: string;
}

/** The calls of one block in which values are literals: all of them count, or none. */
export class LiteralCalls {
  readonly reader: LiteralReader;
  readonly calls: Begun[] = [];
  private at: number;

  constructor(
    private readonly reply: ReplyWriter,
    private readonly form: Literals,
    private readonly markers: CallMarkers,
  ) {
    this.reader = new LiteralReader(reply.cursor, form);
    this.at = reply.cursor.position;
  }

  /** Reads the arguments of a call whose name was read: `key=value` in round brackets, `key:value` in braces. */
  *call(name: string, bracket: '(' | '{', wantsText = (_key: string): boolean => false): Reading<void> {
    const { reply, reader } = this;
    const begun = this.begin(name);
    const value = (key: string): Reading<Json> =>
      reader.value(wantsText(key), (piece) => reply.delta(begun.index, key, piece));
    begun.arguments = yield* bracket === '(' ? reader.pairs(')', '=', value) : reader.pairs('}', ':', value);
    begun.end = this.at = reply.cursor.position;
  }

  /**
   * Reads a block, with the cursor on its opening marker, by a generator that throws if there is not exactly one
   * reading; the block is then skipped to its end. Returns whether its calls count.
   */
  *block(read: Reading<void>): Reading<boolean> {
    const { reply, markers, form } = this;
    const { cursor } = reply;
    try {
      cursor.take(markers.opener?.length ?? 0);
      yield* skipBlanks(reply);
      yield* read;
      if (!this.reader.isOver) yield* this.close();
    } catch (problem) {
      if (!(problem instanceof Unreadable)) throw problem;
      const isOver = cursor.isOver;
      const start = cursor.position;
      const end = yield* cursor.upTo(markers.opener === undefined ? ['\n'] : form.closers, () => undefined);
      if (end !== undefined && end !== '\n') cursor.take(end.length);
      const why = isOver
        ? unfinishedCall(markers.end)
        : malformed(`The call cannot be read: ${problem.message}.`);
      if (this.calls.length === 0) this.begin('');
      for (const call of this.upToHere()) reply.rejectCall(call, why);
      // Text after an unclosed block may be a part of it.
      if (!isOver) reply.markRepaired(afterUnclosed({ start, end: cursor.position }));
      return false;
    }
    this.finish();
    return true;
  }

  private *close(): Reading<void> {
    const { cursor } = this.reply;
    const { opener, end } = this.markers;
    const next = yield* blanksEnd(cursor, 0);
    const mark = yield* seenOf(cursor, this.form.closers, next);
    if (mark !== undefined) {
      cursor.take(next);
      while (yield* cursor.takes(mark));
    } else if (opener === undefined) {
      const isFenced = (yield* seenOf(cursor, FENCES, next)) !== undefined;
      if (!isFenced && !(yield* endsLine(cursor, 0)) && !(yield* endsReply(cursor)))
        throw new Unreadable('text follows the calls');
    } else if ((yield* cursor.sees(opener, next)) || (yield* endsReply(cursor))) {
      this.reader.repairs.add(`added the missing ${end}`);
    } else {
      throw new Unreadable(`there is no ${end} after the calls`);
    }
  }

  /** Reports the calls, the last one up to here. */
  private finish(): void {
    for (const call of this.upToHere()) {
      const notes = [...this.reader.repairs].map((repair) =>
        warning(call, 'repaired-call', `Repaired call: ${repair}.`, 'Write it exactly in the form shown.'),
      );
      this.reply.endCall({ ...call, notes, repaired: notes.length > 0 });
    }
  }

  private begin(name: string): Begun {
    const { reply, at } = this;
    const begun = { index: reply.startCall(name), name, start: at, end: at, arguments: {} };
    this.calls.push(begun);
    return begun;
  }

  private upToHere(): readonly Begun[] {
    const last = this.calls.at(-1);
    if (last) last.end = this.reply.cursor.position;
    return this.calls;
  }
}
