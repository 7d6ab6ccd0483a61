import type { Json } from './json';

export type JsonRead =
  | {
      readonly ok: true;
      readonly value: Json;
      /** What was repaired, each as a clause for people; empty for strict JSON. */
      readonly repairs: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/**
 * Reads one JSON value with nothing after it. Repairs what models write if there is only one reading (trailing commas,
 * raw line ends in strings, Python words, single quotes, comments …) and reports it; refuses the rest. Unlike
 * `JSON.parse`, refuses duplicate keys and keeps the digits of numbers too big for a double. Never throws; linear.
 * `taken`: strings that were read before, by the offset of their opening quote; the text has empty strings in their
 * place.
 */
export function readJson(text: string, taken: ReadonlyMap<number, StringRead> = new Map()): JsonRead {
  const reader = new JsonReader(text, taken);
  try {
    return { ok: true, value: reader.document(), repairs: [...reader.repairs] };
  } catch (problem) {
    if (!(problem instanceof Unreadable)) throw problem;
    return { ok: false, message: problem.message };
  }
}

export interface StringRead {
  readonly value: string;
  readonly repairs: readonly string[];
}

/** Reads the text between two double quotes, or a part of it that splits no escape. */
export function readString(raw: string): StringRead {
  const literal = `"${raw}"`;
  const value = parsed(literal);
  if (value !== undefined) return { value, repairs: [] };
  const reader = new JsonReader(literal, new Map());
  return { value: reader.string(), repairs: [...reader.repairs] };
}

/** Deeper nesting is refused. */
export const DEPTH = 64;
const WORDS: Readonly<Record<string, Json>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
};
/** The quotes that open a string, with what closes it. */
export const CLOSING_QUOTE: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”' };
/** The meaning of the character after a backslash. */
export const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  "'": "'",
};

/** White space, and zero-width characters. */
export const BLANK = /[\s\u200b-\u200d\u2060\ufeff]/;
const BLANKS = new RegExp(`${BLANK.source}+`, 'y');

class Unreadable extends Error {}

class JsonReader {
  readonly repairs = new Set<string>();
  private at = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly taken: ReadonlyMap<number, StringRead>,
  ) {}

  document(): Json {
    this.blanks();
    const value = this.value();
    this.blanks();
    if (this.at < this.text.length) throw new Unreadable('there is text after the value');
    return value;
  }

  private value(): Json {
    const char = this.text[this.at] ?? '';
    if (char === '{') return this.nested(() => this.object());
    if (char === '[') return this.nested(() => this.list());
    if (char in CLOSING_QUOTE) return this.string();
    if (char === '-' || (char >= '0' && char <= '9')) return this.number();
    const word = this.match(/[A-Za-z]+/y);
    if (Object.hasOwn(WORDS, word)) {
      if (/^[A-Z]/.test(word)) this.repairs.add(`read ${word} as ${JSON.stringify(WORDS[word])}`);
      // SAFETY: the word is one of the table.
      return WORDS[word]!;
    }
    this.at -= word.length;
    throw new Unreadable(
      char === ''
        ? 'it ends in the middle'
        : `there is no value at "${this.text.slice(this.at, this.at + 12)}"`,
    );
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > DEPTH) throw new Unreadable(`it is nested more than ${DEPTH} levels deep`);
    const value = read();
    this.depth--;
    return value;
  }

  private object(): Json {
    const entries = new Map<string, Json>();
    this.at++;
    while (!this.closes('}')) {
      const key = this.key();
      if (entries.has(key)) throw new Unreadable(`the key "${key}" appears twice`);
      this.blanks();
      if (!this.takes(':', '：')) throw new Unreadable(`a colon is missing after "${key}"`);
      this.blanks();
      entries.set(key, this.value());
      this.separator('}');
    }
    return Object.fromEntries(entries);
  }

  private list(): Json {
    const items: Json[] = [];
    this.at++;
    while (!this.closes(']')) {
      items.push(this.value());
      this.separator(']');
    }
    return items;
  }

  private key(): string {
    if ((this.text[this.at] ?? '') in CLOSING_QUOTE) return this.string();
    const key = this.match(/[A-Za-z_$][\w$-]*/y);
    if (key === '')
      throw new Unreadable(this.at < this.text.length ? 'a key is missing' : 'it ends in the middle');
    this.repairs.add(`read the bare word ${key} as a key`);
    return key;
  }

  /** A comma, or nothing before the closing bracket. */
  private separator(closer: string): void {
    this.blanks();
    if (this.takes(',', '，')) {
      this.blanks();
      if (this.text[this.at] === closer) this.repairs.add('left out a comma before a closing bracket');
    } else if (this.text[this.at] !== closer) {
      throw new Unreadable(this.at < this.text.length ? 'a comma is missing' : 'it ends in the middle');
    }
  }

  private closes(closer: string): boolean {
    this.blanks();
    if (this.text[this.at] !== closer) return false;
    this.at++;
    return true;
  }

  private takes(char: string, fullWidth: string): boolean {
    const next = this.text[this.at];
    if (next !== char && next !== fullWidth) return false;
    if (next === fullWidth) this.repairs.add(`read ${fullWidth} as ${char}`);
    this.at++;
    return true;
  }

  string(): string {
    const start = this.at;
    const taken = this.taken.get(start);
    if (taken) return this.putBack(taken);
    const quote = this.text[this.at++] ?? '';
    const closer = CLOSING_QUOTE[quote] ?? '';
    if (quote !== '"') this.repairs.add(`read ${quote}…${closer} as a string`);
    const stop = quote === '"' ? STOP_DOUBLE : quote === "'" ? STOP_SINGLE : STOP_SMART;
    const pieces: string[] = [];
    for (;;) {
      stop.lastIndex = this.at;
      const found = stop.exec(this.text);
      if (!found) throw new Unreadable('a string is not closed');
      pieces.push(this.text.slice(this.at, found.index));
      this.at = found.index + 1;
      if (found[0] === closer) return pieces.join('');
      if (found[0] === '\\') {
        pieces.push(this.escape());
      } else {
        pieces.push(found[0]);
        this.repairs.add('kept a raw control character in a string');
      }
    }
  }

  private putBack({ value, repairs }: StringRead): string {
    this.at += 2;
    for (const repair of repairs) this.repairs.add(repair);
    return value;
  }

  private escape(): string {
    const char = this.text[this.at] ?? '';
    const known = ESCAPES[char];
    if (known !== undefined) {
      this.at++;
      if (char === "'") this.repairs.add("read \\' as '");
      return known;
    }
    const code =
      char === 'u' ? /^u([0-9a-fA-F]{4})/.exec(this.text.slice(this.at, this.at + 5))?.[1] : undefined;
    if (code !== undefined) {
      this.at += 5;
      return String.fromCharCode(Number.parseInt(code, 16));
    }
    // `\d` or `C:\Users`: keeping the backslash is the only reading that loses nothing.
    this.repairs.add(`kept the backslash in \\${char}`);
    return '\\';
  }

  private number(): Json {
    const digits = this.match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y);
    if (digits === '' || /[\w.]/.test(this.text[this.at] ?? ''))
      throw new Unreadable('a number is malformed');
    const value = Number(digits);
    if (!Number.isFinite(value)) throw new Unreadable('a number is too big');
    if (!Number.isSafeInteger(value) && /^-?\d+$/.test(digits) && String(value) !== digits) {
      this.repairs.add(`kept the big number ${digits.slice(0, 40)} as text`);
      return digits;
    }
    return value;
  }

  /** White space, zero-width characters, and comments. */
  private blanks(): void {
    for (;;) {
      this.match(BLANKS);
      if (this.text[this.at] !== '/') return;
      if (this.match(/\/\/[^\n]*/y) === '') {
        const end = this.text.startsWith('/*', this.at) ? this.text.indexOf('*/', this.at + 2) : -1;
        if (end < 0) return;
        this.at = end + 2;
      }
      this.repairs.add('left out a comment');
    }
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }
}

// What ends a plain run inside a string: its closing quote, an escape, a raw control character.
const STOP_DOUBLE = /["\\\u0000-\u001f]/g;
const STOP_SINGLE = /['\\\u0000-\u001f]/g;
const STOP_SMART = /[”\\\u0000-\u001f]/g;

/** The engine reads strings many times faster; `undefined` for a string that needs a repair. */
function parsed(literal: string): string | undefined {
  try {
    // SAFETY: the text begins with a quote, so it is a string or not JSON at all.
    return JSON.parse(literal) as string;
  } catch (problem) {
    if (!(problem instanceof SyntaxError)) throw problem;
    return undefined;
  }
}
