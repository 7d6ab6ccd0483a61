import { argumentsOf, type Entry, type EntryPart } from '../../../core/transcript/transcript';

/** A text of the conversation that contains the search text. */
export interface FoundText {
  /** Index of the entry. */
  readonly entry: number;
  /** Index of the part of a reply; 0 in other entries. */
  readonly part: number;
  /** How often. */
  readonly count: number;
}

export interface Found {
  readonly query: string;
  readonly texts: readonly FoundText[];
  /** Of all texts. */
  readonly total: number;
}

/** One of the matches. */
export interface Match extends Omit<FoundText, 'count'> {
  /** Its number in its part, from 0. */
  readonly inPart: number;
}

/** Finding stops there: no user goes through more. */
export const MOST_MATCHES = 10_000;

/** What matches a search text as written, in any case. `undefined` without one. */
export function patternOf(query: string): RegExp | undefined {
  return query === '' ? undefined : new RegExp(query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}

/** Counts of the last search text in an entry, by part. */
interface MatchCounts {
  readonly query: string;
  readonly parts: readonly number[];
}

/** Finds a text in a conversation, also in what is not drawn or folded. Remembers the counts of unchanged entries. */
export class ConversationSearch {
  private readonly counts = new WeakMap<Entry, MatchCounts>();

  find(entries: readonly Entry[], query: string): Found {
    const pattern = patternOf(query);
    const texts: FoundText[] = [];
    let total = 0;
    for (const [entry, each] of pattern ? entries.entries() : []) {
      for (const [part, count] of this.countsIn(each, query, pattern).entries()) {
        if (count === 0 || total === MOST_MATCHES) continue;
        const most = Math.min(count, MOST_MATCHES - total);
        texts.push({ entry, part, count: most });
        total += most;
      }
    }
    return { query, texts, total };
  }

  private countsIn(entry: Entry, query: string, pattern: RegExp | undefined): readonly number[] {
    const known = this.counts.get(entry);
    if (known?.query === query) return known.parts;
    const parts = textsOf(entry).map((text) => (pattern ? occurrences(text, pattern) : 0));
    this.counts.set(entry, { query, parts });
    return parts;
  }
}

function occurrences(text: string, pattern: RegExp): number {
  const matches = text.matchAll(pattern);
  let count = 0;
  while (count < MOST_MATCHES && matches.next().done !== true) count += 1;
  return count;
}

/** The match of a number, from 0. */
export function matchAt({ texts }: Found, number: number): Match | undefined {
  let before = 0;
  for (const { entry, part, count } of texts) {
    if (number < before + count) return { entry, part, inPart: number - before };
    before += count;
  }
  return undefined;
}

/** The number of the first match from an entry on; the first of all if there is none. */
export function firstFrom({ texts }: Found, entry: number): number {
  let before = 0;
  for (const text of texts) {
    if (text.entry >= entry) return before;
    before += text.count;
  }
  return 0;
}

/** What an entry says, by part. */
function textsOf(entry: Entry): readonly string[] {
  switch (entry.type) {
    case 'user':
      return [entry.text];
    case 'reply':
      return entry.parts.map(textOf);
    case 'compaction':
      return [entry.summary];
    case 'outcome':
      return 'message' in entry.outcome ? [entry.outcome.message] : [];
    case 'restore':
    case 'rewind':
      return [];
  }
}

function textOf(part: EntryPart): string {
  if (part.type !== 'call') return part.text;
  const { state } = part;
  const values = Object.values(argumentsOf(state) ?? {}).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  const result = 'result' in state ? [state.result.result] : [];
  return [...values, ...result].join('\n');
}
