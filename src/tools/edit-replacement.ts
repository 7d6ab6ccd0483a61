import { trimBlanks, type EditMatch, type MatchedLine, type Shift } from './edit-matching';
import { lineOrigins } from './line-origins';
import { breakNear, splitLines } from './text-lines';

/**
 * What stands at a match after the edit. Where the match was not exact, lines that the edit leaves alone keep the
 * bytes of the file, and the others get its line breaks and indentation. `undefined` when the new text cannot be
 * indented like the file, because it begins left of it.
 */
export function replacementFor(
  text: string,
  match: EditMatch,
  edit: { old: string; new: string },
): string | undefined {
  return match.lines ? mergeLines(text, match, match.lines, edit) : literal(text, match, edit);
}

/** As it is; but line breaks that `old` does not show are those of the file, which models never see. */
function literal(text: string, match: EditMatch, edit: { old: string; new: string }): string {
  if (edit.old.includes('\n') || !edit.new.includes('\n') || edit.new.includes('\r\n')) return edit.new;
  return edit.new.replaceAll('\n', breakNear(text, match.start));
}

function mergeLines(
  text: string,
  match: EditMatch,
  lines: readonly MatchedLine[],
  edit: { old: string; new: string },
): string | undefined {
  const before = splitLines(edit.old);
  const after = splitLines(edit.new);
  const origins = lineOrigins(before, after);
  const usual = breakNear(text, match.start);
  let merged = '';
  for (const [index, line] of after.entries()) {
    const kept = origins[index];
    const content = kept === undefined ? shifted(line, match.shift) : lines[kept]?.content;
    if (content === undefined) return undefined;
    merged += content;
    if (index === after.length - 1) break;
    const next = origins[index + 1];
    const above = next === undefined ? kept : next - 1;
    const lineBreak = above === undefined ? undefined : lines[above]?.lineBreak;
    // Only the end of a text can lack a line break.
    const atEnd = index + 1 === after.length - 1 && next === before.length - 1;
    merged += lineBreak === undefined || (lineBreak === '' && !atEnd) ? usual : lineBreak;
  }
  return merged;
}

function shifted(line: string, shift: Shift): string | undefined {
  if (shift.type === 'none' || trimBlanks(line) === '') return line;
  if (shift.type === 'more') return shift.blanks + line;
  return line.startsWith(shift.blanks) ? line.slice(shift.blanks.length) : undefined;
}
