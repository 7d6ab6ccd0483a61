import * as z from 'zod';
import { limits } from '../base/limits';
import { visibleName } from '../base/text';
import { ToolError, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import { readAccess } from './files/entries';
import { parseGlob } from './files/glob';
import { resolveMeant } from './files/look-alikes';
import { mustExist, pathBelow as below } from './files/paths';
import { omittedText, searchByGlob } from './files/search-notes';
import type { FileFilter, FileMatches, FileQuery } from './ports/search';
import type { Surroundings } from './ports/surroundings';
import { count, grouped } from './text/amounts';

export function findFiles(surroundings: Pick<Surroundings, 'files' | 'search'>): Tool {
  const { files, search } = surroundings;
  return defineTool({
    toolset: 'files',
    method: 'findFiles',
    userDescription: 'Finds files by their names.',
    effect: 'read',
    description: 'Finds files by a glob such as **/*.ts, newest first; ignored files are left out.',
    isCore: true,
    example: { glob: '**/*.ts' },
    input: () =>
      z.strictObject({
        glob: z
          .string()
          .min(1)
          .max(limits.searchPatternCharacters)
          .describe('Pattern for the path below the folder; without / for the file name.'),
        path: z.string().min(1).default('.').describe('The folder to look in, relative to the workspace.'),
        max: z.int().min(1).default(200).describe('How many paths to show.'),
        include_ignored: z.boolean().default(false).describe('Also find ignored files.'),
      }),
    prepare: async ({ glob, path, max, include_ignored: includeIgnored }) => {
      const pattern = parseGlob(glob);
      const { place, note: nameNote } = await resolveMeant(path, 'list', files);
      return {
        title: `Find ${glob} in ${place.display}`,
        accesses: [readAccess(place)],
        run: async ({ signal }) => {
          const info = await mustExist(place, 'folder', surroundings, signal);
          if (info.kind !== 'folder')
            throw new ToolError(`${place.display} is not a folder. Give the folder it is in.`);
          const most = Math.min(max, limits.listEntries);
          const queryFor = ({ matches }: FileFilter): FileQuery => {
            return { folder: place, matches, max: most, includeIgnored };
          };
          const { found, filter, note } = await searchByGlob(pattern, (each) =>
            search.files(queryFor(each), signal),
          );
          const look = found.total === 0 ? await search.lookAgain?.(queryFor(filter), signal) : undefined;
          const omitted = look
            ? omittedText(look.omitted, place)
            : includeIgnored
              ? ''
              : ' Ignored files were left out.';
          const paths = found.paths.map((each) => visibleName(below(place, each)));
          const lines = [summary(found, glob, place.display) + note + omitted, ...paths];
          return { text: lines.join('\n') + nameNote };
        },
      };
    },
  });
}

function summary({ paths, total, withheld = 0, cut }: FileMatches, glob: string, folder: string): string {
  const least = cut ? 'at least ' : '';
  const left = withheld > 0 ? ` Left out by ignore files for agents: ${withheld}.` : '';
  if (total === 0) {
    return `No file matches ${glob} in ${folder}.${left}`;
  }
  const shown =
    paths.length < total ? `, of which the newest ${grouped(paths.length)} are shown` : ', newest first';
  const ended = cut ? ' The search did not finish. Narrow it by path.' : '';
  return `${least}${count(total, 'file matches', 'files match')} ${glob} in ${folder}${shown}.${ended}${left}`;
}
