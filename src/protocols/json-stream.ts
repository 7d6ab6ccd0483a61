/**
 * Follows JSON text as it streams in, piece by piece, without ever reading a piece twice: says when the value is
 * complete and hands out the text of top-level arguments for display. Checks nothing; `JSON.parse` does that later.
 */
export class JsonStream {
  private depth = 0;
  private started = false;
  private inString = false;
  private escape = '';
  /** Text of the key that is being read, or of the key whose value is. */
  private key = '';
  private readingKey = false;
  private expectsKey = false;

  constructor(private readonly onText: TextListener = () => undefined) {}

  get complete(): boolean {
    return this.started && this.depth === 0 && !this.inString;
  }

  /** Says how many characters of the piece belong to the value, once it is complete; then nothing counts any more. */
  push(text: string): number | undefined {
    const isOver = (): boolean => this.complete;
    for (let at = 0; at < text.length && !isOver();) {
      at = this.inString ? this.string(text, at) : this.structure(text, at);
      if (isOver()) return at;
    }
    return undefined;
  }

  private string(text: string, from: number): number {
    if (this.escape !== '') return this.escaped(text, from);
    QUOTE_OR_ESCAPE.lastIndex = from;
    const found = QUOTE_OR_ESCAPE.exec(text);
    const end = found ? found.index : text.length;
    this.give(text.slice(from, end));
    if (!found) return end;
    if (found[0] === '\\') this.escape = '\\';
    else this.endString();
    return end + 1;
  }

  private escaped(text: string, from: number): number {
    this.escape += text[from] ?? '';
    const needed = this.escape[1] === 'u' ? 6 : 2;
    if (this.escape.length === needed) {
      this.give(unescaped(this.escape));
      this.escape = '';
    }
    return from + 1;
  }

  private give(text: string): void {
    if (this.readingKey) this.key += text;
    else if (text !== '') this.onText(this.depth === 0 ? '' : this.key, text, this.depth === 1);
  }

  private endString(): void {
    this.inString = false;
    if (!this.readingKey && this.depth > 1) this.onText(this.key, '"', false);
    this.readingKey = false;
  }

  private structure(text: string, at: number): number {
    const char = text[at] ?? '';
    const top = this.depth === 1;
    if (char === '"') {
      this.inString = true;
      this.started = true;
      if (top && this.expectsKey) {
        this.readingKey = true;
        this.expectsKey = false;
        this.key = '';
      } else if (this.depth > 1) {
        this.onText(this.key, '"', false);
      }
      return at + 1;
    }
    if (char === '{' || char === '[') {
      this.started = true;
      if (this.depth > 0) this.onText(this.key, char, false);
      this.depth++;
      this.expectsKey = char === '{' && this.depth === 1;
    } else if (char === '}' || char === ']') {
      this.depth--;
      if (this.depth > 0) this.onText(this.key, char, false);
    } else if (top && char === ',') {
      this.expectsKey = true;
    } else if (!/\s/.test(char)) {
      this.started = true;
      if (!(top && char === ':')) this.onText(this.key, char, false);
    }
    return at + 1;
  }
}

/** Gets text of a top-level key; `isString` when the value itself is a string, decoded. */
export type TextListener = (key: string, text: string, isString: boolean) => void;

const QUOTE_OR_ESCAPE = /["\\]/g;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function unescaped(escape: string): string {
  const kind = escape[1] ?? '';
  if (kind === 'u') return String.fromCharCode(Number.parseInt(escape.slice(2), 16) || 0xfffd);
  return ESCAPES[kind] ?? kind;
}
