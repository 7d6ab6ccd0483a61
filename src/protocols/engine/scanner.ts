import type { Diagnostic } from '../../core/words/messages';
import { Code } from './code';
import type { Cursor, Reading } from './cursor';
import { hasWords, quotationEnds, RESULT_WRAPPERS, takeRepeatedResult } from './echo';
import { areOffered, foreignBlock, insideForeign, introducesExample, unreadForm } from './foreign';
import { Attempts, Fences } from './fences';
import { HEADER_OPENERS, MESSAGE_ENDS, readHeader, type MessageKind } from './messages';
import { byOpener, lineOpeners, tokensOf, type Tokens } from './openers';
import type { Reader, ReaderOptions, ReplyWriter } from './reader';
import { readThinkTag } from './reasoning';
import { THINK_TOKENS } from './reasoning-marks';
import { endsReply, isDropped, SPECIAL_TOKENS } from './special-tokens';
import { dropInvented, Trial } from './trial';

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
  /** A call in reasoning that is never closed ends it. */
  private readonly callsEndThinking: boolean;
  private readonly attempts = new Attempts();
  private readonly code: Code;
  private readonly fences: Fences;
  /** The kind of the last message header. */
  private message: MessageKind | undefined;
  /** The first text in a foreign form that looks like a call and does not run. */
  private notRun: Diagnostic | undefined;
  /** The same for a block that was begun and cannot be read, which is said beside other calls, too. */
  private broken: Diagnostic | undefined;
  private hasRecovered = false;
  /** The end of the last block and its reader: another of the same form may follow on the same line. */
  private lastBlock: { readonly reader: Reader; readonly end: number } | undefined;

  constructor(
    private readonly reply: ReplyWriter,
    private readonly reader: Reader,
    options: ReaderOptions,
  ) {
    const { foreign = [], strictness, callsEndThinking = false, tools } = options;
    this.cursor = reply.cursor;
    this.code = new Code(reply.cursor);
    this.callsEndThinking = strictness === 'lenient' || (callsEndThinking && strictness !== 'strict');
    this.offered = tools;
    this.readers = byOpener([reader, ...foreign]);
    this.fences = new Fences(reply, reader, options, this.code, this.attempts);
    const own = [
      ...reader.resultOpeners,
      ...RESULT_WRAPPERS.keys(),
      ...THINK_TOKENS,
      ...HEADER_OPENERS,
      ...SPECIAL_TOKENS,
    ];
    this.tokens = tokensOf([...this.readers.keys(), ...own], '\n`~', lineOpeners(this.readers));
  }

  /** How many characters from here have no special meaning. */
  plainLength(): number {
    return this.tokens.firstIn(this.cursor.unread, this.isLineStart);
  }

  /** Whether a block may begin here that has to begin a line. */
  private get isLineStart(): boolean {
    return this.code.isLineStart || this.cursor.position === this.lastBlock?.end;
  }

  /** Passes text on. */
  write(count: number, isShown = this.code.fence !== undefined): void {
    const text = this.cursor.take(count);
    this.reply.text(text, isShown);
    this.code.text(text);
    if (!this.code.fence) this.fences.prose(text);
  }

  /** What was read so far was reasoning: the reply begins here. */
  private begin(): void {
    this.fences.begin();
    this.code.block();
    this.code.newLine();
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
      const token = yield* this.tokens.at(this.cursor, this.isLineStart);
      if (token === undefined) this.write(1);
      else yield* this.handle(token);
    }
  }

  /** Says of which calls nothing was said yet. */
  finish(): void {
    const hasCalls = this.reply.callCount > 0;
    const hidden = this.fences.hidden();
    const notRun = this.notRun ?? this.fences.notRun;
    const unsaid = hidden ?? (hasCalls ? (this.hasRecovered ? this.broken : undefined) : notRun);
    if (unsaid) this.reply.warn(unsaid);
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
      yield* this.fences.opened(run, fence);
      return;
    }
    if (does === 'closes') code.fence = undefined;
    else if (isOutside) this.fences.prose(run);
    this.reply.text(run);
  }

  private *handle(token: string): Reading<void> {
    const { cursor, reply, reader, code } = this;
    if (code.fence) {
      if (reader.openers.includes(token)) this.fences.holdCall();
      this.write(token.length);
      return;
    }
    const inline = yield* code.inline(token.length);
    if (inline > 0) {
      yield* cursor.need(inline);
      this.write(inline, true);
      return;
    }
    if (RESULT_WRAPPERS.has(token) || reader.resultOpeners.includes(token)) {
      yield* this.repeatedResult(token);
      return;
    }
    if (MESSAGE_ENDS.some((end) => token.startsWith(end))) this.message = undefined;
    const begun = yield* this.begun(token);
    if (begun && (yield* this.quoted(begun, token))) return;
    if (begun === reader) {
      yield* reader.block(reply, token, undefined);
      this.endBlock(reader);
    } else if (begun) {
      yield* this.foreignBlock(token, begun);
    } else if (HEADER_OPENERS.includes(token)) {
      const kind = yield* readHeader(reply, reader, code);
      if (kind) this.message = kind;
      else this.write(token.length);
    } else if (this.readers.has(token) && !SPECIAL_TOKENS.includes(token)) {
      this.write(token.length);
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
    const mayBeForeign = this.message !== 'answer' && !this.attempts.areOver;
    for (const each of this.readers.get(opener) ?? []) {
      if (each !== this.reader && !mayBeForeign) continue;
      const mayBegin = this.code.isLineStart || (this.isLineStart && this.lastBlock?.reader === each);
      if (!each.begins || (yield* each.begins(this.cursor, opener, mayBegin))) return each;
    }
    return undefined;
  }

  private endBlock(reader: Reader): void {
    this.code.block();
    this.lastBlock = { reader, end: this.cursor.position };
  }

  /**
   * A result that the model repeats is text, with whatever looks like a call in it. If it has no end, the calls after it
   * count as repaired. After a call, it is invented.
   */
  private *repeatedResult(token: string): Reading<void> {
    const { cursor, reply } = this;
    if (reply.callCount > 0 && this.reader.resultOpeners.includes(token)) {
      yield* dropInvented(reply, cursor.position);
      return;
    }
    const [, closer] = [...RESULT_WRAPPERS].find(([opener]) => token.startsWith(opener)) ?? [];
    if (closer === undefined) {
      this.write(token.length);
      return;
    }
    // Gemma stops with the opener of a result.
    if (SPECIAL_TOKENS.includes(token) && (yield* endsReply(cursor, token.length))) {
      cursor.take(token.length);
      return;
    }
    yield* takeRepeatedResult(reply, cursor.take(token.length), closer);
    this.code.block();
    this.fences.prose(token);
  }

  /** A block between quotation marks in a sentence is quoted: takes it as text. */
  private *quoted(reader: Reader, opener: string): Reading<boolean> {
    const { cursor, reply, code } = this;
    const closers = quotationEnds(code.before);
    if (closers === '') return false;
    const start = cursor.position;
    const line = code.before.slice(code.before.lastIndexOf('\n') + 1);
    if (this.attempts.areOver) {
      reply.markRepaired(insideForeign({ start, end: start + opener.length }));
      return false;
    }
    cursor.mark();
    const isBlock = yield* reader.block(new Trial(cursor), opener, undefined);
    const closer = yield* cursor.char();
    const isQuotation = isBlock && closer !== '' && closers.includes(closer);
    if (isQuotation && (hasWords(line) || hasWords(yield* cursor.restOfLine(1)))) {
      this.shown(cursor.release());
      return true;
    }
    cursor.rewind();
    this.attempts.failed();
    return false;
  }

  /** Text that only shows calls. */
  private shown(text: string): void {
    this.reply.text(text, true);
    this.code.block();
    this.fences.prose(text);
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
      if (!isExample && !foreign.standsAlone) {
        const unread = unreadForm({ start, end: start + opener.length }, foreign.id);
        this.notRun ??= unread;
        if (trial.callCount > 0) this.broken ??= unread;
      }
      if (isExample && areOffered(trial.calls, this.offered)) this.notRun ??= foreignBlock(span, foreign.id);
      // An unclosed one makes the attempt read the rest of the reply.
      this.attempts.failed(cursor.isOver ? 2 : 1);
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
    if (!isShown && reply.recover(trial.calls, form, span)) {
      this.hasRecovered = true;
      this.endBlock(foreign);
      return;
    }
    this.shown(raw);
    reply.warn({ ...foreignBlock(span, form), ...(isShown && { isExample: true }) });
  }
}
