import { visibleText } from '../../base/text';

/** Characters. A list cuts longer lines off. */
const LINE = 80;

/**
 * Foreign text for one line of VS Code's inputs, which would render icons and links in it, including links that run a
 * command.
 */
export function onOneLine(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim().replaceAll('](', '] (').replaceAll('$(', '$ (');
}

/** All of a text in lines short enough for a list. */
export function linesFor(text: string): readonly string[] {
  return text.split('\n').flatMap((paragraph) => wrapped(onOneLine(paragraph)));
}

function wrapped(paragraph: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= LINE) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const [...characters] = word;
    while (characters.length > LINE) lines.push(characters.splice(0, LINE).join(''));
    line = characters.join('');
  }
  return line === '' ? lines : [...lines, line];
}
