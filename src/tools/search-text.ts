import * as z from 'zod';
import { limits } from '../base/limits';
import { visibleName } from '../base/text';
import { ToolError, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import { readAccess } from './files/entries';
import { parseGlob } from './files/glob';
import { resolveMeant } from './files/look-alikes';
import { mustExist, pathBelow as below } from './files/paths';
import { omittedText, searchByGlob, withOthers } from './files/search-notes';
import type { Place } from './ports/files';
import type {
  FileFilter,
  FileWithMatches,
  MatchLine,
  OmittedFiles,
  TextMatches,
  TextQuery,
} from './ports/search';
import type { Surroundings } from './ports/surroundings';
import { byteSize, count, grouped, utf8Length } from './text/amounts';

/** One file must not fill the result if others match too. */
const MATCHES_PER_FILE = 50;

export function searchText(surroundings: Pick<Surroundings, 'files' | 'search'>): Tool {
  const { files, search } = surroundings;
  return defineTool({
    toolset: 'files',
    method: 'searchText',
    userDescription: 'Searches the text of files.',
    effect: 'read',
    description:
      'Searches file contents; shows paths and numbered lines. Case is ignored unless case_sensitive.',
    isCore: true,
    example: { query: 'greeting' },
    input: () =>
      z.strictObject({
        query: z.string().min(1).max(limits.searchPatternCharacters).describe('The text to search for.'),
        is_regex: z.boolean().default(false).describe('Read query as a regular expression.'),
        path: z
          .string()
          .min(1)
          .default('.')
          .describe('The folder or file to search, relative to the workspace.'),
        glob: z
          .string()
          .min(1)
          .max(limits.searchPatternCharacters)
          .optional()
          .describe('Only in files that match, such as *.ts or src/**/*.css.'),
        case_sensitive: z.boolean().default(false).describe('Match case.'),
        context: z
          .int()
          .min(0)
          .max(20)
          .default(0)
          .describe('How many lines to show before and after a match.'),
        max: z.int().min(1).default(200).describe('How many matching lines to show.'),
        include_ignored: z.boolean().default(false).describe('Also search ignored files.'),
      }),
    prepare: async ({ query, is_regex, path, glob, case_sensitive, context, max, include_ignored }) => {
      const pattern = glob === undefined ? undefined : parseGlob(glob);
      const { place, note: nameNote } = await resolveMeant(path, 'search', files);
      const most = Math.min(max, limits.searchMatches);
      return {
        title: `Search ${JSON.stringify(query)} in ${place.display}`,
        accesses: [readAccess(place)],
        run: async ({ signal }) => {
          const info = await mustExist(place, 'folder', surroundings, signal);
          if (info.kind !== 'file' && info.kind !== 'folder')
            throw new ToolError(`${place.display} is not a regular file. Search a folder or a file.`);
          const isFile = info.kind === 'file';
          const asked: TextQuery = {
            place,
            query,
            isRegex: is_regex,
            caseSensitive: case_sensitive,
            context,
            max: most,
            maxPerFile: isFile ? most : MATCHES_PER_FILE,
            includeIgnored: include_ignored,
          };
          const { notes, ...result } = await searchTwice(asked, pattern, signal);
          // A file that was named is searched whatever it is.
          const omitted = isFile || result.omitted ? '' : include_ignored ? BINARY_LEFT_OUT : LEFT_OUT;
          const found = render(result.found, place, { isFile, bytes: limits.searchResultBytes, notes });
          return { text: found + omitted + nameNote };
        },
      };
    },
  });

  async function searchTwice(
    asked: TextQuery,
    pattern: FileFilter | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly found: TextMatches; readonly omitted?: OmittedFiles; readonly notes: string }> {
    const first = pattern
      ? await searchByGlob(pattern, (glob) => search.text({ ...asked, glob }, signal))
      : { found: await search.text(asked, signal), note: '', filter: undefined };
    const { found, note, filter } = first;
    // Only texts beyond ASCII are written differently in other encodings.
    const mayMiss = found.total === 0 || !/^[\0-\x7f]*$/.test(asked.query);
    const again = { ...asked, ...(filter && { glob: filter }) };
    const look = mayMiss ? await search.lookAgain?.(again, signal) : undefined;
    if (!look) return { found, notes: note };
    const { omitted } = look;
    return {
      found: withOthers(found, look.found),
      omitted,
      notes: note + omittedText(omitted, asked.place),
    };
  }
}

const LEFT_OUT = '\n[Ignored, binary and secret files were left out.]';
const BINARY_LEFT_OUT = '\n[Binary and secret files were left out.]';

function render(
  found: TextMatches,
  place: Place,
  { isFile, bytes, notes }: { isFile: boolean; bytes: number; notes: string },
): string {
  const blocks: string[] = [];
  let size = 0;
  let shown = 0;
  let cut = false;
  for (const file of found.files) {
    const block = renderFile(file, isFile ? place.display : below(place, file.path));
    size += utf8Length(block) + 1;
    if (size > bytes) {
      cut = true;
      break;
    }
    blocks.push(block);
    shown += file.lines.filter((line) => line.isMatch).length;
  }
  const note = cut ? [`[Cut at ${byteSize(bytes)}. Narrow the search by path, glob or a longer query.]`] : [];
  return [summary(found, place.display, shown) + notes, ...blocks, ...note].join('\n');
}

function summary({ total, totalFiles, cut }: TextMatches, where: string, shown: number): string {
  const ended = cut ? ' The search did not finish. Narrow it by path or glob.' : '';
  if (total === 0) return `No line matches in ${where}.${ended}`;
  const least = cut ? 'At least ' : '';
  const part = shown < total ? `, ${grouped(shown)} of them shown` : '';
  return `${least}${count(total, 'line matches', 'lines match')} in ${count(totalFiles, 'file')}${part}.${ended}`;
}

function renderFile(file: FileWithMatches, path: string): string {
  const lines: string[] = [visibleName(path)];
  let previous: MatchLine | undefined;
  for (const line of file.lines) {
    const apart =
      previous && line.line > previous.line + 1 && !(previous.isMatch && line.isMatch && !hasContext(file));
    if (apart) lines.push('  --');
    lines.push(`  ${line.line}${line.isMatch ? ':' : '-'} ${line.text}`);
    previous = line;
  }
  const more = file.total - file.lines.filter((line) => line.isMatch).length;
  if (more > 0) lines.push(`  [${grouped(more)} more in this file]`);
  return lines.join('\n');
}

function hasContext(file: FileWithMatches): boolean {
  return file.lines.some((line) => !line.isMatch);
}
