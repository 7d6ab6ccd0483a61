import {
  BLANK,
  CLOSING_QUOTE,
  DEPTH,
  ESCAPES,
  readJson,
  readString,
  type JsonRead,
  type StringRead,
} from '../../base/json-reader';
import { isBlock, LongText } from '../engine/long-text';

/** Receives text of a top-level key; `isString` if the value itself is a string, decoded. */
type TextListener = (key: string, text: string, isString: boolean) => void;

export interface JsonListeners {
  readonly onKey?: (key: string) => void;
  /** Receives the values of top-level keys as they arrive, for display. */
  readonly onText?: TextListener;
  /**
   * Receives the end of each item that is followed by another one, in the outer list, whose key is empty, or in a list
   * directly inside the outer object.
   */
  readonly onItemEnd?: (key: string, offset: number) => void;
}

/**
 * Follows JSON text as it streams in, without reading a piece twice, and finds the exact end of the value for
 * everything that `readJson` accepts. It knows strings, comments and brackets; `readJson` does the rest. Only text that
 * `readJson` can never accept breaks the value off.
 */
export class JsonStream {
  /** `broken`: no further text can make it a value. */
  state: 'open' | 'complete' | 'broken' = 'open';
  /** How much was read before this piece. */
  private offset = 0;
  /** The closing brackets still expected, innermost last. */
  private readonly closers: string[] = [];
  /** The quote that closes the current string; empty outside strings. */
  private quote = '';
  private readonly json = new JsonText();
  /** How much of this piece is kept already. */
  private gathered = 0;
  /** Positions of the next ones in this piece, so that nothing is searched twice. */
  private quoteAt = -1;
  private backslashAt = -1;
  /** An incomplete escape. */
  private escape = '';
  /** Whether a string has just ended, after which only few characters are valid. */
  private isBehindString = false;
  /** Whether a word or number comes right before, or with blanks in between. */
  private word: '' | 'open' | 'over' = '';
  /** The opening of the current comment, or its beginning. */
  private comment: '' | '/' | '//' | '/*' | '*' = '';
  /** The current top-level key, or the key of the current value. */
  private key = '';
  private inKey = false;
  /** Text of the value that was not passed on yet. */
  private shown = '';

  constructor(private readonly listeners: JsonListeners = {}) {}

  /** What would close everything that is open outside strings. */
  get missing(): string {
    return [...this.closers].reverse().join('');
  }

  /** Where the last string begins, from the beginning of the value. */
  stringStart = 0;

  /** The key of the list directly inside the outer object, while reading one of its items; empty elsewhere. */
  get list(): string {
    return this.closers.length > 2 && this.closers[1] === ']' ? this.key : '';
  }

  /** Returns how many characters of the piece belong to the value, once it has ended; later text is ignored. */
  push(text: string): number | undefined {
    this.quoteAt = -1;
    this.backslashAt = -1;
    this.gathered = 0;
    let at = 0;
    while (at < text.length && this.state === 'open') {
      if (this.quote === '') at = this.outside(text, at);
      else at = this.escape === '' ? this.string(text, at) : this.escaped(text, at);
    }
    this.gather(text, at);
    this.offset += at;
    if (this.shown !== '') this.show();
    return this.state === 'open' ? undefined : at;
  }

  /** Reads the value, once it has ended or nothing more will come. `behind` is the text after it. */
  read(behind = ''): JsonRead {
    this.json.outside(behind);
    return this.json.read();
  }

  /** Keeps the piece up to here. */
  private gather(text: string, to: number): void {
    const own = to === text.length && this.gathered === 0 ? text : text.slice(this.gathered, to);
    this.gathered = to;
    if (own === '') return;
    if (this.quote === '"') this.json.inside(own, this.escape === '');
    else this.json.outside(own);
  }

  private string(text: string, from: number): number {
    if (this.quoteAt < from) this.quoteAt = indexOrEnd(text, this.quote, from);
    if (this.backslashAt < from) this.backslashAt = indexOrEnd(text, '\\', from);
    const end = Math.min(this.quoteAt, this.backslashAt);
    if (end > from && this.isWanted()) this.give(text.slice(from, end));
    if (end === text.length) return end;
    if (end === this.backslashAt) this.escape = '\\';
    else this.endString(text, end);
    return end + 1;
  }

  /**
   * Reads one character of an escape. After an unknown escape, the character is literal, and what follows it may close
   * the string.
   */
  private escaped(text: string, at: number): number {
    const char = text[at] ?? '';
    const isCode = this.escape.length > 1;
    if (isCode ? HEX.test(char) : char === 'u') {
      this.escape += char;
      if (this.escape.length === ESCAPED_CODE) {
        this.give(String.fromCharCode(Number.parseInt(this.escape.slice(2), 16)));
        this.escape = '';
      }
      return at + 1;
    }
    const known = isCode ? undefined : ESCAPES[char];
    this.give(known ?? this.escape);
    this.escape = '';
    return known === undefined ? at : at + 1;
  }

  private endString(text: string, at: number): void {
    this.gather(text, at);
    if (this.quote === '"') this.json.endString();
    if (this.closers.length > 1) this.give('"');
    else this.show();
    this.quote = '';
    this.isBehindString = true;
    if (this.closers.length === 0) this.state = 'complete';
  }

  /** Reads one character outside strings. A character that breaks the value off is not taken. */
  private outside(text: string, at: number): number {
    const char = text[at] ?? '';
    if (this.comment !== '') this.commented(char);
    else if (this.isBehindString && !BLANK.test(char) && !this.continues(char)) this.state = 'broken';
    else if (this.isBehindWord(char)) this.state = 'broken';
    else if (char in CLOSING_QUOTE) this.beginString(text, at);
    else if (char === '{' || char === '[') this.open(char);
    else if (char === '}' || char === ']') this.close(char);
    else if (char === '/') this.comment = '/';
    else if (SEPARATOR.test(char)) this.separate(char, at);
    else if (PLAIN.test(char)) this.give(char);
    else if (!BLANK.test(char)) this.state = 'broken';
    return this.state === 'broken' ? at : at + 1;
  }

  /** Whether the character may follow a string; any other one means that the quote was part of the text. */
  private continues(char: string): boolean {
    if (char === '/') return true;
    this.isBehindString = false;
    // A comma may be missing: the reader decides about that.
    return SEPARATOR.test(char) || char === '}' || char === ']' || char in CLOSING_QUOTE;
  }

  /** Whether a word or number has ended and the character cannot follow it. */
  private isBehindWord(char: string): boolean {
    const { word } = this;
    if (PLAIN.test(char)) {
      this.word = 'open';
      return word === 'over';
    }
    if (BLANK.test(char) || char === '/') {
      if (word === 'open') this.word = 'over';
      return false;
    }
    this.word = '';
    return word !== '' && (char === '{' || char === '[' || char in CLOSING_QUOTE);
  }

  private beginString(text: string, at: number): void {
    this.stringStart = this.offset + at;
    this.gather(text, at + 1);
    if (this.closers.length > 1) this.give('"');
    else this.show();
    this.quote = CLOSING_QUOTE[text[at] ?? ''] ?? '';
    this.quoteAt = -1;
  }

  private open(char: '{' | '['): void {
    if (this.closers.length === DEPTH) {
      this.state = 'broken';
      return;
    }
    if (this.closers.length > 0) this.give(char);
    else this.inKey = char === '{';
    this.closers.push(char === '{' ? '}' : ']');
  }

  private close(char: '}' | ']'): void {
    if (this.closers.pop() !== char) {
      this.state = 'broken';
      return;
    }
    if (this.closers.length > 0) this.give(char);
    else this.state = 'complete';
  }

  private separate(char: string, at: number): void {
    const isComma = char === ',' || char === '，';
    if (this.closers.length !== 1) {
      this.give(char);
      if (isComma && this.closers.length === 2 && this.closers[1] === ']') {
        this.listeners.onItemEnd?.(this.key, this.offset + at);
      }
      return;
    }
    this.show();
    if (this.closers[0] === ']') {
      if (isComma) this.listeners.onItemEnd?.('', this.offset + at);
      return;
    }
    if (this.inKey && !isComma) this.listeners.onKey?.(this.key);
    this.inKey = isComma;
    if (isComma) this.key = '';
  }

  private commented(char: string): void {
    switch (this.comment) {
      case '/':
        if (char === '/') this.comment = '//';
        else if (char === '*') this.comment = '/*';
        else this.state = 'broken';
        break;
      case '//':
        if (char === '\n') this.comment = '';
        break;
      case '*':
        if (char === '/') this.comment = '';
        else if (char !== '*') this.comment = '/*';
        break;
      case '/*':
        if (char === '*') this.comment = '*';
        break;
      case '':
        break;
    }
  }

  /** Whether text has to be collected at all. */
  private isWanted(): boolean {
    return this.listeners.onText !== undefined || this.inKey;
  }

  private give(text: string): void {
    if (this.inKey) this.key += text;
    else if (this.listeners.onText) this.shown += text;
  }

  private show(): void {
    if (this.shown === '') return;
    const isString = this.quote !== '' && this.closers.length === 1;
    this.listeners.onText?.(this.key, this.shown, isString);
    this.shown = '';
  }
}

/** The length of `\u00e9`. */
const ESCAPED_CODE = 6;
const HEX = /[0-9a-fA-F]/;
const SEPARATOR = /[,，:：]/;
/** Characters of unquoted keys, words and numbers. */
const PLAIN = /[\w$+.-]/;

function indexOrEnd(text: string, char: string, from: number): number {
  const found = text.indexOf(char, from);
  return found < 0 ? text.length : found;
}

/**
 * Collects JSON text as it streams in. Long strings are decoded block by block, so that their raw text need not be kept
 * and the end of the stream need not wait for all of it.
 */
class JsonText {
  /** The text, with empty strings instead of long ones. */
  private readonly text = new LongText();
  private readonly taken = new Map<number, StringRead>();
  /** Raw text of the open string. */
  private pieces: string[] = [];
  private length = 0;
  /** The decoded part of it. */
  private value = '';
  private readonly repairs = new Set<string>();

  /** Text outside strings, and the quotes around them. */
  outside(text: string): void {
    this.text.add(text);
  }

  /** Text between double quotes. `isWhole`: it does not end inside an escape. */
  inside(text: string, isWhole: boolean): void {
    this.pieces.push(text);
    this.length += text.length;
    if (isWhole && isBlock(this.pieces, this.length)) this.closeBlock();
  }

  /** The text between the quotes is complete; the closing quote is still to come. */
  endString(): void {
    if (this.value === '') {
      this.text.add(this.pieces.join(''));
    } else {
      this.closeBlock();
      this.taken.set(this.text.length - 1, { value: this.value, repairs: [...this.repairs] });
    }
    this.pieces = [];
    this.length = 0;
    this.value = '';
    this.repairs.clear();
  }

  read(): JsonRead {
    return readJson(this.text.join(), this.taken);
  }

  private closeBlock(): void {
    const { value, repairs } = readString(this.pieces.join(''));
    this.value += value;
    for (const repair of repairs) this.repairs.add(repair);
    this.pieces = [];
    this.length = 0;
  }
}
