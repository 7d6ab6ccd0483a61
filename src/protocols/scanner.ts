import { warning } from './calls';
import { heldBack, type Cursor, type Reading } from './cursor';
import type { Grammar, ReplyWriter } from './text-parser';

/** Tags that open reasoning, with what closes it. */
const THINK_TAGS = new Map([
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
]);
/** A closing tag alone is left over from the model's template. */
const ORPHANS = [...THINK_TAGS.values()];
/** White space that is looked through for what comes behind it. */
const LOOK_AHEAD = 1024;
/** Control tokens of chat templates that servers let through. */
const SPECIAL_TOKENS = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<｜end▁of▁sentence｜>',
];

/**
 * Reads a whole reply: visible text, reasoning, and the blocks of one protocol. A block counts only where it stands
 * in the open: not inside a code fence, inline code or reasoning. Code follows CommonMark, except that inline code
 * ends with its line.
 */
export function* readReply(reply: ReplyWriter, grammar: Grammar): Reading<void> {
  const { cursor } = reply;
  const scan = new Scan(reply, grammar);
  for (;;) {
    if (cursor.unread === '' && !(yield* cursor.need(1))) break;
    const plain = scan.plainLength();
    if (plain > 0) scan.write(plain);
    else yield* scan.special();
  }
  scan.finish();
}

interface Fence {
  readonly char: string;
  readonly length: number;
  readonly start: number;
  /** Whether a block opener was seen inside. */
  holdsCall: boolean;
}

class Scan {
  private readonly cursor: Cursor;
  private readonly tokens: readonly string[];
  private readonly longest: number;
  private readonly stop: RegExp;
  /** Blanks since the line began; `undefined` once something else stood on it. */
  private indent: number | undefined = 0;
  /** Length of the backtick run that is open on this line. */
  private ticks = 0;
  private fence: Fence | undefined;
  private lastFence: Fence | undefined;
  /** Whether anything visible stands outside the fence. */
  private sawProse = false;

  constructor(
    private readonly reply: ReplyWriter,
    private readonly grammar: Grammar,
  ) {
    this.cursor = reply.cursor;
    this.tokens = [
      ...grammar.openers,
      ...grammar.resultOpeners,
      ...THINK_TAGS.keys(),
      ...ORPHANS,
      ...SPECIAL_TOKENS,
    ];
    this.longest = Math.max(...this.tokens.map((token) => token.length));
    const first = [...new Set(this.tokens.map((token) => token[0] ?? ''))]
      .join('')
      .replace(/[\\\]^-]/g, '\\$&');
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
      warning(
        span,
        'call-in-code',
        'A call stands inside a code fence and was not run.',
        'Write calls in the open, never inside a code fence.',
      ),
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
      if (this.grammar.mayBeFenced && (yield* this.fencedBlock(run, start))) return;
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
    const char = run[0] ?? '';
    const { length } = run;
    const line = yield* cursor.lineEnd(0);
    let offset = line;
    while (offset < line + LOOK_AHEAD && /\s/.test(yield* cursor.char(offset))) offset++;
    for (const opener of grammar.openers) {
      if (!(yield* cursor.sees(opener, offset))) continue;
      if (grammar.begins && !(yield* grammar.begins(cursor, opener, true, offset))) continue;
      const text = run + cursor.take(offset);
      const isBlock = yield* grammar.block(reply, opener, {
        text,
        isDecoration: () => this.isDecoration(char, length),
      });
      if (isBlock) cursor.take(yield* this.closingFence(char, length));
      else this.fence = { char, length, start, holdsCall: false };
      return true;
    }
    return false;
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
    // Usually all is there to decide at once; only near the end of what has arrived is there anything to wait for.
    if (unread.length >= this.longest) return this.tokens.find((token) => unread.startsWith(token));
    for (const token of this.tokens) {
      if (yield* this.cursor.sees(token)) return token;
    }
    return undefined;
  }

  private *handle(token: string): Reading<void> {
    const { cursor, reply, grammar } = this;
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
    } else if (grammar.resultOpeners.includes(token)) {
      if (reply.callCount > 0) yield* this.dropInvented();
      else this.write(token.length);
    } else if (THINK_TAGS.has(token)) {
      yield* this.reasoning(token);
    } else {
      cursor.take(token.length);
    }
  }

  /** Passes inline code on if the open run closes on this line, behind the token. Otherwise it never was one. */
  private *inlineCode(tokenLength: number): Reading<boolean> {
    const { cursor, ticks } = this;
    const end = yield* cursor.lineEnd(tokenLength);
    this.ticks = 0;
    for (const run of cursor.unread.slice(tokenLength, end).matchAll(/`+/g)) {
      if (run[0].length !== ticks) continue;
      this.write(tokenLength + run.index + ticks);
      return true;
    }
    return false;
  }

  private *reasoning(opener: string): Reading<void> {
    const { cursor, reply, grammar } = this;
    const closer = THINK_TAGS.get(opener) ?? '';
    const start = cursor.position;
    cursor.take(opener.length);
    const watch = { tail: '', sawCall: false };
    const add = (piece: string): void => {
      reply.reasoning(piece);
      if (watch.sawCall) return;
      const seen = watch.tail + piece;
      watch.sawCall = grammar.openers.some((marker) => seen.includes(marker));
      watch.tail = seen.slice(
        seen.length - Math.max(...grammar.openers.map((marker) => heldBack(seen, marker)), 0),
      );
    };
    let found: string | undefined;
    for (let depth = 0; ;) {
      found = yield* cursor.upTo([closer, opener], add);
      if (found === undefined || (found === closer && depth === 0)) break;
      depth += found === opener ? 1 : -1;
      add(cursor.take(found.length));
    }
    if (found !== undefined) {
      cursor.take(closer.length);
    } else if (watch.sawCall) {
      reply.warn(
        warning(
          { start, end: cursor.position },
          'call-in-reasoning',
          'A call stands inside reasoning that was never closed and was not run.',
          'Close the reasoning first and send the call again outside it.',
        ),
      );
    }
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
