import { visibleText } from '../base/visible-text';

/** In characters; a title is one line in a list. */
const LONGEST = 80;

/** The first line that says something. */
export function sessionTitle(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  const characters = Array.from(visibleText(line.trim().slice(0, 2 * LONGEST)));
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : characters.join('');
}
