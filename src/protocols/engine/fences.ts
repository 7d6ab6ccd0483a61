import type { Diagnostic } from '../../core/words/messages';
import { warning, type RawCall } from './calls';
import { closesLast, closingFence, type Code, type Fence } from './code';
import { blanksEnd, type Cursor, type Reading } from './cursor';
import { areOffered, fencedCall, IN_THE_OPEN, introducesExample } from './foreign';
import { byOpener } from './openers';
import type { Reader, ReaderOptions, ReplyWriter, Span } from './reader';
import { Trial } from './trial';

/** More attempts at blocks would cost too much. */
const MOST_FAILED = 8;
/** Characters of a few sentences before calls. After a longer text, a fence is more likely an example. */
const SENTENCES = 600;

/** The attempts at blocks in foreign forms, in fences and in quotation marks that failed in one reply. */
export class Attempts {
  private count = 0;

  get areOver(): boolean {
    return this.count >= MOST_FAILED;
  }

  failed(times = 1): void {
    this.count += times;
  }
}

interface FencedOpener {
  readonly reader: Reader;
  readonly opener: string;
  /** Its distance from the fence. */
  readonly offset: number;
}

interface FencedBlock extends FencedOpener, Span {
  readonly calls: readonly RawCall[];
}

/** The code fences of a reply: which of them show calls, and which are only around them. */
export class Fences {
  /** The first call in a fence, in another form, that does not run. */
  notRun: Diagnostic | undefined;
  private readonly cursor: Cursor;
  private readonly readers: ReadonlyMap<string, readonly Reader[]>;
  /** Those whose blocks a fence may contain. */
  private readonly mayFence: ReadonlyMap<string, readonly Reader[]>;
  private readonly offered: ReaderOptions['tools'];
  private readonly mayRepair: boolean;
  /** The last fence, if it contains an opener. */
  private withCall: Fence | undefined;
  /** A fence whose block was read and left as text, until prose follows it. */
  private shown: Fence | undefined;
  /** Whether there is visible text outside fences. */
  private sawProse = false;
  /** Its length. */
  private proseLength = 0;
  /** Whether the reply shows code. */
  private sawCode = false;
  /** Whether the text before the last fence says that it is an example. */
  private isExample = false;

  constructor(
    private readonly reply: ReplyWriter,
    private readonly reader: Reader,
    { foreign = [], strictness, tools }: ReaderOptions,
    private readonly code: Code,
    private readonly attempts: Attempts,
  ) {
    this.cursor = reply.cursor;
    this.offered = tools;
    this.mayRepair = strictness !== 'strict';
    this.readers = byOpener([reader, ...foreign]);
    this.mayFence = byOpener(
      [reader, ...foreign].filter(
        ({ mayBeFenced }, at) => mayBeFenced === true || (strictness === 'lenient' && at === 0),
      ),
    );
  }

  /** The reply begins here: what came before was reasoning. */
  begin(): void {
    this.sawProse = false;
    this.proseLength = 0;
    this.sawCode = false;
    this.shown = undefined;
  }

  /** Visible text outside fences: a fence before it is an example. */
  prose(text: string): void {
    this.proseLength += text.length;
    if (!/\S/.test(text)) return;
    this.sawProse = true;
    this.shown = undefined;
  }

  /** The open fence contains the opener of a call. */
  holdCall(): void {
    this.withCall = this.code.fence;
  }

  /** Says which fence hid a likely call: one that was never closed, or one at the end of the reply. */
  hidden(): Diagnostic | undefined {
    const hasCalls = this.reply.callCount > 0;
    const isMeant = this.code.fence !== undefined || !(this.sawProse || hasCalls);
    const meant = (isMeant ? this.withCall : undefined) ?? (hasCalls ? undefined : this.shown);
    if (!meant) return undefined;
    const span = { start: meant.start, end: this.cursor.position };
    const message = 'A call is inside a code fence and was not run.';
    const found = warning(span, 'call-in-code', message, IN_THE_OPEN);
    return { ...found, ...(this.isExample && { isExample: true }) };
  }

  /** Reads what a fence contains that was just opened, if it is calls; otherwise code begins. */
  *opened(run: string, fence: Fence): Reading<void> {
    if ((yield* this.fencedCalls(fence)) || (yield* this.fencedBlock(run, fence))) return;
    this.open(fence);
    this.reply.text(run);
  }

  private open(fence: Fence, isShown = false): void {
    this.code.fence = fence;
    this.sawCode = true;
    this.isExample = introducesExample(this.code.before, true);
    this.withCall = isShown ? fence : undefined;
    if (isShown) this.shown ??= fence;
  }

  /**
   * Calls in one or several fences, in any form, after at most a few sentences and with nothing after them: they were
   * meant. Otherwise returns false, with nothing taken.
   */
  private *fencedCalls(fence: Fence): Reading<boolean> {
    const { cursor, reply, reader } = this;
    const mayBeMeant =
      this.offered !== undefined &&
      !this.sawCode &&
      this.proseLength <= SENTENCES &&
      reply.callCount === 0 &&
      !this.attempts.areOver &&
      !introducesExample(this.code.before, true);
    if (!mayBeMeant || !(yield* this.opener(this.readers))) return false;
    cursor.mark();
    const at = cursor.position;
    const blocks: FencedBlock[] = [];
    for (let open: Fence | undefined = fence; open; open = yield* this.nextFence()) {
      const read: readonly FencedBlock[] = yield* this.blocksIn(open);
      if (read.length === 0) break;
      blocks.push(...read);
    }
    const [first] = blocks;
    const isEnd = (yield* cursor.char(yield* blanksEnd(cursor, 0))) === '' && !cursor.isCut;
    // Its own reader takes a fence around the only block for decoration.
    const isDecoration = blocks.length === 1 && first?.reader === reader && reader.mayBeFenced;
    if (first && isEnd && !isDecoration) {
      const calls = blocks.flatMap((block) => block.calls);
      const span = { start: first.start, end: blocks.at(-1)?.end ?? first.end };
      const seen = blocks.find((block) => block.reader !== reader)?.reader;
      const raw = cursor.sinceMark.slice(first.start - at, first.end - at);
      // A fence that is the form itself.
      if (
        this.mayRepair &&
        blocks.every((block) => block.reader === reader && reader.fencedAs === block.opener)
      ) {
        cursor.release();
        this.endFenced(calls);
        return true;
      }
      if (reply.recover(calls, seen && (seen.formOf?.(raw) ?? seen.id), span)) {
        cursor.release();
        return true;
      }
      if (seen && areOffered(calls, this.offered)) this.notRun ??= fencedCall(span, seen.id);
    }
    cursor.rewind();
    return false;
  }

  /** The blocks that fill a fence, which was just opened, up to behind its end; none if it has anything else. */
  private *blocksIn(fence: Fence): Reading<readonly FencedBlock[]> {
    const { cursor } = this;
    const blocks: FencedBlock[] = [];
    for (let isFirst = true; ; isFirst = false) {
      const closes = yield* closingFence(cursor, fence);
      if (closes > 0) {
        cursor.take(closes);
        return blocks;
      }
      const found = yield* this.opener(this.readers, isFirst);
      if (!found) return [];
      cursor.take(found.offset);
      const start = cursor.position;
      const trial = new Trial(cursor);
      if (!(yield* found.reader.block(trial, found.opener, undefined)) || !trial.isClean) return [];
      blocks.push({ ...found, calls: trial.calls, start, end: cursor.position });
    }
  }

  /** Takes the beginning of a fence after blanks, if it is there. */
  private *nextFence(): Reading<Fence | undefined> {
    const { cursor } = this;
    const offset = yield* blanksEnd(cursor, 0);
    const char = yield* cursor.char(offset);
    if (char !== '`' && char !== '~') return undefined;
    let length = 1;
    while ((yield* cursor.char(offset + length)) === char) length++;
    if (length < 3) return undefined;
    cursor.take(offset + length);
    return { char, length, start: cursor.position - length };
  }

  /** A fence whose first content is a block. Otherwise returns false, with nothing more taken. */
  private *fencedBlock(run: string, fence: Fence): Reading<boolean> {
    const { cursor, reply, reader } = this;
    const found = yield* this.opener(this.mayFence);
    if (!found) return false;
    if (found.reader !== reader) return yield* this.fencedForeign(fence, found);
    if (!reader.mayBeFenced) return yield* this.fencedTrial(fence, found);
    let isShown = false;
    const isDecoration = function* (fences: Fences): Reading<boolean> {
      const is = yield* fences.isDecoration(fence);
      isShown = !is;
      return is;
    };
    const isBlock = yield* reader.block(reply, found.opener, {
      text: run + cursor.take(found.offset),
      isDecoration: () => isDecoration(this),
    });
    if (isBlock) cursor.take(yield* closingFence(cursor, fence));
    else this.open(fence, isShown);
    return true;
  }

  /** The first opener after the line that opens a fence, or after the blanks here. */
  private *opener(
    readers: ReadonlyMap<string, readonly Reader[]>,
    isLine = true,
  ): Reading<FencedOpener | undefined> {
    const { cursor } = this;
    const line = isLine ? yield* cursor.restOfLine(0) : '';
    const offset = yield* blanksEnd(cursor, line.length);
    const info = line.trim();
    const named =
      info === '' ? undefined : [...readers.values()].flat().find(({ fencedAs }) => fencedAs === info);
    if (named) return { reader: named, opener: info, offset };
    for (const [opener, those] of readers) {
      if (!(yield* cursor.sees(opener, offset))) continue;
      for (const reader of those) {
        if (!reader.begins || (yield* reader.begins(cursor, opener, true, offset)))
          return { reader, opener, offset };
      }
    }
    return undefined;
  }

  /** A call in a foreign form counts if its fence is all that the reply contains; otherwise it is only reported. */
  private *fencedForeign(fence: Fence, { reader, opener, offset }: FencedOpener): Reading<boolean> {
    const { cursor, reply } = this;
    if (this.attempts.areOver) return false;
    cursor.mark();
    cursor.take(offset);
    const start = cursor.position;
    const trial = new Trial(cursor);
    const isBlock = (yield* reader.block(trial, opener, undefined)) && trial.isClean;
    const span = { start, end: cursor.position };
    if (isBlock && !this.sawProse && (yield* this.isDecoration(fence))) {
      if (reply.recover(trial.calls, reader.id, span)) {
        cursor.release();
        cursor.take(yield* closingFence(cursor, fence));
        return true;
      }
    }
    if (isBlock && areOffered(trial.calls, this.offered) && !introducesExample(this.code.before, true))
      this.notRun ??= fencedCall(span, reader.id);
    this.attempts.failed();
    cursor.rewind();
    return false;
  }

  /** Lenient: a block that fills a fence, with nothing after it, was meant as a call. Tried a few times. */
  private *fencedTrial(fence: Fence, { opener, offset }: FencedOpener): Reading<boolean> {
    const { cursor, reader } = this;
    if (this.attempts.areOver) return false;
    cursor.mark();
    cursor.take(offset);
    const trial = new Trial(cursor);
    const isBlock = yield* reader.block(trial, opener, undefined);
    if (!isBlock || !trial.isClean || !(yield* this.isDecoration(fence))) {
      this.attempts.failed();
      cursor.rewind();
      return false;
    }
    cursor.release();
    cursor.take(yield* closingFence(cursor, fence));
    this.endFenced(trial.calls);
    return true;
  }

  /** Reports calls that a fence was around; they count as repaired. */
  private endFenced(calls: readonly RawCall[]): void {
    const { reply } = this;
    const [first] = calls;
    if (first)
      reply.markRepaired(warning(first, 'call-in-code', 'The call was inside a code fence.', IN_THE_OPEN));
    for (const call of calls) reply.endCall({ ...call, index: reply.startCall(call.name) });
  }

  /** Whether the fence around the only call of a reply, also in fences, closes here and nothing follows it. */
  private *isDecoration(fence: Fence): Reading<boolean> {
    const isOnly = this.reply.callCount === 0 && !this.shown;
    return isOnly && (yield* closesLast(this.cursor, fence));
  }
}
