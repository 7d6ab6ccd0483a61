/**
 * Translations by their English text, which may contain `{0}`, `{1}` …, as VS Code loads them from
 * `l10n/bundle.l10n.*.json`.
 */
export type Bundle = Readonly<Record<string, string>>;

/**
 * Suffix of the keys of sentences that are written where no language is known: `it changes a file/sentence`. VS Code
 * uses this form for keys with a comment.
 */
export const SENTENCE = '/sentence';

/**
 * Suffix of the keys of calls' titles: `Edit {0}`. They are so short that they would match the beginning of many
 * sentences.
 */
export const TITLE = '/title';

/** Longest text to translate, in characters. */
const LONGEST = 4_000;

/** Translates English sentences from events when they are shown. Sentences that are not in the bundle stay English. */
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
      // A template with hardly any text counts only if it begins with another sentence.
      if (template.weight < LIGHTEST && spoken[0] === values[0]) continue;
      return fillIn(template.translation, (hole) => spoken[template.holes.indexOf(hole)]);
    }
    return english;
  };
  return translate;
}

/** The text with its placeholders filled; unknown ones stay. */
export function fillIn(text: string, valueOf: (hole: number) => string | undefined): string {
  return text.replace(/\{(\d+)\}/g, (hole, index: string) => valueOf(Number(index)) ?? hole);
}

interface Template {
  /** The text around the placeholders; one piece more than there are placeholders. */
  readonly pieces: readonly string[];
  /** The numbers of the placeholders, in order. */
  readonly holes: readonly number[];
  /** Characters outside placeholders. */
  readonly weight: number;
  readonly translation: string;
}

const LIGHTEST = 4;

/** Those with the most text first, because they match least by chance. */
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

/**
 * The values of the placeholders; `undefined` if the text does not match. Each value ends where the next piece begins.
 */
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

/**
 * A value may be a sentence at the beginning, after punctuation, or after ", because". Other values are names, which
 * stay.
 */
function mayBeSentence({ pieces }: Template, at: number): boolean {
  const before = pieces.slice(0, at + 1).join('');
  return before === '' || /(?:[.:,]|, because) $/.test(before);
}
