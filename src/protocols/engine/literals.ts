import { isJsonObject, type Json, type JsonObject } from '../../base/json';
import { DEPTH, ESCAPES, readJson } from '../../base/json-reader';
import { blanksEnd, skipBlanks, type Cursor, type Reading } from './cursor';
import { LongText } from './long-text';

/** How values are written. Nothing is ever evaluated. */
export interface Literals {
  /**
   * Delimits texts, which then have no escapes. Keys of objects are words; quoted texts and Python's words are slips.
   * Without a mark, everything is written as in Python.
   */
  readonly mark?: string;
  /** Marks that end the calls. */
  readonly closers: readonly string[];
}

export class Unreadable extends Error {}

const LINE_BREAK = 'kept a line break inside a text';
/** Maximum length of a word. */
const LIMIT = 4_096;
/** The opening of a Python string, and its longest form; an `r` string has no escapes. */
const QUOTED = /^([rbu]?|rb|br)("""|'''|"|')/i;
const QUOTED_LENGTH = 5;
const ESCAPE = /\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U00(?:0[\da-fA-F]|10)[\da-fA-F]{4}|[^xuUN\d])/y;
const ESCAPE_LENGTH = 10;
const { '/': _, ...SHARED } = ESCAPES;
const PYTHON_ESCAPES: Readonly<Record<string, string>> = { ...SHARED, a: '\u0007', v: '\v', '\n': '' };

const KEY_CHAR = /[\p{L}\p{N}_$.-]/u;

/** Whether a key is accepted without quotes. Replies are read in UTF-16 units, so half a character is not accepted. */
export function isBareKey(key: string): boolean {
  return key !== '' && key.split('').every((char) => KEY_CHAR.test(char));
}

/** Reads values from the cursor. Throws `Unreadable` if there is not exactly one reading. */
export class LiteralReader {
  /** What was repaired, each as a clause for people. */
  readonly repairs = new Set<string>();
  /** The end of the reply closed the last text, and everything around it. */
  isOver = false;
  private depth = 0;

  constructor(
    readonly cursor: Cursor,
    private readonly form: Literals,
  ) {}

  /** Reads a value; a bare word only where a text is wanted. */
  *value(wantsText = false, onText?: (piece: string) => void): Reading<Json> {
    const { cursor, form } = this;
    const char = yield* cursor.char();
    if (char === '{') return yield* this.nested(this.braces());
    if (char === '[') return yield* this.nested(this.list(']'));
    if (char === '(' && form.mark === undefined) return yield* this.nested(this.list(')'));
    if (form.mark !== undefined && (yield* cursor.sees(form.mark)))
      return yield* this.text(form.mark, form.mark, onText);
    yield* cursor.need(QUOTED_LENGTH);
    const [open = '', , quote] = QUOTED.exec(cursor.unread) ?? [];
    return quote === undefined ? yield* this.word(wantsText) : yield* this.text(open, quote, onText);
  }

  /** Reads `key=value` or `key:value` between brackets, with the cursor on the opening one. */
  *pairs(closer: string, separator: '=' | ':', read: (key: string) => Reading<Json>): Reading<JsonObject> {
    const { items } = yield* this.items(closer, function* (reader): Reading<[string, Json][]> {
      if (separator === '=' && (yield* reader.cursor.takes('**'))) {
        const more = yield* reader.value();
        if (!isJsonObject(more)) throw new Unreadable('no object follows **');
        return Object.entries(more);
      }
      const key = yield* reader.key();
      if (key === undefined || !(yield* reader.takesSeparator(separator)))
        throw new Unreadable(`an argument is not written as name${separator}value`);
      return [[key, yield* read(key)]];
    });
    return objectOf(items.flat());
  }

  /** Bare, or a text if texts have marks. */
  private *key(): Reading<string | undefined> {
    const isText = this.form.mark !== undefined && /["'<]/.test(yield* this.cursor.char());
    const key = isText ? yield* this.value() : undefined;
    if (typeof key === 'string') return key;
    const word = yield* this.cursor.takeWhile((char) => KEY_CHAR.test(char), LIMIT);
    return word === '' ? undefined : word;
  }

  private *takesSeparator(separator: '=' | ':'): Reading<boolean> {
    const { cursor } = this;
    const at = yield* blanksEnd(cursor, 0);
    if (!(yield* cursor.sees(separator, at)) || (yield* cursor.sees('==', at))) return false;
    cursor.take(at + 1);
    yield* skipBlanks(this);
    return true;
  }

  private *nested(read: Reading<Json>): Reading<Json> {
    if (++this.depth > DEPTH) throw new Unreadable(`it is nested more than ${DEPTH} levels deep`);
    const value = yield* read;
    this.depth--;
    return value;
  }

  /** An object, or a Python set. */
  private *braces(): Reading<Json> {
    if (this.form.mark !== undefined) return yield* this.pairs('}', ':', () => this.value());
    const { items } = yield* this.items('}', function* (reader): Reading<readonly Json[]> {
      const first = yield* reader.value();
      return (yield* reader.takesSeparator(':')) ? [first, yield* reader.value()] : [first];
    });
    if (items.length > 0 && items.every((item) => item.length === 1)) return items.flat();
    return objectOf(items);
  }

  private *list(closer: ']' | ')'): Reading<Json> {
    const { items, hasComma } = yield* this.items(closer, (reader) => reader.value());
    // In Python, brackets around one value mean nothing.
    return closer === ')' && items.length === 1 && !hasComma ? (items[0] ?? null) : items;
  }

  /** Reads what is between brackets, separated by commas. */
  private *items<T>(
    closer: string,
    read: (reader: LiteralReader) => Reading<T>,
  ): Reading<{ readonly items: readonly T[]; readonly hasComma: boolean }> {
    const { cursor } = this;
    const items: T[] = [];
    let hasComma = false;
    cursor.take(1);
    yield* skipBlanks(this);
    while (!(yield* cursor.takes(closer))) {
      items.push(yield* read(this));
      if (this.isOver) break;
      yield* skipBlanks(this);
      const isMore = yield* cursor.takes(',');
      if (!isMore && !(yield* cursor.sees(closer)))
        throw new Unreadable(`there is no comma or ${closer} after a value`);
      hasComma ||= isMore;
      yield* skipBlanks(this);
    }
    return { items, hasComma };
  }

  /** Reads a text, with the cursor on its opening mark. */
  private *text(open: string, close: string, onText?: (piece: string) => void): Reading<string> {
    const { cursor, form } = this;
    cursor.take(open.length);
    const text = new LongText();
    const isLine = close.length === 1;
    const add = (piece: string): void => {
      text.add(piece);
      onText?.(piece);
    };
    const addWritten = (piece: string): void => {
      if (isLine && /[\n\r]/.test(piece)) this.repairs.add(LINE_BREAK);
      add(piece);
    };
    const isRaw = close === form.mark || /^b?r/i.test(open);
    const isClosed = isRaw
      ? (yield* cursor.upTo([close], addWritten)) !== undefined
      : yield* this.escapedText(close, add);
    if (!isClosed) return this.withoutEnd(text.join(), close);
    const more = isLine ? yield* this.beforeEnd(close) : '';
    if (more !== '') add(more);
    cursor.take(close.length);
    const value = text.join();
    // A text that contains the form's mark is written in quotes.
    if (form.mark !== undefined && close !== form.mark && !value.includes(form.mark))
      this.repairs.add(`read ${open}…${close} as a text`);
    return value;
  }

  /** Passes on a text with escapes up to the closing quotes; returns whether they came. */
  private *escapedText(close: string, add: (piece: string) => void): Reading<boolean> {
    const { cursor, repairs } = this;
    const isLine = close.length === 1;
    const special = new RegExp(`[\\\\${close[0]}${isLine ? '\n\r' : ''}]`, 'g');
    /** Reads a piece as far as it does not depend on later text. */
    const scan = (piece: string): number | undefined => {
      let text = '';
      let from = 0;
      for (;;) {
        special.lastIndex = from;
        const at = special.exec(piece)?.index;
        text += piece.slice(from, at);
        const char = at === undefined ? '' : (piece[at] ?? '');
        const isBreak = char === '\n' || char === '\r';
        if (isBreak) repairs.add(LINE_BREAK);
        const read = isBreak ? { meant: char, length: 1 } : this.escape(piece, at ?? piece.length);
        if (at === undefined || !read) {
          if (text !== '') add(text);
          return at;
        }
        text += read.meant;
        from = at + read.length;
      }
    };
    while (yield* cursor.through(scan)) {
      if (yield* cursor.sees(close)) return true;
      const isEscape = yield* cursor.sees('\\');
      if (isEscape) yield* cursor.need(ESCAPE_LENGTH);
      const read = isEscape ? this.escape(cursor.unread, 0) : { meant: close[0] ?? '', length: 1 };
      if (!read) throw new Unreadable('a text has an invalid escape');
      cursor.take(read.length);
      add(read.meant);
    }
    return false;
  }

  /** The mark that ends the last text of a call is missing: the text ends before the brace that ends the reply. */
  private withoutEnd(text: string, close: string): string {
    let rest = text.trimEnd();
    for (const closer of this.form.closers)
      if (rest.endsWith(closer)) rest = rest.slice(0, -closer.length).trimEnd();
    if (close !== this.form.mark || !rest.endsWith('}') || this.depth > 0 || this.cursor.isCut)
      throw new Unreadable('a text is not closed');
    this.isOver = true;
    this.repairs.add('added the end of the last text');
    return rest.slice(0, -1);
  }

  /**
   * Takes the part of a text before its closing quote, with the cursor on a quote: nothing if the quote is followed by
   * what can follow a value. A text that contains its quote character ends at the only such place on the line.
   */
  private *beforeEnd(quote: string): Reading<string> {
    const { cursor } = this;
    const next = yield* cursor.char(yield* blanksEnd(cursor, 1));
    if (next === '' || /[,)\]}:]/.test(next)) return '';
    let line = yield* cursor.restOfLine(0);
    for (const closer of this.form.closers) line = line.split(closer)[0] ?? '';
    const ends = [...line.matchAll(/(["'])\s*[,)\]}:]/g)].filter((end) => end[1] === quote);
    const text = line.slice(0, ends[0]?.index);
    // Only a word may follow a quote inside a text: an operator or another text would have to be evaluated.
    const isWord = /^.[\p{L}\p{N}]/u.test(text);
    if (ends.length !== 1 || !isWord || text.includes('\\') || this.repairs.has(LINE_BREAK))
      throw new Unreadable(`it is unclear which ${quote} ends a text`);
    yield* cursor.need(text.length + 1);
    this.repairs.add(`kept ${quote} inside a text`);
    return cursor.take(text.length);
  }

  /** The meaning of an escape and its length; `undefined` if it is not one, or is incomplete. */
  private escape(text: string, at: number): { readonly meant: string; readonly length: number } | undefined {
    ESCAPE.lastIndex = at;
    const [written, char = ''] = ESCAPE.exec(text) ?? [];
    if (written === undefined) return undefined;
    const code = Number.parseInt(char.slice(1), 16);
    const meant = char.length > 1 ? String.fromCodePoint(code) : PYTHON_ESCAPES[char];
    if (meant !== undefined) return { meant, length: written.length };
    // `\d` or `C:\Users`: Python also keeps the backslash.
    this.repairs.add(`kept the backslash in ${written}`);
    return { meant: '\\', length: 1 };
  }

  /** A number, a boolean, null, or a bare word where a text is wanted. */
  private *word(wantsText: boolean): Reading<Json> {
    const isPart = wantsText ? /[^,:{}[\]<>"'\n]/ : /[\w.+-]/;
    const word = (yield* this.cursor.takeWhile((char) => isPart.test(char), LIMIT)).trim();
    // Python also allows `+1` and `1_000`.
    const plain = /^[-+]?\d/.test(word) ? word.replace(/^\+|(?<=\d)_(?=\d)/g, '') : word;
    const number = plain.replace(/^(-?)0+(?=\d)/, '$1');
    const read = readJson(number);
    if (read.ok && /^[-\w+.]+$/.test(number)) {
      const isPython = /^[TFN]/.test(word) && this.form.mark === undefined;
      for (const repair of isPython ? [] : read.repairs) this.repairs.add(repair);
      if (number !== plain) this.repairs.add(`read ${word} as ${number}`);
      return read.value;
    }
    if (!wantsText || word === '') throw new Unreadable(`"${word.slice(0, 40)}" is invalid`);
    this.repairs.add('read a bare word as a text');
    return word;
  }
}

/** An object whose keys are unique texts, each with a value. */
function objectOf(pairs: readonly (readonly Json[])[]): JsonObject {
  const object = new Map<string, Json>();
  for (const [key, value] of pairs) {
    if (typeof key !== 'string' || value === undefined)
      throw new Unreadable('an object has no keys or values');
    if (object.has(key)) throw new Unreadable(`"${key}" is given twice`);
    object.set(key, value);
  }
  return Object.fromEntries(object);
}
