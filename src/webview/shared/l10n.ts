import { fillIn, sentenceTranslator, TITLE, type Bundle } from '../../base/translate-sentence';

// Read once and kept here: the page's language cannot change while it is open.
let bundle: Bundle | undefined;
let translate: ((english: string) => string) | undefined;
let translateTitle: typeof translate;

/** The text in the user's language, with `{0}`, `{1}` … filled in. The English text is the key. */
export function t(english: string, ...values: readonly (string | number)[]): string {
  bundle ??= readBundle();
  const text = Object.hasOwn(bundle, english) ? (bundle[english] ?? english) : english;
  return fillIn(text, (hole) => values[hole]?.toString());
}

/** A sentence that is kept in English, in the user's language: a reason, how a run ended, what was noticed. */
export function translated(english: string): string {
  translate ??= sentenceTranslator((bundle ??= readBundle()));
  return translate(english);
}

/** What a call would do, in a few words: its title, in the user's language. */
export function translatedTitle(english: string): string {
  translateTitle ??= sentenceTranslator((bundle ??= readBundle()), TITLE);
  return translateTitle(english);
}

/** The host puts the translations into the page; English needs none. */
function readBundle(): Bundle {
  const source = document.getElementById('l10n')?.textContent;
  // SAFETY: the host writes this element from a bundle of our own, which maps texts to texts.
  return source ? (JSON.parse(source) as Bundle) : {};
}

/** `12 s`, `2 min 5 s`: of something that goes on. */
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
