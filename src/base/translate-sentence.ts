/** Texts by their English, which may have `{0}`, `{1}` … in it: what VS Code makes of `l10n/bundle.l10n.*.json`. */
export type Bundle = Readonly<Record<string, string>>;

/**
 * Ends the keys of sentences that are made where no language is known: `it changes a file/sentence`. It is the form
 * VS Code gives keys that have a comment.
 */
export const SENTENCE = '/sentence';

/** Ends the keys of titles of calls: `Edit {0}`. Short as they are, they would fit the beginning of many sentences. */
export const TITLE = '/title';

/** The longest that is looked at, in characters. */
const LONGEST = 4_000;

/**
 * Translates what was said in English, as events hold it, for whoever reads it here. What is not in the bundle stays
 * as it is.
 */
export function sentenceTranslator(
  bundle: Bundle,
  kind: typeof SENTENCE | typeof TITLE = SENTENCE,
): (english: string) => string {
  const templates = templatesOf(bundle, kind);
  const translate = (english: string): string => {
    const whole = english + kind;
    if (Object.hasOwn(bundle, whole)) return bundle[whole] ?? english;
    if (english.length > LONGEST) return english;
    for (const template of templates) {
      const values = valuesIn(english, template);
      const spoken = values?.map((value, at) => (mayBeSentence(template, at) ? translate(value) : value));
      if (!values || !spoken) continue;
      // Nothing of its own: it counts only where it begins with another sentence.
      if (template.weight < LIGHTEST && spoken[0] === values[0]) continue;
      return fillIn(template.translation, (hole) => spoken[template.holes.indexOf(hole)]);
    }
    return english;
  };
  return translate;
}

/** The text with its holes filled; one that nothing is known for stays. */
export function fillIn(text: string, valueOf: (hole: number) => string | undefined): string {
  return text.replace(/\{(\d+)\}/g, (hole, index: string) => valueOf(Number(index)) ?? hole);
}

interface Template {
  /** What stands around the holes; one more than there are holes. */
  readonly pieces: readonly string[];
  /** The numbers of the holes, as they stand. */
  readonly holes: readonly number[];
  /** How many characters it has of its own. */
  readonly weight: number;
  readonly translation: string;
}

const LIGHTEST = 4;

/** Those that say most first, because they fit least by chance. */
function templatesOf(bundle: Bundle, kind: string): readonly Template[] {
  return Object.entries(bundle)
    .filter(([key]) => key.endsWith(kind) && /\{\d+\}/.test(key))
    .map(([key, translation]) => {
      const english = key.slice(0, -kind.length);
      const pieces = english.split(/\{\d+\}/);
      const holes = [...english.matchAll(/\{(\d+)\}/g)].map(([, number]) => Number(number));
      return { pieces, holes, weight: pieces.join('').length, translation };
    })
    .sort((one, other) => other.weight - one.weight);
}

/** What stands in the holes; `undefined` where the text is another. Each hole ends where the next piece begins. */
function valuesIn(text: string, { pieces }: Template): readonly string[] | undefined {
  const [first = '', ...others] = pieces;
  const last = others.pop() ?? '';
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const piece of others) {
    const next = text.indexOf(piece, at);
    if (next === -1 || next + piece.length > end) return undefined;
    values.push(text.slice(at, next));
    at = next + piece.length;
  }
  return [...values, text.slice(at, end)];
}

/** A sentence is filled in at the beginning, behind punctuation, or behind ", because". Anywhere else are names, which stay. */
function mayBeSentence({ pieces }: Template, at: number): boolean {
  const before = pieces.slice(0, at + 1).join('');
  return before === '' || /(?:[.:,]|, because) $/.test(before);
}
