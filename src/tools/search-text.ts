import * as z from 'zod';
import { limits } from '../base/limits';
import { visibleName } from '../base/text';
import { ToolError, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import { readAccess } from './files/entries';
import { parseGlob } from './files/glob';
import { mustExist, pathBelow as below } from './files/paths';
import type { Place } from './ports/files';
import type { FileWithMatches, MatchLine, TextMatches } from './ports/search';
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
      }),
    prepare: async ({ query, is_regex, path, glob, case_sensitive, context, max }) => {
      const filter = glob === undefined ? undefined : parseGlob(glob);
      const place = await files.resolve(path, 'search');
      const most = Math.min(max, limits.searchMatches);
      return {
        title: `Search ${JSON.stringify(query)} in ${place.display}`,
        accesses: [readAccess(place)],
        run: async ({ signal }) => {
          const info = await mustExist(place, 'folder', surroundings, signal);
          if (info.kind !== 'file' && info.kind !== 'folder')
            throw new ToolError(`${place.display} is not a regular file. Search a folder or a file.`);
          const found = await search.text(
            {
              place,
              query,
              isRegex: is_regex,
              ...(filter && { glob: filter }),
              caseSensitive: case_sensitive,
              context,
              max: most,
              maxPerFile: info.kind === 'file' ? most : MATCHES_PER_FILE,
            },
            signal,
          );
          const isFile = info.kind === 'file';
          return { text: render(found, place, { isFile, bytes: limits.searchResultBytes }) };
        },
      };
    },
  });
}

function render(
  found: TextMatches,
  place: Place,
  { isFile, bytes }: { isFile: boolean; bytes: number },
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
  return [summary(found, place.display, shown), ...blocks, ...note].join('\n');
}

function summary({ total, totalFiles, cut }: TextMatches, where: string, shown: number): string {
  const ended = cut ? ' The search did not finish. Narrow it by path or glob.' : '';
  if (total === 0) return `No line matches in ${where}. Ignored files were not searched.${ended}`;
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
