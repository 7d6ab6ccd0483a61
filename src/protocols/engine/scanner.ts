import type { Diagnostic } from '../../core/words/messages';
import { warning } from './calls';
import { closesLast, closingFence, Code, type Fence } from './code';
import { blanksEnd, type Cursor, type Reading } from './cursor';
import type { Reader, ReaderOptions, ReplyWriter, Span } from './reader';
import { readOrphan, readReasoning } from './reasoning';
import { CLOSERS, THINK_TAGS } from './reasoning-marks';
import { dropInvented, Trial } from './trial';

/** Attempts at blocks in foreign forms and in fences that came to nothing; more would cost too much. */
const FAILED_ATTEMPTS = 8;
/** Control tokens of chat templates that servers let through. */
const SPECIAL_TOKENS = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<｜end▁of▁sentence｜>',
];

/**
 * Reads a whole reply: visible text, reasoning, the blocks of one protocol, and whole blocks in foreign forms. A block
 * counts only where it stands in the open: not inside a code fence, inline code or reasoning.
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

const IN_THE_OPEN = 'Write calls in the open, never inside a code fence.';

class Scan {
  private readonly cursor: Cursor;
  /** Everything that means something, by its first character. */
  private readonly tokens: ReadonlyMap<string, readonly string[]>;
  private readonly longest: number;
  private readonly stop: RegExp;
  /** What opens blocks in foreign forms. */
  private readonly foreign: ReadonlyMap<string, Reader>;
  private readonly isLenient: boolean;
  /** A call in reasoning that is never closed ends it. */
  private readonly callsEndThinking: boolean;
  private failedAttempts = 0;
  private readonly code: Code;
  /** The last fence, if it holds what opens a block. */
  private fenceWithCall: Fence | undefined;
  /** A fence whose block was read and left as text, as long as no prose stands behind it. */
  private fenceShown: Fence | undefined;
  /** Whether anything visible stands outside fences. */
  private sawProse = false;

  constructor(
    private readonly reply: ReplyWriter,
    private readonly reader: Reader,
    { foreign = [], strictness, callsEndThinking = false }: ReaderOptions,
  ) {
    this.cursor = reply.cursor;
    this.code = new Code(reply.cursor);
    this.isLenient = strictness === 'lenient';
    this.callsEndThinking = this.isLenient || (callsEndThinking && strictness !== 'strict');
    this.foreign = new Map(
      foreign.flatMap((other) =>
        other.openers.flatMap((opener) =>
          reader.openers.includes(opener) ? [] : [[opener, other] as const],
        ),
      ),
    );
    const all = [
      ...reader.openers,
      ...reader.resultOpeners,
      ...this.foreign.keys(),
      ...THINK_TAGS.keys(),
      ...CLOSERS,
      ...SPECIAL_TOKENS,
    ];
    this.tokens = byFirstCharacter(all);
    this.longest = Math.max(...all.map((token) => token.length));
    const first = [...this.tokens.keys()].join('').replace(/[\\\]^[-]/g, '\\$&');
    this.stop = new RegExp(`[\\n\`~${first}]`, 'g');
  }

  /** How many characters from here mean nothing but themselves. */
  plainLength(): number {
    this.stop.lastIndex = 0;
    const found = this.stop.exec(this.cursor.unread);
    return found ? found.index : this.cursor.unread.length;
  }

  /** Passes text on. */
  write(count: number): void {
    const text = this.cursor.take(count);
    this.reply.text(text);
    this.code.text(text);
    if (!this.code.fence && /\S/.test(text)) this.prose();
  }

  /** What was read so far was reasoning: the reply begins here. */
  private begin(): void {
    this.sawProse = false;
    this.fenceShown = undefined;
    this.code.block();
  }

  /** Visible text outside fences: what was fenced in front of it is an example. */
  private prose(): void {
    this.sawProse = true;
    this.fenceShown = undefined;
  }

  /** Handles the character that stands here. Waits only while it is undecided what it begins. */
  *special(): Reading<void> {
    const char = this.cursor.unread[0] ?? '';
    if (char === '\n') {
      this.reply.text(this.cursor.take(1));
      this.code.newLine();
    } else if (char === '`' || char === '~') {
      yield* this.run(char);
    } else {
      const token = yield* this.token();
      if (token === undefined) this.write(1);
      else yield* this.handle(token);
    }
  }

  /** Says so where a fence hid what must have been meant as a call: one never closed, or one at the end of the reply. */
  finish(): void {
    const hasCalls = this.reply.callCount > 0;
    const isMeant = this.code.fence !== undefined || !(this.sawProse || hasCalls);
    const meant = (isMeant ? this.fenceWithCall : undefined) ?? (hasCalls ? undefined : this.fenceShown);
    if (!meant) return;
    const span = { start: meant.start, end: this.cursor.position };
    this.reply.warn(
      warning(span, 'call-in-code', 'A call stands inside a code fence and was not run.', IN_THE_OPEN),
    );
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
      const mayHoldCall = this.reader.mayBeFenced === true || this.isLenient;
      if (mayHoldCall && (yield* this.fencedBlock(run, fence))) return;
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
    this.fenceWithCall = isShown ? fence : undefined;
    if (isShown) this.fenceShown ??= fence;
  }

  /** A fence whose first content is a block. Says false, with nothing more taken, where that is not so. */
  private *fencedBlock(run: string, fence: Fence): Reading<boolean> {
    const { cursor, reply, reader } = this;
    const found = yield* this.fencedOpener();
    if (!found) return false;
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

  /** The opener that stands first behind the line that opens a fence, and its distance. */
  private *fencedOpener(): Reading<{ readonly opener: string; readonly offset: number } | undefined> {
    const { cursor, reader } = this;
    const offset = yield* blanksEnd(cursor, (yield* cursor.restOfLine(0)).length);
    for (const opener of reader.openers) {
      if (!(yield* cursor.sees(opener, offset))) continue;
      if (!reader.begins || (yield* reader.begins(cursor, opener, true, offset))) return { opener, offset };
    }
    return undefined;
  }

  /** Lenient: a block that is all a fence holds, with nothing behind it, was meant as a call. Tried a few times. */
  private *fencedTrial(
    fence: Fence,
    { opener, offset }: { opener: string; offset: number },
  ): Reading<boolean> {
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
      reply.markRepaired(warning(first, 'call-in-code', 'The call stood inside a code fence.', IN_THE_OPEN));
    for (const call of trial.calls) reply.endCall({ ...call, index: reply.startCall(call.name) });
    return true;
  }

  /** Whether the fence around the only call of a reply, also in fences, closes here and nothing comes behind it. */
  private *isDecoration(fence: Fence): Reading<boolean> {
    const isOnly = this.reply.callCount === 0 && !this.fenceShown;
    return isOnly && (yield* closesLast(this.cursor, fence));
  }

  /** The token that stands here, if any. */
  private *token(): Reading<string | undefined> {
    const { unread } = this.cursor;
    const tokens = this.tokens.get(unread[0] ?? '') ?? [];
    // Usually all is there to decide at once; only near the end of what has arrived is there anything to wait for.
    if (unread.length >= this.longest) return tokens.find((token) => unread.startsWith(token));
    for (const token of tokens) {
      if (yield* this.cursor.sees(token)) return token;
    }
    return undefined;
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
    const foreign = this.foreign.get(token);
    if (reader.openers.includes(token)) {
      if (reader.begins && !(yield* reader.begins(cursor, token, code.isLineStart))) {
        this.write(token.length);
        return;
      }
      yield* reader.block(reply, token, undefined);
      code.block();
    } else if (foreign) {
      yield* this.foreignBlock(token, foreign);
    } else if (reader.resultOpeners.includes(token)) {
      if (reply.callCount > 0) yield* dropInvented(reply, cursor.position);
      else this.write(token.length);
    } else if (THINK_TAGS.has(token)) {
      yield* readReasoning(reply, reader, token, this.callsEndThinking);
    } else if (CLOSERS.includes(token)) {
      if (yield* readOrphan(reply, token)) this.begin();
    } else {
      cursor.take(token.length);
    }
  }

  /** A block in another form counts only if it is whole; else its opener is text and reading goes on behind that. */
  private *foreignBlock(opener: string, foreign: Reader): Reading<void> {
    const { cursor, reply } = this;
    const begins =
      this.failedAttempts < FAILED_ATTEMPTS &&
      (!foreign.begins || (yield* foreign.begins(cursor, opener, this.code.isLineStart)));
    if (!begins) {
      this.write(opener.length);
      return;
    }
    cursor.mark();
    const trial = new Trial(cursor);
    const start = cursor.position;
    const isBlock = yield* foreign.block(trial, opener, undefined);
    if (!isBlock || !trial.isClean) {
      // Whatever stands in a block that is never closed is a part of it.
      this.failedAttempts = cursor.isOver ? FAILED_ATTEMPTS : this.failedAttempts + 1;
      // A call in one that has an end may be a part of it.
      const end = cursor.isOver || trial.callCount === 0 ? start : cursor.position;
      cursor.rewind();
      if (end > start) reply.markRepaired(insideForeign({ start, end }), end);
      this.write(opener.length);
      return;
    }
    const raw = cursor.release();
    const form = foreign.formOf?.(raw) ?? foreign.id;
    this.code.block();
    const span = { start, end: cursor.position };
    if (reply.recover(trial.calls, form, span)) return;
    reply.text(raw);
    this.prose();
    reply.warn(foreignBlock(span, form));
  }
}

/** Longer tokens come first: one may begin with another. */
function byFirstCharacter(tokens: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const token of [...tokens].sort((a, b) => b.length - a.length)) {
    const first = token[0] ?? '';
    found.set(first, [...(found.get(first) ?? []), token]);
  }
  return found;
}

function foreignBlock(span: Span, form: string): Diagnostic {
  const message = `The model wrote a call in the form "${form}", which is not the one in use; it was not run.`;
  return { ...warning(span, 'foreign-block', message, 'Write calls in the form shown.'), seen: form };
}

function insideForeign(span: Span): Diagnostic {
  const message = 'The call stands inside a block in another form that cannot be read.';
  return warning(span, 'inside-foreign', message, 'Write calls in the open and in the form shown.');
}
