import * as z from 'zod';
import { limits } from '../base/limits';
import { ToolError, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import { readAccess } from './files/entries';
import { folderTree } from './files/folder-tree';
import { resolveMeant } from './files/look-alikes';
import { mustExist } from './files/paths';
import type { Surroundings } from './ports/surroundings';

export function readFolder(surroundings: Pick<Surroundings, 'files' | 'search'>): Tool {
  const { files } = surroundings;
  return defineTool({
    toolset: 'files',
    method: 'readFolder',
    displayName: 'List Folder',
    userDescription: 'Lists the contents of a folder.',
    effect: 'read',
    summary: 'lists a folder',
    description:
      'Lists a folder as a tree: folders with the number of files in them, files with their size. ' +
      'Use it to get to know a workspace; to look for files by name use find_files.',
    example: { path: 'src' },
    input: () =>
      z.strictObject({
        path: z.string().min(1).default('.').describe('The folder, relative to the workspace.'),
        depth: z.int().min(1).max(limits.listDepth).default(1).describe('How many levels to show.'),
        include_ignored: z
          .boolean()
          .default(false)
          .describe('Also show what ignore files such as .gitignore hide.'),
      }),
    prepare: async ({ path, depth, include_ignored }) => {
      const { place, note } = await resolveMeant(path, 'list', files);
      return {
        title: `List ${place.display}`,
        accesses: [readAccess(place)],
        run: async ({ signal }) => {
          const info = await mustExist(place, 'folder', surroundings, signal);
          if (info.kind !== 'folder')
            throw new ToolError(`${place.display} is not a folder. Read it with read_file.`);
          const options = { depth, most: limits.listEntries, includeIgnored: include_ignored };
          return { text: (await folderTree(place, surroundings, options, signal)) + note };
        },
      };
    },
  });
}
