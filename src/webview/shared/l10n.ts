import { fillIn, sentenceTranslator, TITLE, type Bundle } from '../../base/translate-sentence';

// Read once: the language of the page cannot change while it is open.
let bundle: Bundle | undefined;
let translate: ((english: string) => string) | undefined;
let translateTitle: typeof translate;

/** The text in the user's language, with `{0}`, `{1}` … filled in. The English text is the key. */
export function t(english: string, ...values: readonly (string | number)[]): string {
  bundle ??= readBundle();
  const text = Object.hasOwn(bundle, english) ? (bundle[english] ?? english) : english;
  return fillIn(text, (hole) => values[hole]?.toString());
}

/** Translates a sentence that is stored in English: a reason, the end of a run, a note. */
export function translated(english: string): string {
  translate ??= sentenceTranslator((bundle ??= readBundle()));
  return translate(english);
}

/** Translates the title of a call. */
export function translatedTitle(english: string): string {
  translateTitle ??= sentenceTranslator((bundle ??= readBundle()), TITLE);
  return translateTitle(english);
}

/** The host puts the translations into the page; English needs none. */
function readBundle(): Bundle {
  const source = document.getElementById('l10n')?.textContent;
  // SAFETY: the host writes this element from our own bundle, which maps strings to strings.
  return source ? (JSON.parse(source) as Bundle) : {};
}

/** `12 s`, `2 min 5 s`: for a running activity. */
export function secondsText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 60 ? t('{0} s', seconds) : t('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
}

/** `3 ms`, `1.2 s`, `2 min 5 s` */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return t('{0} ms', Math.round(milliseconds));
  const seconds = milliseconds / 1000;
  if (seconds < 60) return t('{0} s', seconds.toFixed(1));
  return t('{0} min {1} s', Math.floor(seconds / 60), Math.round(seconds % 60));
}
