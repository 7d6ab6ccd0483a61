import { t } from '../shared/l10n';

/** Blanks and empty lines in such number only serve to push the rest out of sight: they are counted instead. */
export function showPadding(text: string): string {
  return text
    .replace(/[^\S\n]{24,}/g, (blanks) => t(' ⟨{0} blanks⟩ ', blanks.length))
    .replace(/\n{6,}/g, (lines) => t('\n⟨{0} empty lines⟩\n', lines.length - 1));
}
