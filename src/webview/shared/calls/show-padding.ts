import { t } from '../l10n';

/** Blanks and empty lines in such number only serve to push the rest out of sight: they are counted instead. */
export function showPadding(text: string): string {
  return text
    .replace(BLANKS, (blanks) => t(' ⟨{0} blanks⟩ ', blanks.length))
    .replace(EMPTY_LINES, (lines) => t('\n⟨{0} empty lines⟩\n', lines.split('\n').length - 2));
}

/** The same where indentation is to be expected. */
export function showInnerPadding(line: string): string {
  const indentation = /^\s*/.exec(line)?.[0] ?? '';
  const rest = line.slice(indentation.length);
  return (indentation.length > MOST_INDENTATION ? showPadding(indentation) : indentation) + showPadding(rest);
}

const MOST_INDENTATION = 60;

const BLANKS = /[^\S\n]{24,}/g;

/** Longer blanks are gone by then. */
const EMPTY_LINES = /\n(?:[^\S\n]{0,60}\n){5,}/g;
