/** What a message names with `@`, to be taken along: `@file:src/a.ts`, `@file:"my file.ts"`, `@folder:src/`. */
export type Mention =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'folder'; readonly path: string }
  | { readonly type: 'problems' }
  | { readonly type: 'terminal' };

/** Each one once, in the order in which they are named first. Linear, never throws. */
export function findMentions(text: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const [, place, quoted, plain, other] of text.matchAll(MENTION)) {
    const path = quoted ?? withoutPunctuation(plain ?? '');
    const mention: Mention =
      place === 'file' || place === 'folder'
        ? { type: place, path }
        : { type: other === 'problems' ? 'problems' : 'terminal' };
    const key = JSON.stringify(mention);
    if (!found.has(key)) found.set(key, mention);
  }
  return [...found.values()];
}

/** In the form that is read back as this mention; nothing for a path that has none. */
export function writeMention(mention: Mention): string | undefined {
  if (mention.type === 'problems' || mention.type === 'terminal') return `@${mention.type}`;
  const { type, path } = mention;
  return [`@${type}:${path}`, `@${type}:"${path}"`].find((written) => isReadAs(written, mention));
}

/** What stands before the caret and may become a mention. */
export interface MentionDraft {
  /** Where its `@` is. */
  readonly start: number;
  readonly type: 'file' | 'folder' | undefined;
  /** As far as it is written: part of a path or, without a type, of any mention. */
  readonly query: string;
}

export function draftBefore(caret: number, text: string): MentionDraft | undefined {
  const from = Math.max(0, caret - LONGEST_DRAFT);
  const found = DRAFT.exec(text.slice(from, caret));
  if (!found) return undefined;
  const [, type, quoted, plain = ''] = found;
  if (type !== 'file' && type !== 'folder' && quoted !== undefined) return undefined;
  return {
    start: from + found.index,
    type: type === 'file' || type === 'folder' ? type : undefined,
    query: quoted ?? plain,
  };
}

/** In characters. A longer one is not completed. */
const LONGEST_DRAFT = 200;

// `me@example.org` and `@scope/@name` name nothing.
const BEGIN = String.raw`(?<![\p{L}\p{N}_@/.\-])@`;

const MENTION = new RegExp(
  String.raw`${BEGIN}(?:(file|folder):(?:"([^"\n]+)"|([^\s"]\S*))|(problems|terminal)(?![\p{L}\p{N}_:/\-]))`,
  'gu',
);

const DRAFT = new RegExp(String.raw`${BEGIN}(?:(file|folder):)?(?:"([^"\n]*)|([^\s"@]*))$`, 'u');

const BRACKETS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

/** What ends a sentence, or a bracket that began before the path, is no part of it. */
function withoutPunctuation(path: string): string {
  const first = new Map(Object.values(BRACKETS).map((opening) => [opening, path.indexOf(opening)]));
  const isOutside = (character: string, at: number): boolean => {
    const opening = BRACKETS[character];
    if (opening === undefined) return /[.,;:!?'"`*]/.test(character);
    const begun = first.get(opening) ?? -1;
    return begun < 0 || begun > at;
  };
  let end = path.length;
  while (end > 0 && isOutside(path[end - 1] ?? '', end - 1)) end--;
  return end === 0 ? path : path.slice(0, end);
}

function isReadAs(written: string, mention: Mention): boolean {
  const [read, ...more] = findMentions(`${written} `);
  return more.length === 0 && JSON.stringify(read) === JSON.stringify(mention);
}
