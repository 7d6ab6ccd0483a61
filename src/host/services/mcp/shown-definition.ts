import { visibleText } from '../../../base/text';

/** Characters per line, so that nothing is hidden to the right. */
const LINE = 80;

/** The question covers the first lines of the editor. */
const COVERED = '\n'.repeat(6);

/**
 * A text for approval, as the user must see it: hidden characters are shown, blanks that could push something out of
 * view are counted, and long lines are folded.
 */
export function shownDefinition(text: string): string {
  const lines = visibleText(text)
    .split('\n')
    .flatMap((line) => folded(line.replace(PADDING, (blanks) => `⟨${blanks.length} blanks⟩`)));
  return `${COVERED}${lines.join('\n')}\n`;
}

/** Not the indentation of a line. */
const PADDING = /(?<=\S)[^\S\n]{4,}/g;

function folded(line: string): readonly string[] {
  const characters = Array.from(line);
  if (characters.length <= LINE) return [line];
  const pieces = Array.from({ length: Math.ceil(characters.length / LINE) }, (_, at) =>
    characters.slice(at * LINE, (at + 1) * LINE).join(''),
  );
  return pieces.map((piece, at) => (at === 0 ? piece : `    ⤷ ${piece}`));
}

/** The words of a command as typed in a shell; quotes keep blanks, and nothing else is special. */
export function splitCommandLine(text: string): readonly string[] {
  const words = text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g);
  return [...words].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ''),
  );
}
