import { isJsonObject, type Json, type JsonObject } from '../../base/json';
import { DEPTH, ESCAPES, readJson } from '../../base/json-reader';
import { blanksEnd, isBlank, type Cursor, type Reading } from './cursor';
import { LongText } from './long-text';

/** How a text is delimited. */
interface Delimiter {
  readonly open: string;
  readonly close: string;
  readonly hasEscapes: boolean;
  /** Not the form's own. */
  readonly isMended?: boolean;
}

/** How values are written: nothing is ever evaluated. */
export interface Literals {
  readonly texts: readonly Delimiter[];
  /** Keys of objects are words; tuples, sets and Python's own words are slips. */
  readonly hasBareKeys: boolean;
  /** Marks that stand behind the calls. */
  readonly closers: readonly string[];
}

const PYTHON_PREFIXES = ['', 'r', 'R', 'b', 'B', 'u', 'U', 'f', 'F', 'rb', 'br', 'rf', 'fr'];

/** Text as Python writes it. */
export function pythonLiterals(closers: readonly string[]): Literals {
  const quotes = ['"""', "'''", '"', "'"];
  const texts = PYTHON_PREFIXES.flatMap((prefix) =>
    quotes.map((quote) => ({ open: prefix + quote, close: quote, hasEscapes: !/r/i.test(prefix) })),
  );
  return { texts, hasBareKeys: false, closers };
}

export class Unreadable extends Error {}

/** How long a word may be, and how far from the end of the reply the last text is closed. */
const LIMIT = 4_096;

/** Reads values from the cursor. Throws `Unreadable` where there is no single reading. */
export class LiteralReader {
  /** What had to be mended, each as a clause for people. */
  readonly repairs = new Set<string>();
  /** The last text was closed by the end of the reply, and with it all around. */
  isOver = false;
  private depth = 0;

  constructor(
    private readonly cursor: Cursor,
    private readonly form: Literals,
  ) {}

  /** A value; a bare word only where a text is wanted. */
  *value(wantsText = false, onText?: (piece: string) => void): Reading<Json> {
    const char = yield* this.cursor.char();
    if (char === '{') return yield* this.nested(this.braces());
    if (char === '[') return yield* this.nested(this.list(']'));
    if (char === '(' && !this.form.hasBareKeys) return yield* this.nested(this.list(')'));
    for (const delimiter of this.form.texts) {
      if (delimiter.open[0] === char && (yield* this.cursor.sees(delimiter.open)))
        return yield* this.text(delimiter, onText);
    }
    return yield* this.word(wantsText);
  }

  /** `key=value` or `key:value` between brackets, the cursor on the opening one. */
  *pairs(closer: string, separator: '=' | ':', read: (key: string) => Reading<Json>): Reading<JsonObject> {
    const pairs = new Map<string, Json>();
    const add = (key: string, value: Json): void => {
      if (pairs.has(key)) throw new Unreadable(`"${key}" is given twice`);
      pairs.set(key, value);
    };
    yield* this.items(closer, function* (reader) {
      if (separator === '=' && (yield* reader.cursor.takes('**'))) {
        const more = yield* reader.value();
        if (!isJsonObject(more)) throw new Unreadable('no object stands behind **');
        for (const [key, value] of Object.entries(more)) add(key, value);
        return;
      }
      const key = yield* reader.key(separator);
      if (!(yield* reader.takesSeparator(separator)))
        throw new Unreadable(
          key === '' ? 'an argument has no name' : `there is no ${separator} behind "${key.slice(0, 40)}"`,
        );
      add(key, yield* read(key));
    });
    return Object.fromEntries(pairs);
  }

  private *key(separator: '=' | ':'): Reading<string> {
    const { cursor, form } = this;
    const delimiter = separator === ':' ? form.texts.find(({ isMended }) => !isMended) : undefined;
    if (delimiter && (yield* cursor.sees(delimiter.open))) return yield* this.text(delimiter);
    if (separator === ':' && (yield* cursor.sees('"')))
      return yield* this.text({ open: '"', close: '"', hasEscapes: true, isMended: true });
    return yield* cursor.takeWhile((char) => /[\p{L}\p{N}_$.-]/u.test(char), LIMIT);
  }

  private *takesSeparator(separator: string): Reading<boolean> {
    const { cursor } = this;
    const at = yield* blanksEnd(cursor, 0);
    if (!(yield* cursor.sees(separator, at)) || (yield* cursor.sees('==', at))) return false;
    cursor.take(at + separator.length);
    yield* this.blanks();
    return true;
  }

  private *nested(read: Reading<Json>): Reading<Json> {
    if (++this.depth > DEPTH) throw new Unreadable(`it is nested more than ${DEPTH} levels deep`);
    const value = yield* read;
    this.depth--;
    return value;
  }

  private *braces(): Reading<Json> {
    if (this.form.hasBareKeys) return yield* this.pairs('}', ':', () => this.value());
    const pairs = new Map<string, Json>();
    const items: Json[] = [];
    yield* this.items('}', function* (reader) {
      const first = yield* reader.value();
      if (!(yield* reader.takesSeparator(':'))) items.push(first);
      else if (typeof first !== 'string') throw new Unreadable('a key is no text');
      else if (pairs.has(first)) throw new Unreadable(`the key "${first}" stands there twice`);
      else pairs.set(first, yield* reader.value());
    });
    if (items.length > 0 && pairs.size > 0) throw new Unreadable('a key has no value');
    return items.length > 0 ? items : Object.fromEntries(pairs);
  }

  private *list(closer: string): Reading<Json> {
    const items: Json[] = [];
    const sawComma = yield* this.items(closer, function* (reader) {
      items.push(yield* reader.value());
    });
    const [only] = items;
    return closer === ')' && items.length === 1 && !sawComma ? (only ?? null) : items;
  }

  /** What stands between brackets, separated by commas; says whether there was one. */
  private *items(closer: string, read: (reader: LiteralReader) => Reading<void>): Reading<boolean> {
    const { cursor } = this;
    let sawComma = false;
    cursor.take(1);
    yield* this.blanks();
    while (!(yield* cursor.takes(closer))) {
      yield* read(this);
      if (this.isOver) return sawComma;
      yield* this.blanks();
      if (yield* cursor.takes(',')) {
        sawComma = true;
        yield* this.blanks();
      } else if (!(yield* cursor.sees(closer))) {
        throw new Unreadable(
          cursor.isOver ? 'it ends in the middle' : `there is no comma or ${closer} behind a value`,
        );
      }
    }
    return sawComma;
  }

  *blanks(): Reading<void> {
    yield* this.cursor.takeWhile(isBlank, Infinity);
  }

  /** A text, the cursor on its opening mark. */
  private *text(
    { open, close, hasEscapes, isMended }: Delimiter,
    onText?: (piece: string) => void,
  ): Reading<string> {
    const { cursor } = this;
    cursor.take(open.length);
    const text = new LongText();
    const isQuote = close.length === 1;
    const stops = hasEscapes ? [close, '\\'] : [close];
    const seen = { lineBreak: false };
    const add = (piece: string): void => {
      seen.lineBreak ||= isQuote && /[\n\r]/.test(piece);
      text.add(piece);
      onText?.(piece);
    };
    for (let isOpen = true; isOpen;) {
      const found = yield* cursor.upTo(stops, add);
      if (found === undefined) {
        return this.withoutEnd(text.join(), isQuote || hasEscapes);
      } else if (found === '\\') {
        const character = yield* this.escape();
        text.add(character);
        onText?.(character);
      } else if (!isQuote || (yield* this.endsValue())) {
        cursor.take(close.length);
        isOpen = false;
      } else {
        add(cursor.take(yield* this.onlyEnd(close, hasEscapes)));
        cursor.take(1);
        this.repairs.add(`kept ${close} inside a text`);
        isOpen = false;
      }
    }
    const value = text.join();
    if (seen.lineBreak) this.repairs.add('kept a line break inside a text');
    if (/^[rbu]*f/i.test(open) && /[{}]/.test(value))
      throw new Unreadable('a text holds something to evaluate');
    // What the form's own marks cannot hold is written in quotes.
    if (isMended && !this.form.texts.some((each) => !each.isMended && value.includes(each.close)))
      this.repairs.add(`read ${open}…${close} as a text`);
    return value;
  }

  /** The mark that ends the last text of a call is missing: it stands in front of the brace that ends the reply. */
  private withoutEnd(text: string, isQuote: boolean): string {
    const marks = this.form.closers.map((closer) => closer.replace(/[|]/g, '\\|')).join('|');
    const end = text.slice(-LIMIT).search(new RegExp(`\\}\\s*(?:${marks})?\\s*$`));
    if (isQuote || end < 0 || this.depth > 0 || this.cursor.isCut)
      throw new Unreadable('a text is not closed');
    this.isOver = true;
    this.repairs.add('supplied the end of the last text');
    return text.slice(0, Math.max(0, text.length - LIMIT) + end);
  }

  /** Whether what follows the quote here can only follow a value. */
  private *endsValue(): Reading<boolean> {
    const next = yield* this.cursor.char(yield* blanksEnd(this.cursor, 1));
    if (next === '' || /[,)\]}:]/.test(next)) return true;
    // Anything else but a word is an operator, or another text: that would have to be evaluated.
    if (!/[\p{L}\p{N}]/u.test(yield* this.cursor.char(1)))
      throw new Unreadable('something stands behind a text that would have to be evaluated');
    return false;
  }

  /**
   * Where a text ends that holds its own quote: at the only place on the line where something follows that may follow a
   * value.
   */
  private *onlyEnd(quote: string, hasEscapes: boolean): Reading<number> {
    const line = yield* this.cursor.restOfLine(0);
    const marks = this.form.closers.map((closer) => line.indexOf(closer)).filter((at) => at >= 0);
    const rest = line.slice(0, Math.min(line.length, ...marks));
    const ends = [...rest.matchAll(/(["'])\s*[,)\]}:]/g)].filter((end) => end[1] === quote);
    const text = rest.slice(0, ends[0]?.index);
    if (ends.length !== 1 || (hasEscapes && text.includes('\\')))
      throw new Unreadable(`nobody can tell which ${quote} ends a text`);
    yield* this.cursor.need(text.length + 1);
    return text.length;
  }

  private *escape(): Reading<string> {
    const { cursor } = this;
    const char = yield* cursor.char(1);
    if (Object.hasOwn(PYTHON_ESCAPES, char)) {
      cursor.take(2);
      return PYTHON_ESCAPES[char] ?? '';
    }
    const count = { x: 2, u: 4, U: 8 }[char];
    if (count !== undefined) {
      yield* cursor.need(count + 2);
      const digits = cursor.unread.slice(2, count + 2);
      const code = Number.parseInt(digits, 16);
      if (digits.length < count || /[^\da-f]/i.test(digits) || code > 0x10_ff_ff)
        throw new Unreadable(`there is no character \\${char}${digits}`);
      cursor.take(count + 2);
      return count === 8 ? String.fromCodePoint(code) : String.fromCharCode(code);
    }
    if (char === 'N' || /[0-9]/.test(char)) throw new Unreadable(`the escape \\${char} is not read`);
    // `\d` or `C:\Users`: Python keeps the backslash, too.
    this.repairs.add(`kept the backslash in \\${char}`);
    return cursor.take(1);
  }

  /** A number, a truth value, nothing, or a bare word where a text is wanted. */
  private *word(wantsText: boolean): Reading<Json> {
    const { cursor, form } = this;
    const isPart = wantsText ? /[^,:{}[\]<>"'\n]/ : /[\w.+-]/;
    const word = (yield* cursor.takeWhile((char) => isPart.test(char), LIMIT)).trim();
    const number = /^[-+]?\d/.test(word) ? plainNumber(word) : word;
    const read = readJson(number);
    if (read.ok && /^[-\w+.]+$/.test(number)) {
      const isPython = /^[TFN]/.test(word) && !form.hasBareKeys;
      for (const repair of isPython ? [] : read.repairs) this.repairs.add(repair);
      if (/^[-+]?0\d/.test(word)) this.repairs.add(`read ${word} as ${number}`);
      return read.value;
    }
    if (!wantsText || word === '')
      throw new Unreadable(word === '' ? 'a value is missing' : `"${word.slice(0, 40)}" is no value`);
    this.repairs.add('read a bare word as a text');
    return word;
  }
}

/** `1_000`, `+1` and `007` as JSON writes them. */
function plainNumber(word: string): string {
  return word
    .replace(/(\d)_(?=\d)/g, '$1')
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1');
}

const { '/': _, ...SHARED } = ESCAPES;
const PYTHON_ESCAPES: Readonly<Record<string, string>> = {
  ...SHARED,
  ...{ a: '\u0007', v: '\v', '\n': '', '0': '\0' },
};
