import * as z from 'zod';
import { limits } from '../base/limits';
import { ToolError, type Caller, type Tool, type ToolOutput } from '../core/words/tool';
import { defineTool } from './define';
import { readAccess } from './files/entries';
import { resolveMeant } from './files/look-alikes';
import { mustExist } from './files/paths';
import type { SeenFiles } from './files/seen-files';
import { isNotebookName, notebookText, readNotebook } from './notebooks/notebook';
import type { FileInfo, ImageFile, Place } from './ports/files';
import type { Surroundings } from './ports/surroundings';
import { byteSize, count, grouped, utf8Length } from './text/amounts';
import { lineEndings, splitLines } from './text/lines';
import { fileLine, LatestLines, showLines, type FileLine, type LineStart } from './text/shown-lines';

export function readFile(surroundings: Pick<Surroundings, 'files' | 'search'>, seen: SeenFiles): Tool {
  const { files } = surroundings;
  const caps = { lines: limits.readLines, bytes: limits.readBytes };
  return defineTool({
    toolset: 'files',
    method: 'readFile',
    userDescription: 'Shows a text file or an image of the workspace.',
    effect: 'read',
    description: 'Reads a text file, or shows an image. numbers: each line follows its number and a tab.',
    isCore: true,
    xmlSchema: {
      tag_name: 'read-file',
      mappings: [{ param_name: 'path', node_type: 'attribute', path: '.' }],
    },
    example: { path: 'src/greeting.txt' },
    input: () =>
      z.strictObject({
        path: z.string().min(1).describe('The file, relative to the workspace.'),
        start_line: z.int().min(1).optional().describe('First line to read, from 1.'),
        end_line: z.int().min(1).optional().describe('Last line to read, this line included.'),
        from_character: z.int().min(1).optional().describe('Where the first of these lines begins, from 1.'),
        tail: z.int().min(1).optional().describe('Read only this many lines, from the end.'),
        numbers: z.boolean().default(false).describe('Put its number and a tab before each line.'),
      }),
    prepare: async ({ path, start_line, end_line, from_character, tail, numbers }, _signal, caller) => {
      const range = rangeOf({ start: start_line, end: end_line, character: from_character, tail });
      const { place, note } = await resolveMeant(path, 'read', files);
      return {
        title: `Read ${place.display}${titleOf(range)}`,
        accesses: [readAccess(place)],
        run: async ({ signal }) => {
          const info = await mustExist(place, 'file', surroundings, signal);
          if (info.kind === 'folder')
            throw new ToolError(`${place.display} is a folder. List it with read_folder.`);
          const image = isNamedAsImage(place) ? await files.readImage(place) : undefined;
          if (image) return withNote(showImage(place, image), note);
          const whole = info.size <= limits.readWholeFileBytes;
          if (!whole && range.type === 'all') throw tooBig(place, info);
          const text = whole
            ? await readWhole(caller, place, info, { range, numbers })
            : await readPart(place, info, { range, numbers }, signal);
          return withNote({ text }, note);
        },
      };
    },
  });

  async function readWhole(
    caller: Caller,
    place: Place,
    info: FileInfo,
    { range, numbers }: LineRequest,
  ): Promise<string> {
    const { text, encoding, byteOrderMark } = await files.readText(place);
    seen.saw(caller, place, text);
    const kind = `${encoding}${byteOrderMark ? ' with byte order mark' : ''}`;
    const notebook = isNotebookName(place) ? readNotebook(text) : undefined;
    if (text === '') return `${place.display}: empty file, ${byteSize(info.size)}, ${kind}`;
    const lines = splitLines(notebook ? notebookText(notebook) : text);
    const closed = lines.at(-1) === '';
    if (closed) lines.pop();
    const endings = lineEndings(text);
    const ofText = [
      ...(kind === USUAL_ENCODING ? [] : [kind]),
      ...(USUAL_ENDINGS.includes(endings) ? [] : [endings]),
      ...(closed ? [] : ['no final line break']),
      ...(/\S/.test(text) ? [] : ['blank']),
    ];
    const odd = notebook ? [`notebook with ${count(notebook.cells.length, 'cell')}`] : ofText;
    const { start, last, note } = selected(range, lines.length);
    const { head, body } = show(place, {
      odd,
      total: lines.length,
      start,
      // One more than can be shown, to know whether something is left out.
      lines: lines
        .slice(start.line - 1, Math.min(last, start.line + caps.lines))
        .map((line, at) => fileLine(line, at === 0 ? start.character : 1)),
      numbers,
      note,
    });
    const isLong = utf8Length(body) > limits.readRepeatBytes;
    const asked = `${head}${numbers ? ', with numbers' : ''}`;
    if (!isLong || !seen.isRepeat(caller, place, text, asked)) return joined(head, body);
    return `${head || place.display}\n[Unchanged since you read it: that result is still valid. To see it again, use another start_line or end_line.]`;
  }

  /** Keeps no more than one call can show, whatever the size of the file. */
  async function readPart(
    place: Place,
    info: FileInfo,
    { range, numbers }: LineRequest,
    signal: AbortSignal,
  ): Promise<string> {
    const start = range.type === 'lines' ? range.start : { line: Infinity, character: 1 };
    // One more than can be shown, to know whether something is left out.
    const wanted = range.type === 'lines' ? Math.min(lengthOf(range), caps.lines + 1) : 0;
    const latest = new LatestLines<FileLine>({
      ...caps,
      lines: range.type === 'tail' ? Math.min(range.count, caps.lines) : LAST_LINES,
    });
    const lines: FileLine[] = [];
    let number = 0;
    let characters = 0;
    let ended = true;
    for await (const batch of files.readLines(place, start, signal)) {
      for (const line of batch) {
        number++;
        if (number < start.line) latest.add(line);
        else if (ended) {
          lines.push(line);
          characters += line.text.length;
          ended = lines.length < wanted && characters <= caps.bytes;
        }
      }
      if (!ended) break;
    }
    const odd = [byteSize(info.size)];
    const found = { odd, numbers };
    if (lines.length > 0) {
      const { head, body } = show(place, { ...found, ...(ended && { total: number }), start, lines });
      return joined(head, body);
    }
    const last = latest.lines();
    const note = range.type === 'lines' ? pastEnd(start.line, number, last.length) : '';
    const from = { line: number - last.length + 1, character: 1 };
    const { head, body } = show(place, { ...found, total: number, start: from, lines: last, note });
    return joined(head, body);
  }

  function show(
    place: Place,
    found: {
      /** How the file differs from most. */
      odd: readonly string[];
      total?: number;
      start: LineStart;
      lines: readonly FileLine[];
      numbers: boolean;
      note?: string;
    },
  ): { readonly head: string; readonly body: string } {
    const { odd, total, start, lines, numbers, note = '' } = found;
    const { text, shown, cut } = showLines(lines, { start, numbers }, caps);
    const { line: first, character } = start;
    const of = total === undefined ? '' : ` of ${grouped(total)}`;
    const part = shown === total ? [] : [`${lineRange(first, first + shown - 1)}${of}`];
    const from = character === 1 ? [] : [`line ${first} from character ${grouped(character)}`];
    const facts = [...part, ...from, ...odd];
    return {
      // A whole file that is like most needs no heading.
      head: facts.length === 0 ? '' : `${place.display}: ${facts.join(', ')}`,
      body: joined(text, cut, note),
    };
  }
}

const USUAL_ENCODING = 'utf-8';
const USUAL_ENDINGS = ['LF', 'no line ending'];

interface LineRequest {
  readonly range: Range;
  readonly numbers: boolean;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

function withNote(output: ToolOutput, note: string): ToolOutput {
  return { ...output, text: output.text + note };
}

function isNamedAsImage({ resolved }: Place): boolean {
  return /\.(?:png|jpe?g|gif|webp)$/i.test(resolved);
}

function showImage({ display }: Place, { image, size, width, height, isWhole }: ImageFile): ToolOutput {
  const type = image.mediaType.replace('image/', '').toUpperCase();
  const facts = `${type} image, ${width} × ${height} pixels, ${byteSize(size)}`;
  if (!isWhole)
    throw new ToolError(
      `${display} is a damaged image: its end is missing. Use another, or create it again.`,
    );
  if (Math.max(width, height) > limits.imagePixels) {
    throw new ToolError(
      `${display} is too large to be shown (${facts}; ${grouped(limits.imagePixels)} pixels a side at most). Make a smaller copy with a command.`,
    );
  }
  return { text: `${display}: ${facts}. It is attached to this result.`, images: [image] };
}

function lineRange(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

type Range =
  | { readonly type: 'all' }
  | { readonly type: 'lines'; readonly start: LineStart; readonly end: number | undefined }
  | { readonly type: 'tail'; readonly count: number };

function rangeOf(asked: {
  start: number | undefined;
  end: number | undefined;
  character: number | undefined;
  tail: number | undefined;
}): Range {
  const { start, end, character, tail } = asked;
  const isWhole = start === undefined && end === undefined && character === undefined;
  if (tail !== undefined) {
    if (isWhole) return { type: 'tail', count: tail };
    throw new ToolError(
      'tail cannot be combined with start_line, end_line or from_character. Give one or the other.',
    );
  }
  if (isWhole) return { type: 'all' };
  if (start !== undefined && end !== undefined && start > end) {
    throw new ToolError(
      `start_line ${start} is after end_line ${end}. Give the smaller number as start_line.`,
    );
  }
  return { type: 'lines', start: { line: start ?? 1, character: character ?? 1 }, end };
}

function titleOf(range: Range): string {
  if (range.type === 'all') return '';
  if (range.type === 'tail') return ` (last ${count(range.count, 'line')})`;
  return ` (lines ${range.start.line}-${range.end ?? 'end'})`;
}

/** How many lines are shown if a range begins after the end of the file. */
const LAST_LINES = 50;

function lengthOf(range: Range & { type: 'lines' }): number {
  return range.end === undefined ? Infinity : range.end - range.start.line + 1;
}

/** The lines to show of a file with at least one; both ends are included. */
function selected(range: Range, total: number): { start: LineStart; last: number; note: string } {
  const from = (line: number): LineStart => ({ line, character: 1 });
  if (range.type === 'all') return { start: from(1), last: total, note: '' };
  if (range.type === 'tail')
    return { start: from(Math.max(1, total - range.count + 1)), last: total, note: '' };
  const { line } = range.start;
  if (line <= total) return { start: range.start, last: Math.min(range.end ?? total, total), note: '' };
  const asked = Math.min(lengthOf(range), LAST_LINES, total);
  return { start: from(total - asked + 1), last: total, note: pastEnd(line, total, asked) };
}

function pastEnd(start: number, total: number, shown: number): string {
  return `[There is no line ${start}: the file has ${count(total, 'line')}. Shown: the last ${grouped(shown)}.]`;
}

function tooBig(place: Place, info: FileInfo): ToolError {
  return new ToolError(
    `${place.display} has ${byteSize(info.size)}, too large to read whole. Give start_line and end_line, or tail, or use search_text.`,
  );
}
