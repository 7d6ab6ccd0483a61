/** The texts of files, by path with slashes. */
export type FileTexts = Readonly<Record<string, string>>;

/** What programs leave behind that is no change of the project. */
export const BY_PRODUCT = /(^|\/)(\.[^/]+|__pycache__|node_modules)(\/|$)/;

/** The text of a file: without the first line break and the common indentation. Only back ticks are escaped. */
export function file({ raw }: TemplateStringsArray): string {
  const lines = raw.join('').replaceAll('\\`', '`').replace(/^\n/, '').trimEnd().split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/[^ ]/));
  const indent = Math.min(...indents);
  return lines.map((line) => `${line.slice(indent)}\n`).join('');
}

/** The lines without blanks around them, and without empty ones. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

/**
 * What differs besides the named files, as a sentence: other files must have the same lines, and none may be new or gone.
 * By-products of programs do not count.
 */
export function otherChange(
  before: FileTexts,
  after: FileTexts,
  names: readonly string[] = [],
): string | undefined {
  const others = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !names.includes(name) && (name in before || !BY_PRODUCT.test(name)),
  );
  return others
    .map((name) => {
      const [old, now] = [before[name], after[name]];
      if (old === undefined) return `${name} is new.`;
      if (now === undefined) return `${name} is gone.`;
      return isEqual(linesOf(old), linesOf(now)) ? undefined : `${name} has changed.`;
    })
    .find((change) => change !== undefined);
}

/** That this file is missing, or has another content than the task asks for. */
export function notAsAsked(name: string): string {
  return `${name} is not as asked for.`;
}

/** That what the answer says is true of something else. */
export const MIXED_UP = 'The answer mixes up what it reports.';

/** What an answer lacks of these words, or has of the others, as a sentence. Case does not count. */
export function wordFault(
  answer: string,
  words: readonly (string | RegExp)[],
  others: readonly string[] = [],
): string | undefined {
  const missing = words.find((word) => !(typeof word === 'string' ? wordOf(word) : word).test(answer));
  if (missing !== undefined) return `The answer does not say ${String(missing)}.`;
  const wrong = others.find((word) => wordOf(word).test(answer));
  return wrong === undefined ? undefined : `The answer says ${wrong}.`;
}

export function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at]);
}

/** As a whole: `12` is not in `312`, nor in `1.12`. */
function wordOf(text: string): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return new RegExp(`(?<![\\w-]|\\d[.,])${escaped}(?![\\w-]|[.,]\\d)`, 'i');
}
