import { plain as letters } from '../../core/run/foreign-arguments';

/** How the lines of a step are spelled: what ends a text, and what is written so that it ends nothing. */

export const END = '<<<END';
/** Begins a result; only Parley writes it. */
export const RESULT = 'Result of ';
/** The tool that answers the user; a tool of a registry with this name is written as a JSON text. */
export const FINISH = 'finish';

/** A name as models write it: case and bold type vary. */
function spellings(name: string): readonly string[] {
  const cases = [name, name.toLowerCase(), name.toUpperCase()];
  return cases.flatMap((each) => [`${each}:`, `**${each}:**`, `**${each}**:`, `**${each}:`]);
}

export const THOUGHT_OPENERS = spellings('Thought');
export const TOOL_OPENERS = spellings('Tool');
export const ANSWER_LABELS = spellings('Answer');

/**
 * Arguments whose texts stand below their name, as they are. A list by name and not by tool, because past calls are
 * rendered without their tools. Any other argument stands behind its name, in one line.
 */
const BLOCKS: ReadonlySet<string> = new Set([
  ...['content', 'contents', 'file_content', 'file_text', 'new_content', 'body', 'markdown', 'code'],
  ...['old', 'new', 'old_text', 'new_text', 'old_str', 'new_str', 'old_string', 'new_string'],
  ...['lines', 'old_lines', 'new_lines', 'patch', 'diff', 'replacement'],
]);

export function isBlockName(key: string): boolean {
  return BLOCKS.has(key);
}

/** Names that a capital letter and blanks change in one way only, and not into a line of the form. */
const REGULAR = /^(?!(?:tool|tOOL|thought|tHOUGHT)$|result_of_)[a-z](?:[A-Za-z0-9]|_(?=[A-Za-z0-9]))*$/;

/** `start_line` as `Start line`; any name that this would not give back is written as a JSON text. */
export function labelOf(key: string): string {
  if (!REGULAR.test(key)) return JSON.stringify(key);
  return (key[0] ?? '').toUpperCase() + key.slice(1).replaceAll('_', ' ');
}

/** The name of the argument with this label; the inverse of `labelOf`. */
export function keyOf(label: string): string {
  return textOf(label) ?? (label[0] ?? '').toLowerCase() + label.slice(1).replaceAll(' ', '_');
}

export const BLOCK_LABELS: readonly string[] = [...BLOCKS].map((key) => `${labelOf(key)}:`);

/** What begins a line of the form. In results and texts, such a line gets a backslash. */
export const LINE_MARKS: readonly string[] = [
  ...TOOL_OPENERS,
  ...THOUGHT_OPENERS,
  RESULT,
  END,
  ...BLOCK_LABELS,
];

const MARK = LINE_MARKS.map((mark) =>
  mark === END ? `${END}(?=[\\s/>]|$)` : mark.replaceAll('*', String.raw`\*`),
).join('|');
/** A line that means something, or would without its backslashes. */
const MEANT = new RegExp(String.raw`^\\*(?:${MARK})|^\\+\r?$`);
const ESCAPED = new RegExp(String.raw`^\\(?:\\*(?:${MARK})|\\+\r?$)`);

/** A last line that says: the text has no line break at its end. */
export const NO_BREAK = /^\\\r?$/;

export function escapedLine(line: string): string {
  return MEANT.test(line) ? `\\${line}` : line;
}

export function originalLine(line: string): string {
  return ESCAPED.test(line) ? line.slice(1) : line;
}

/** A text as lines, each with its line break. */
export function blockOf(text: string): string {
  if (text === '') return '';
  const lines = text.split('\n');
  const isWhole = lines.at(-1) === '';
  if (isWhole) lines.pop();
  return [...lines.map(escapedLine), ...(isWhole ? [] : ['\\'])].map((line) => `${line}\n`).join('');
}

/** A text behind its name: as it is, or as a JSON text if a line does not show all of it. */
export function lineOf(text: string): string {
  const isPlain = text !== '' && text.trim() === text && !/^"|[\u0000-\u001f\u007f]/.test(text);
  return isPlain ? text : JSON.stringify(text);
}

/** The text that a line writes as JSON, if it is nothing else. */
export function textOf(line: string): string | undefined {
  if (!/^"[^]*"$/.test(line)) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? value : undefined;
  } catch (problem) {
    // Quotes that belong to the value: `"a" --flag "b"`.
    if (problem instanceof SyntaxError) return undefined;
    throw problem;
  }
}

/** The name of a tool on its line. */
export function nameLine(name: string): string {
  return letters(name) === FINISH || /^[*`]|[*`]$/.test(name) ? JSON.stringify(name) : lineOf(name);
}
