import type { JsonObject } from '../../base/json';
import { afterUnclosed, malformed, unfinishedCall, warning, type CallProblem } from '../engine/calls';
import type { Reading } from '../engine/cursor';
import { LiteralReader, Unreadable, type Literals } from '../engine/literals';
import type { ReplyWriter } from '../engine/reader';

interface Begun {
  readonly index: number;
  readonly name: string;
  readonly start: number;
  end: number;
  args: JsonObject;
}

/** The calls of one block in which values are literals: all of them count, or none. */
export class LiteralCalls {
  readonly reader: LiteralReader;
  readonly calls: Begun[] = [];
  private at: number;

  constructor(
    private readonly reply: ReplyWriter,
    form: Literals,
    private readonly closer: string,
  ) {
    this.reader = new LiteralReader(reply.cursor, form);
    this.at = reply.cursor.position;
  }

  /** Reads the arguments of a call whose name was read. */
  *call(
    name: string,
    brackets: '()' | '{}',
    wantsText: (key: string) => boolean = () => false,
    reader = this.reader,
  ): Reading<void> {
    const { reply } = this;
    const begun: Begun = { index: reply.startCall(name), name, start: this.at, end: this.at, args: {} };
    this.calls.push(begun);
    const value = (key: string): ReturnType<LiteralReader['value']> =>
      reader.value(wantsText(key), (piece) => reply.delta(begun.index, key, piece));
    begun.args = yield* reader.pairs(brackets.charAt(1), brackets === '()' ? '=' : ':', value);
    begun.end = this.at = reply.cursor.position;
  }

  /** Reports the calls, the last up to here. */
  finish(): void {
    const { reply, calls } = this;
    const last = calls.at(-1);
    if (last) last.end = reply.cursor.position;
    for (const { args, ...call } of calls) {
      const notes = [...this.reader.repairs].map((repair) =>
        warning(call, 'repaired-call', `Mended the call: ${repair}.`, 'Write it exactly in the form shown.'),
      );
      reply.endCall({ ...call, arguments: args, notes, repaired: notes.length > 0 });
    }
  }

  /** Reads with a generator that throws where there is no single reading; then all is passed over up to an end. */
  *attempt(read: Reading<void>, ends: readonly string[]): Reading<boolean> {
    const { cursor } = this.reply;
    try {
      yield* read;
      return true;
    } catch (problem) {
      if (!(problem instanceof Unreadable)) throw problem;
      const isOver = cursor.isOver;
      const start = cursor.position;
      const end = yield* cursor.upTo(ends, () => undefined);
      if (end !== undefined && end !== '\n') cursor.take(end.length);
      this.reject(
        isOver ? unfinishedCall(this.closer) : malformed(`The call cannot be read: ${problem.message}.`),
      );
      // What stands behind may be a part of what was not closed.
      if (!isOver) this.reply.markRepaired(afterUnclosed({ start, end: cursor.position }));
      return false;
    }
  }

  private reject(problem: CallProblem): void {
    const { reply, calls } = this;
    if (calls.length === 0)
      calls.push({ index: reply.startCall(''), name: '', start: this.at, end: this.at, args: {} });
    const last = calls.at(-1);
    if (last) last.end = reply.cursor.position;
    for (const { args: _, ...call } of calls) reply.rejectCall(call, problem);
  }
}
