import * as z from 'zod';
import { ToolError, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import { entryText, moveAccess, mustBeAsShown } from './files/entries';
import { mustExist } from './files/paths';
import { filesAt, recordChange, UNRECORDED } from './files/record-change';
import type { Surroundings } from './ports/surroundings';

export function deletePath(surroundings: Pick<Surroundings, 'files' | 'images' | 'search'>): Tool {
  const { files } = surroundings;
  return defineTool({
    toolset: 'files',
    method: 'deletePath',
    displayName: 'Delete File or Folder',
    userDescription: 'Deletes a file or folder.',
    effect: 'write',
    summary: 'deletes a file or folder',
    description: 'Deletes a file, or a folder with everything in it. A link is deleted, not its target.',
    example: { path: 'src/greeting.txt' },
    input: () =>
      z.strictObject({ path: z.string().min(1).describe('What to delete, relative to the workspace.') }),
    prepare: async ({ path }, signal) => {
      const place = await files.resolve(path, 'delete');
      const info = await mustExist(place, 'file or folder', surroundings, signal);
      if (info.kind === 'other')
        throw new ToolError(`${place.display} is not a file, folder or link. Leave it where it is.`);
      const what = await entryText(place, info, files, signal);
      const isRecorded = (await filesAt(place, files, signal)) !== undefined;
      return {
        title: `Delete ${place.display} (${what})`,
        accesses: [moveAccess(place, what, ...(isRecorded ? [] : [UNRECORDED]))],
        run: async (context) => {
          await mustBeAsShown(place, what, files, context.signal);
          const taken = await filesAt(place, files, context.signal);
          const remove = async (): Promise<void> => {
            // Storing a whole folder takes a while.
            await mustBeAsShown(place, what, files, context.signal);
            await files.remove(place);
          };
          await recordChange(taken ?? [place], remove, surroundings, context);
          return { text: `Deleted ${place.display} (${what}${taken ? '' : `; ${UNRECORDED}`}).` };
        },
      };
    },
  });
}
