import { visibleText } from '../../base/text';

/** Characters of a line, so that nothing is out of sight to the right. */
const LINE = 80;

/** What asks lies over the first lines of the editor. */
const COVERED = '\n'.repeat(6);

/**
 * A text that is to be approved, as a person has to see it: hidden characters drawn, blanks counted that could push
 * something out of sight, and long lines folded.
 */
export function shownDefinition(text: string): string {
  const lines = visibleText(text)
    .split('\n')
    .flatMap((line) => folded(line.replace(PADDING, (blanks) => `⟨${blanks.length} blanks⟩`)));
  return `${COVERED}${lines.join('\n')}\n`;
}

/** Not what indents a line. */
const PADDING = /(?<=\S)[^\S\n]{4,}/g;

function folded(line: string): readonly string[] {
  const characters = Array.from(line);
  if (characters.length <= LINE) return [line];
  const pieces = Array.from({ length: Math.ceil(characters.length / LINE) }, (_, at) =>
    characters.slice(at * LINE, (at + 1) * LINE).join(''),
  );
  return pieces.map((piece, at) => (at === 0 ? piece : `    ⤷ ${piece}`));
}

/** The words of a command as people type it; quotes keep blanks, and nothing else stands for something else. */
export function splitCommandLine(text: string): readonly string[] {
  const words = text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g);
  return [...words].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ''),
  );
}
