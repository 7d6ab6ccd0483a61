import type { Diagnostic } from '../core/diagnostic';
import { warning } from './calls';
import type { Cursor, Reading } from './cursor';
import { readReasoning, THINK_TAGS } from './reasoning';
import type { Grammar, ReaderOptions, ReplyWriter, Span } from './text-parser';
import { Trial } from './trial';

/** A closing tag alone is left over from the model's template. */
const ORPHANS = [...THINK_TAGS.values()];
/** White space that is looked through for what comes behind it. */
const LOOK_AHEAD = 1024;
/** Attempts at foreign blocks that came to nothing; more would cost too much. */
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
 * counts only where it stands in the open: not inside a code fence, inline code or reasoning. Code follows CommonMark,
 * except that inline code ends with its line.
 */
export function* readReply(reply: ReplyWriter, grammar: Grammar, options: ReaderOptions): Reading<void> {
  const { cursor } = reply;
  const scan = new Scan(reply, grammar, options);
  for (;;) {
    if (cursor.unread === '' && !(yield* cursor.need(1))) break;
    const plain = scan.plainLength();
    if (plain > 0) scan.write(plain);
    else yield* scan.special();
  }
  scan.finish();
}

const IN_THE_OPEN = 'Write calls in the open, never inside a code fence.';

interface Fence {
  readonly char: string;
  readonly length: number;
  readonly start: number;
  /** Whether a block opener was seen inside. */
  holdsCall: boolean;
}

class Scan {
  private readonly cursor: Cursor;
  /** Everything that means something, by its first character. */
  private readonly tokens: ReadonlyMap<string, readonly string[]>;
  private readonly longest: number;
  private readonly stop: RegExp;
  /** What opens blocks in foreign forms. */
  private readonly foreign: ReadonlyMap<string, Grammar>;
  private readonly isLenient: boolean;
  private failedAttempts = 0;
  /** Blanks since the line began; `undefined` once something else stood on it. */
  private indent: number | undefined = 0;
  /** Length of the backtick run that is open on this line. */
  private ticks = 0;
  /** Lengths of runs that nothing closes on the rest of this line, so that it is not searched again. */
  private unclosedTicks = new Set<number>();
  private fence: Fence | undefined;
  private lastFence: Fence | undefined;
  /** Whether anything visible stands outside the fence. */
  private sawProse = false;

  constructor(
    private readonly reply: ReplyWriter,
    private readonly grammar: Grammar,
    { foreign = [], strictness }: ReaderOptions,
  ) {
    this.cursor = reply.cursor;
    this.isLenient = strictness === 'lenient';
    this.foreign = new Map(
      foreign.flatMap((other) =>
        other.openers.flatMap((opener) =>
          grammar.openers.includes(opener) ? [] : [[opener, other] as const],
        ),
      ),
    );
    const all = [
      ...grammar.openers,
      ...grammar.resultOpeners,
      ...this.foreign.keys(),
      ...THINK_TAGS.keys(),
      ...ORPHANS,
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

  /** Passes text on and keeps track of the line. */
  write(count: number): void {
    const text = this.cursor.take(count);
    this.reply.text(text);
    if (this.indent !== undefined) {
      const blanks = /^ *$/.test(text) ? this.indent + text.length : 4;
      this.indent = blanks <= 3 ? blanks : undefined;
    }
    if (!this.fence && /\S/.test(text)) this.sawProse = true;
  }

  /** Handles the character that stands here. Waits only while it is undecided what it begins. */
  *special(): Reading<void> {
    const char = this.cursor.unread[0] ?? '';
    if (char === '\n') {
      this.reply.text(this.cursor.take(1));
      this.indent = 0;
      this.ticks = 0;
      this.unclosedTicks.clear();
    } else if (char === '`' || char === '~') {
      yield* this.run(char);
    } else {
      const token = yield* this.token();
      if (token === undefined) this.write(1);
      else yield* this.handle(token);
    }
  }

  /** Says so where a fence hid what must have been meant as a call: one never closed, or one that is the whole reply. */
  finish(): void {
    const meant = this.fence ?? (this.sawProse || this.reply.callCount > 0 ? undefined : this.lastFence);
    if (!meant?.holdsCall) return;
    const span = { start: meant.start, end: this.cursor.position };
    this.reply.warn(
      warning(span, 'call-in-code', 'A call stands inside a code fence and was not run.', IN_THE_OPEN),
    );
  }

  /** A run of backticks or tildes: opens or closes a fence, or inline code. */
  private *run(char: string): Reading<void> {
    const { cursor } = this;
    const start = cursor.position;
    const run = yield* cursor.takeWhile((each) => each === char, Infinity);
    const { length } = run;
    const isLineStart = this.indent !== undefined;
    this.indent = undefined;
    if (this.fence) {
      if (isLineStart && (yield* this.closesFence(this.fence, char, length))) {
        this.lastFence = this.fence;
        this.fence = undefined;
      }
    } else if (isLineStart && length >= 3 && (yield* this.opensFence(char))) {
      const mayHoldCall = this.grammar.mayBeFenced === true || this.isLenient;
      if (mayHoldCall && (yield* this.fencedBlock(run, start))) return;
      this.fence = { char, length, start, holdsCall: false };
    } else if (char === '`') {
      this.ticks = this.ticks === 0 ? length : this.ticks === length ? 0 : this.ticks;
      this.sawProse = true;
    }
    this.reply.text(run);
  }

  /** A fence whose first content is a block. Says false, with nothing more taken, where that is not so. */
  private *fencedBlock(run: string, start: number): Reading<boolean> {
    const { cursor, reply, grammar } = this;
    const [char = '', { length }] = [run[0], run];
    const found = yield* this.fencedOpener();
    if (!found) return false;
    if (!grammar.mayBeFenced) return yield* this.fencedTrial(run, found);
    const isBlock = yield* grammar.block(reply, found.opener, {
      text: run + cursor.take(found.offset),
      isDecoration: () => this.isDecoration(char, length),
    });
    if (isBlock) cursor.take(yield* this.closingFence(char, length));
    else this.fence = { char, length, start, holdsCall: false };
    return true;
  }

  /** The opener that stands first behind the line that opens a fence, and its distance. */
  private *fencedOpener(): Reading<{ readonly opener: string; readonly offset: number } | undefined> {
    const { cursor, grammar } = this;
    const line = yield* cursor.lineEnd(0);
    let offset = line;
    while (offset < line + LOOK_AHEAD && /\s/.test(yield* cursor.char(offset))) offset++;
    for (const opener of grammar.openers) {
      if (!(yield* cursor.sees(opener, offset))) continue;
      if (!grammar.begins || (yield* grammar.begins(cursor, opener, true, offset))) return { opener, offset };
    }
    return undefined;
  }

  /** Lenient: a block that is all a fence holds, with nothing behind it, was meant as a call. */
  private *fencedTrial(
    run: string,
    { opener, offset }: { opener: string; offset: number },
  ): Reading<boolean> {
    const { cursor, reply, grammar } = this;
    const [char = '', { length }] = [run[0], run];
    cursor.mark();
    cursor.take(offset);
    const trial = new Trial(cursor);
    const isBlock = yield* grammar.block(trial, opener, undefined);
    if (!isBlock || !trial.isClean || !(yield* this.isDecoration(char, length))) {
      cursor.rewind();
      return false;
    }
    cursor.release();
    cursor.take(yield* this.closingFence(char, length));
    const [first] = trial.calls;
    if (first)
      reply.doubt(warning(first, 'call-in-code', 'The call stood inside a code fence.', IN_THE_OPEN));
    for (const call of trial.calls) reply.finish({ ...call, index: reply.begin(call.name) });
    return true;
  }

  /** Whether the fence around the only call of a reply closes here and nothing comes behind it. */
  private *isDecoration(char: string, length: number): Reading<boolean> {
    if (this.reply.callCount > 0) return false;
    const end = yield* this.closingFence(char, length);
    if (end === 0) return false;
    let offset = end;
    while (offset < end + LOOK_AHEAD && /\s/.test(yield* this.cursor.char(offset))) offset++;
    return (yield* this.cursor.char(offset)) === '';
  }

  /** Where the run ends that closes a fence, if nothing but it comes next; 0 if not. */
  private *closingFence(char: string, length: number): Reading<number> {
    const { cursor } = this;
    let offset = 0;
    while (offset < LOOK_AHEAD && /\s/.test(yield* cursor.char(offset))) offset++;
    let run = 0;
    while (run < LOOK_AHEAD && (yield* cursor.char(offset + run)) === char) run++;
    return run >= length ? offset + run : 0;
  }

  private *opensFence(char: string): Reading<boolean> {
    if (char === '~') return true;
    const end = yield* this.cursor.lineEnd(0);
    return !this.cursor.unread.slice(0, end).includes('`');
  }

  private *closesFence(fence: Fence, char: string, length: number): Reading<boolean> {
    if (char !== fence.char || length < fence.length) return false;
    for (let offset = 0; offset < LOOK_AHEAD; offset++) {
      const next = yield* this.cursor.char(offset);
      if (next === '' || next === '\n' || next === '\r') return true;
      if (next !== ' ' && next !== '\t') return false;
    }
    return true;
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
    const { cursor, reply, grammar } = this;
    const foreign = this.foreign.get(token);
    if (this.fence) {
      if (grammar.openers.includes(token)) this.fence.holdsCall = true;
      this.write(token.length);
    } else if (this.ticks > 0 && (yield* this.inlineCode(token.length))) {
      return;
    } else if (grammar.openers.includes(token)) {
      if (grammar.begins && !(yield* grammar.begins(cursor, token, this.indent !== undefined))) {
        this.write(token.length);
        return;
      }
      yield* grammar.block(reply, token, undefined);
      this.indent = undefined;
    } else if (foreign) {
      yield* this.foreignBlock(token, foreign);
    } else if (grammar.resultOpeners.includes(token)) {
      if (reply.callCount > 0) yield* this.dropInvented();
      else this.write(token.length);
    } else if (THINK_TAGS.has(token)) {
      yield* readReasoning(reply, grammar, token, this.isLenient);
    } else {
      cursor.take(token.length);
    }
  }

  /** Passes inline code on if the open run closes on this line, behind the token. Otherwise it never was one. */
  private *inlineCode(tokenLength: number): Reading<boolean> {
    const { cursor, ticks } = this;
    this.ticks = 0;
    if (this.unclosedTicks.has(ticks)) return false;
    const end = yield* cursor.lineEnd(tokenLength);
    for (const run of cursor.unread.slice(tokenLength, end).matchAll(/`+/g)) {
      if (run[0].length !== ticks) continue;
      this.write(tokenLength + run.index + ticks);
      return true;
    }
    this.unclosedTicks.add(ticks);
    return false;
  }

  /** A block in another form counts only if it is whole; else its opener is text and reading goes on behind that. */
  private *foreignBlock(opener: string, foreign: Grammar): Reading<void> {
    const { cursor, reply } = this;
    const begins =
      this.failedAttempts < FAILED_ATTEMPTS &&
      (!foreign.begins || (yield* foreign.begins(cursor, opener, this.indent !== undefined)));
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
      cursor.rewind();
      this.write(opener.length);
      return;
    }
    const raw = cursor.release();
    const form = foreign.formOf?.(raw) ?? foreign.id;
    this.indent = undefined;
    const span = { start, end: cursor.position };
    if (reply.recover(trial.calls, form, span)) return;
    reply.text(raw);
    this.sawProse = true;
    reply.warn(foreignBlock(span, form));
  }

  private *dropInvented(): Reading<void> {
    const { cursor, reply } = this;
    const start = cursor.position;
    yield* cursor.upTo([], () => undefined);
    reply.warn(
      warning(
        { start, end: cursor.position },
        'invented-result',
        'The model wrote a tool result of its own; it was dropped.',
        'Stop after the call and wait for its real result.',
      ),
    );
  }
}

function byFirstCharacter(tokens: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const token of tokens) {
    const first = token[0] ?? '';
    found.set(first, [...(found.get(first) ?? []), token]);
  }
  return found;
}

function foreignBlock(span: Span, form: string): Diagnostic {
  const message = `The model wrote a call in the form "${form}", which is not the one in use; it was not run.`;
  return { ...warning(span, 'foreign-block', message, 'Write calls in the form shown.'), seen: form };
}
