import { keepLast } from '../../base/keep-last';
import type { Cursor, Reading } from './cursor';
import type { Reader } from './reader';

/** The readers of an opener, in the order in which they are tried. */
export function byOpener(readers: readonly Reader[]): ReadonlyMap<string, readonly Reader[]> {
  const found = new Map<string, Reader[]>();
  for (const reader of readers)
    for (const opener of reader.openers) found.set(opener, [...(found.get(opener) ?? []), reader]);
  return found;
}

/** Openers that count only at the beginning of a line, for all their readers. */
export function lineOpeners(readers: ReadonlyMap<string, readonly Reader[]>): readonly string[] {
  const found = [...readers].filter(([opener, known]) =>
    known.every(({ lineOpeners: own = [] }) => own.includes(opener)),
  );
  return found.map(([opener]) => opener);
}

/** First characters of tokens that are searched only at the beginning of a line: letters are everywhere. */
const LINE_FIRST = /[\p{L}\p{N}_>]/u;
/** Matches what may not precede such a token; zero-width characters may, because they are invisible. */
const INDENT = /[^ \u200b-\u200d\u2060\ufeff]/;

interface Node {
  readonly next: Map<string, Node>;
  token?: string;
}

/** Finds tokens at the same cost however many they are. */
export class Tokens {
  private readonly root: Node = { next: new Map() };
  private readonly first: RegExp;

  /** `others`: characters that are tokens by themselves; `onLine`: tokens only at the beginning of a line. */
  constructor(
    tokens: readonly string[],
    private readonly others: string,
    private readonly onLine: ReadonlySet<string>,
  ) {
    for (const token of tokens) {
      let node = this.root;
      for (const char of token.split('')) {
        const next: Node = node.next.get(char) ?? { next: new Map() };
        node.next.set(char, next);
        node = next;
      }
      node.token = token;
    }
    const anywhere = [...this.root.next.keys()].filter((first) => !LINE_FIRST.test(first));
    const begin = `${anywhere.join('')}${others}`.replace(/[\\\]^[-]/g, '\\$&');
    this.first = new RegExp(`[${begin}]`, 'g');
  }

  /** Where a token may begin in a text; the text's length if nowhere. */
  firstIn(text: string, isLineStart: boolean): number {
    const start = isLineStart ? text.search(INDENT) : -1;
    const char = text[start] ?? '';
    if (LINE_FIRST.test(char) && this.root.next.has(char)) return start;
    this.first.lastIndex = 0;
    for (let found = this.first.exec(text); found; found = this.first.exec(text)) {
      const node = this.root.next.get(found[0]);
      const second = text[found.index + 1];
      const isLine = found.index === start;
      const means = node?.token !== undefined && (isLine || !this.onLine.has(node.token));
      if (!node || means || this.others.includes(found[0]) || second === undefined || node.next.has(second))
        return found.index;
    }
    return text.length;
  }

  /** The longest token here. Waits only while that is undecided. */
  *at(cursor: Cursor, isLineStart: boolean): Reading<string | undefined> {
    let found: string | undefined;
    let node = this.root.next.get(cursor.unread[0] ?? '');
    for (let offset = 1; node; offset++) {
      const { token } = node;
      if (token !== undefined && (isLineStart || !this.onLine.has(token))) found = token;
      if (node.next.size === 0) break;
      node = node.next.get(cursor.unread[offset] ?? (yield* cursor.char(offset)));
    }
    return found;
  }
}

/** Different protocols and lists of foreign forms in use at once. */
const KEPT = 4;

/** Cached, because building them costs more than reading a short reply, and each parser needs them. */
export const tokensOf = keepLast(
  KEPT,
  (tokens: readonly string[], others: string, onLine: readonly string[]) =>
    new Tokens(tokens, others, new Set(onLine)),
);
