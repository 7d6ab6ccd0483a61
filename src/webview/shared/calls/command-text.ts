import { visibleText } from '../../../base/visible-text';
import { showPadding } from './show-padding';

/** A command as it is approved: nothing in it is invisible, and no blank looks like another. */
export function commandText(command: string): string {
  return showPadding(visibleText(command)).replace(
    OTHER_BLANK,
    (blank) => `⟨U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** A shell takes it for a letter of a word. */
const OTHER_BLANK = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
