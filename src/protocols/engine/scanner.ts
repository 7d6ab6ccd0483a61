import type { Diagnostic } from '../../core/words/messages';
import { warning, type RawCall } from './calls';
import { closesLast, closingFence, Code, type Fence } from './code';
import { blanksEnd, type Cursor, type Reading } from './cursor';
import {
  areOffered,
  fencedCall,
  foreignBlock,
  IN_THE_OPEN,
  insideForeign,
  introducesExample,
  unreadForm,
} from './foreign';
import { HEADER_OPENERS, MESSAGE_ENDS, readHeader, type MessageKind } from './messages';
import { byOpener, lineOpeners, tokensOf, type Tokens } from './openers';
import type { Reader, ReaderOptions, ReplyWriter } from './reader';
import { readThinkTag } from './reasoning';
import { THINK_TOKENS } from './reasoning-marks';
import { endsReply, isDropped, SPECIAL_TOKENS } from './special-tokens';
import { dropInvented, Trial } from './trial';

/** Failed attempts at blocks in foreign forms and in fences; more would cost too much. */
const FAILED_ATTEMPTS = 8;

/** Characters of a few sentences before calls. After a longer text, a fence is more likely an example. */
const SENTENCES = 600;

/**
 * Reads a whole reply: visible text, reasoning, the blocks of one protocol, and whole blocks in foreign forms. A block
 * counts only outside code fences, inline code and reasoning.
 */
export function* scanReply(reply: ReplyWriter, reader: Reader, options: ReaderOptions): Reading<void> {
  const { cursor } = reply;
  const scan = new Scan(reply, reader, options);
  for (;;) {
    if (cursor.unread === '' && !(yield* cursor.need(1))) break;
    const plain = scan.plainLength();
    if (plain > 0) scan.write(plain);
    else yield* scan.special();
  }
  scan.finish();
}

class Scan {
  private readonly cursor: Cursor;
  /** All tokens with a meaning. */
  private readonly tokens: Tokens;
  /** The readers of each opener: the current protocol first, then foreign forms. */
  private readonly readers: ReadonlyMap<string, readonly Reader[]>;
  private readonly offered: ReaderOptions['tools'];
  /** Those whose blocks a code fence may contain. */
  private readonly mayFence: ReadonlyMap<string, readonly Reader[]>;
  private readonly isLenient: boolean;
  /** A call in reasoning that is never closed ends it. */
  private readonly callsEndThinking: boolean;
  private failedAttempts = 0;
  private readonly code: Code;
  /** The last fence, if it contains an opener. */
  private fenceWithCall: Fence | undefined;
  /** A fence whose block was read and left as text, until prose follows it. */
  private fenceShown: Fence | undefined;
  /** Whether there is visible text outside fences. */
  private sawProse = false;
  /** Its length. */
  private proseLength = 0;
  /** Whether the reply shows code. */
  private sawCode = false;
  /** Whether the text before the last fence says that it is an example. */
  private isExample = false;
  /** The kind of the last message header. */
  private message: MessageKind | undefined;
  /** The first text in a foreign form that looks like a call and does not run. */
  private notRun: Diagnostic | undefined;

  constructor(
    private readonly reply: ReplyWriter,
    private readonly reader: Reader,
    { foreign = [], strictness, callsEndThinking = false, tools }: ReaderOptions,
  ) {
    this.cursor = reply.cursor;
    this.code = new Code(reply.cursor);
    this.isLenient = strictness === 'lenient';
    this.callsEndThinking = this.isLenient || (callsEndThinking && strictness !== 'strict');
    this.offered = tools;
    this.readers = byOpener([reader, ...foreign]);
    this.mayFence = byOpener(
      [reader, ...foreign].filter(
        ({ mayBeFenced }, at) => mayBeFenced === true || (this.isLenient && at === 0),
      ),
    );
    const own = [...reader.resultOpeners, ...THINK_TOKENS, ...HEADER_OPENERS, ...SPECIAL_TOKENS];
    this.tokens = tokensOf([...this.readers.keys(), ...own], '\n`~', lineOpeners(this.readers));
  }

  /** How many characters from here have no special meaning. */
  plainLength(): number {
    return this.tokens.firstIn(this.cursor.unread, this.code.isLineStart);
  }

  /** Passes text on. */
  write(count: number): void {
    const text = this.cursor.take(count);
    this.reply.text(text);
    this.code.text(text);
    if (this.code.fence) return;
    this.proseLength += text.length;
    if (/\S/.test(text)) this.prose();
  }

  /** What was read so far was reasoning: the reply begins here. */
  private begin(): void {
    this.sawProse = false;
    this.proseLength = 0;
    this.sawCode = false;
    this.fenceShown = undefined;
    this.code.block();
    this.code.newLine();
  }

  /** Visible text outside fences: a fence before it is an example. */
  private prose(): void {
    this.sawProse = true;
    this.fenceShown = undefined;
  }

  /** Handles the character at the cursor. Waits only while its meaning is undecided. */
  *special(): Reading<void> {
    const char = this.cursor.unread[0] ?? '';
    if (char === '\n') {
      this.reply.text(this.cursor.take(1));
      this.code.newLine();
    } else if (char === '`' || char === '~') {
      yield* this.run(char);
    } else {
      const token = yield* this.tokens.at(this.cursor, this.code.isLineStart);
      if (token === undefined) this.write(1);
      else yield* this.handle(token);
    }
  }

  /** Reports a fence that hid a likely call: one that was never closed, or one at the end of the reply. */
  finish(): void {
    const hasCalls = this.reply.callCount > 0;
    const isMeant = this.code.fence !== undefined || !(this.sawProse || hasCalls);
    const meant = (isMeant ? this.fenceWithCall : undefined) ?? (hasCalls ? undefined : this.fenceShown);
    if (!meant) {
      if (this.notRun && !hasCalls) this.reply.warn(this.notRun);
      return;
    }
    const span = { start: meant.start, end: this.cursor.position };
    const shown = warning(
      span,
      'call-in-code',
      'A call is inside a code fence and was not run.',
      IN_THE_OPEN,
    );
    this.reply.warn({ ...shown, ...(this.isExample && { isExample: true }) });
  }

  /** A run of backticks or tildes: opens or closes a fence, or inline code. */
  private *run(char: string): Reading<void> {
    const { cursor, code } = this;
    const start = cursor.position;
    const run = yield* cursor.takeWhile((each) => each === char, Infinity);
    const fence = { char, length: run.length, start };
    const isOutside = !code.fence;
    const does = yield* code.run(char, run.length);
    if (does === 'opens') {
      if (yield* this.fencedCalls(fence)) return;
      if (yield* this.fencedBlock(run, fence)) return;
      this.openFence(fence);
    } else if (does === 'closes') {
      code.fence = undefined;
    } else if (isOutside) {
      this.prose();
    }
    this.reply.text(run);
  }

  private openFence(fence: Fence, isShown = false): void {
    this.code.fence = fence;
    this.sawCode = true;
    this.isExample = introducesExample(this.code.before, true);
    this.fenceWithCall = isShown ? fence : undefined;
    if (isShown) this.fenceShown ??= fence;
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
      this.failedAttempts < FAILED_ATTEMPTS &&
      !introducesExample(this.code.before, true);
    if (!mayBeMeant || !(yield* this.fencedOpener(this.readers))) return false;
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
      const found = yield* this.fencedOpener(this.readers, isFirst);
      if (!found) return [];
      cursor.take(found.offset);
      const start = cursor.position;
      const trial = new Trial(cursor);
      if (!(yield* found.reader.block(trial, found.opener, undefined)) || !trial.isClean) return [];
      blocks.push({ reader: found.reader, calls: trial.calls, start, end: cursor.position });
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
    const found = yield* this.fencedOpener(this.mayFence);
    if (!found) return false;
    if (found.reader !== reader) return yield* this.fencedForeign(fence, found);
    if (!reader.mayBeFenced) return yield* this.fencedTrial(fence, found);
    let isShown = false;
    const isDecoration = function* (scan: Scan): Reading<boolean> {
      const is = yield* scan.isDecoration(fence);
      isShown = !is;
      return is;
    };
    const isBlock = yield* reader.block(reply, found.opener, {
      text: run + cursor.take(found.offset),
      isDecoration: () => isDecoration(this),
    });
    if (isBlock) cursor.take(yield* closingFence(cursor, fence));
    else this.openFence(fence, isShown);
    return true;
  }

  /** The first opener after the line that opens a fence, or after the blanks here. */
  private *fencedOpener(
    readers: ReadonlyMap<string, readonly Reader[]>,
    isLine = true,
  ): Reading<FencedOpener | undefined> {
    const { cursor } = this;
    const offset = yield* blanksEnd(cursor, isLine ? (yield* cursor.restOfLine(0)).length : 0);
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
    if (this.failedAttempts >= FAILED_ATTEMPTS) return false;
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
    this.failedAttempts++;
    cursor.rewind();
    return false;
  }

  /** Lenient: a block that fills a fence, with nothing after it, was meant as a call. Tried a few times. */
  private *fencedTrial(fence: Fence, { opener, offset }: FencedOpener): Reading<boolean> {
    const { cursor, reply, reader } = this;
    if (this.failedAttempts >= FAILED_ATTEMPTS) return false;
    cursor.mark();
    cursor.take(offset);
    const trial = new Trial(cursor);
    const isBlock = yield* reader.block(trial, opener, undefined);
    if (!isBlock || !trial.isClean || !(yield* this.isDecoration(fence))) {
      this.failedAttempts++;
      cursor.rewind();
      return false;
    }
    cursor.release();
    cursor.take(yield* closingFence(cursor, fence));
    const [first] = trial.calls;
    if (first)
      reply.markRepaired(warning(first, 'call-in-code', 'The call was inside a code fence.', IN_THE_OPEN));
    for (const call of trial.calls) reply.endCall({ ...call, index: reply.startCall(call.name) });
    return true;
  }

  /** Whether the fence around the only call of a reply, also in fences, closes here and nothing follows it. */
  private *isDecoration(fence: Fence): Reading<boolean> {
    const isOnly = this.reply.callCount === 0 && !this.fenceShown;
    return isOnly && (yield* closesLast(this.cursor, fence));
  }

  private *handle(token: string): Reading<void> {
    const { cursor, reply, reader, code } = this;
    if (code.fence) {
      if (reader.openers.includes(token)) this.fenceWithCall = code.fence;
      this.write(token.length);
      return;
    }
    const inline = yield* code.inline(token.length);
    if (inline > 0) {
      yield* cursor.need(inline);
      this.write(inline);
      return;
    }
    if (MESSAGE_ENDS.some((end) => token.startsWith(end))) this.message = undefined;
    const begun = yield* this.begun(token);
    if (begun === reader) {
      yield* reader.block(reply, token, undefined);
      code.block();
    } else if (begun) {
      yield* this.foreignBlock(token, begun);
    } else if (HEADER_OPENERS.includes(token)) {
      const kind = yield* readHeader(reply, reader, code);
      if (kind) this.message = kind;
      else this.write(token.length);
    } else if (this.readers.has(token) && !SPECIAL_TOKENS.includes(token)) {
      this.write(token.length);
    } else if (reader.resultOpeners.includes(token)) {
      if (reply.callCount > 0) yield* dropInvented(reply, cursor.position);
      else this.write(token.length);
    } else if (THINK_TOKENS.includes(token)) {
      const does = yield* readThinkTag(reply, reader, token, this.callsEndThinking);
      if (does === 'begins') this.begin();
      else if (does === 'text') this.write(token.length);
    } else if (yield* isDropped(cursor, token)) {
      cursor.take(token.length);
    } else {
      this.write(token.length);
    }
  }

  /** The reader of the block that an opener begins here, if any. */
  private *begun(opener: string): Reading<Reader | undefined> {
    if (this.message === 'user') return undefined;
    const mayBeForeign = this.message !== 'answer' && this.failedAttempts < FAILED_ATTEMPTS;
    for (const each of this.readers.get(opener) ?? []) {
      if (each !== this.reader && !mayBeForeign) continue;
      if (!each.begins || (yield* each.begins(this.cursor, opener, this.code.isLineStart))) return each;
    }
    return undefined;
  }

  /**
   * A block in another form counts only if it is complete; otherwise its opener is text and reading continues after
   * that.
   */
  private *foreignBlock(opener: string, foreign: Reader): Reading<void> {
    const { cursor, reply } = this;
    cursor.mark();
    const trial = new Trial(cursor);
    const start = cursor.position;
    const isBlock = (yield* foreign.block(trial, opener, undefined)) && trial.isClean;
    const span = { start, end: cursor.position };
    const isExample = isBlock && foreign.standsAlone === true && !(yield* endsReply(cursor));
    if (!isBlock || isExample) {
      if (!isExample && !foreign.standsAlone)
        this.notRun ??= unreadForm({ start, end: start + opener.length }, foreign.id);
      else if (isExample && areOffered(trial.calls, this.offered))
        this.notRun ??= foreignBlock(span, foreign.id);
      // An unclosed one makes the attempt read the rest of the reply.
      this.failedAttempts += cursor.isOver ? 2 : 1;
      // A call in it may be a part of it.
      const end = trial.callCount === 0 ? start : cursor.position;
      cursor.rewind();
      if (end > start) reply.markRepaired(insideForeign({ start, end }), end);
      this.write(opener.length);
      return;
    }
    const raw = cursor.release();
    const form = foreign.formOf?.(raw) ?? foreign.id;
    const isShown = introducesExample(this.code.before, !foreign.standsAlone);
    this.code.block();
    if (!isShown && reply.recover(trial.calls, form, span)) return;
    reply.text(raw);
    this.prose();
    reply.warn({ ...foreignBlock(span, form), ...(isShown && { isExample: true }) });
  }
}

interface FencedBlock {
  readonly reader: Reader;
  readonly calls: readonly RawCall[];
  readonly start: number;
  readonly end: number;
}

interface FencedOpener {
  readonly reader: Reader;
  readonly opener: string;
  /** Its distance from the fence. */
  readonly offset: number;
}
