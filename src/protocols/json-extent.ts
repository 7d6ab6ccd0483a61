import { isBlank } from './blank';

/** Where in the text: `behind` is right behind a string, `slash` behind what may begin a comment. */
type Mode = 'open' | 'string' | 'behind' | 'slash' | 'line-comment' | 'comment' | 'star' | 'end';

/**
 * Finds where a JSON object between tags ends, by its brackets, strings and comments alone, piece by piece. Stops
 * earlier at what shows that it is broken: a `<` outside its strings, or a string that has run over the closing tag.
 */
export class JsonExtent {
  private mode: Mode = 'open';
  /** The brackets that are to come, the next one last. */
  private readonly missingBrackets: string[] = [];
  private quote = '"';
  private isEscaped = false;
  /** Something stood behind a string that cannot stand there: one string was not closed where it should have been. */
  private isBroken = false;
  /** How much was read of earlier pieces. */
  private length = 0;
  private stringStart = 0;
  /** The end of the string so far, as long as the tag may still be found in it. */
  private stringTail = '';
  private holdsTag = false;

  constructor(private readonly closingTag: string) {}

  get isComplete(): boolean {
    return this.mode === 'end';
  }

  /** What would close all that is open. */
  get missing(): string {
    return [...this.missingBrackets].reverse().join('');
  }

  /** Where the string begins that has surely run over the closing tag, if one has. */
  get runaway(): number | undefined {
    return this.isBroken && this.holdsTag ? this.stringStart : undefined;
  }

  /** Says how many characters of the piece belong to the object, once it has ended or cannot go on. */
  push(piece: string): number | undefined {
    let at = 0;
    while (at < piece.length && this.mode !== 'end') {
      if (this.mode === 'string') {
        at = this.string(piece, at);
      } else if (this.mode === 'open' || this.mode === 'behind') {
        const char = piece[at] ?? '';
        if (this.cannotGoOn(char)) return at;
        this.structure(char, this.length + at);
        at++;
      } else if (this.comment(piece[at] ?? '')) {
        at++;
      }
    }
    this.length += piece.length;
    return this.isComplete ? at : undefined;
  }

  private cannotGoOn(char: string): boolean {
    if (char === '<') return true;
    if (this.mode === 'open' || isBlank(char) || BEHIND_STRING.includes(char)) return false;
    this.isBroken = true;
    return this.holdsTag;
  }

  private structure(char: string, offset: number): void {
    if (this.mode === 'behind' && isBlank(char)) return;
    this.mode = 'open';
    if (char === '{' || char === '[') {
      this.missingBrackets.push(char === '{' ? '}' : ']');
    } else if (char === '}' || char === ']') {
      this.missingBrackets.pop();
      if (this.missingBrackets.length === 0) this.mode = 'end';
    } else if (char === '/') {
      this.mode = 'slash';
    } else if (char in QUOTES) {
      this.mode = 'string';
      this.quote = QUOTES[char] ?? '';
      this.stringStart = offset;
      this.stringTail = '';
      this.holdsTag = false;
    }
  }

  private string(piece: string, from: number): number {
    let at = from;
    while (at < piece.length && this.mode === 'string') {
      if (this.isEscaped) {
        this.isEscaped = false;
        at++;
        continue;
      }
      const stop = this.quote === '"' ? STOP_DOUBLE : this.quote === "'" ? STOP_SINGLE : STOP_SMART;
      stop.lastIndex = at;
      const found = stop.exec(piece);
      at = found ? found.index + 1 : piece.length;
      if (found?.[0] === '\\') this.isEscaped = true;
      else if (found) this.mode = 'behind';
    }
    this.watch(piece.slice(from, at));
    return at;
  }

  private watch(text: string): void {
    if (this.holdsTag) return;
    const seen = this.stringTail + text;
    this.holdsTag = seen.includes(this.closingTag);
    this.stringTail = seen.slice(-this.closingTag.length);
  }

  /** Says whether the character belongs to a comment. */
  private comment(char: string): boolean {
    switch (this.mode) {
      case 'slash':
        this.mode = char === '/' ? 'line-comment' : char === '*' ? 'comment' : 'open';
        return this.mode !== 'open';
      case 'line-comment':
        if (char === '\n') this.mode = 'open';
        return true;
      default:
        this.mode = char === '*' ? 'star' : char === '/' && this.mode === 'star' ? 'open' : 'comment';
        return true;
    }
  }
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”' };
/** What may come behind a string: a separator, a closing bracket, a comment. */
const BEHIND_STRING = ',:}]，：/';
const STOP_DOUBLE = /["\\]/g;
const STOP_SINGLE = /['\\]/g;
const STOP_SMART = /[”\\]/g;
