import * as z from 'zod';
import { ToolError, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import { entryText, moveAccess, mustBeAsShown } from './files/entries';
import { newNameAccess } from './files/look-alikes';
import { liesIn, mustExist, nameOf } from './files/paths';
import { filesAt, placeAfterMove, recordChange, UNRECORDED } from './files/record-change';
import type { Surroundings } from './ports/surroundings';

export function movePath(surroundings: Pick<Surroundings, 'files' | 'images' | 'search'>): Tool {
  const { files } = surroundings;
  return defineTool({
    toolset: 'files',
    method: 'movePath',
    displayName: 'Move or Rename',
    userDescription: 'Moves or renames a file or folder.',
    effect: 'write',
    summary: 'moves or renames',
    description:
      'Moves or renames a file or folder, and makes missing folders. Never replaces anything. ' +
      'A link is moved, not its target.',
    example: { from: 'src/greeting.txt', to: 'docs/greeting.txt' },
    input: () =>
      z.strictObject({
        from: z.string().min(1).describe('What to move, relative to the workspace.'),
        to: z
          .string()
          .min(1)
          .describe('Its whole new path. With / at the end: the folder it goes into, keeping its name.'),
      }),
    prepare: async ({ from, to }, signal) => {
      const places = await files.resolveMove(from, to.endsWith('/') ? to + nameOf(from, files) : to);
      const info = await mustExist(places.from, 'file or folder', surroundings, signal);
      if (info.kind === 'other') {
        throw new ToolError(`${places.from.display} is not a file, folder or link. Leave it where it is.`);
      }
      await mustBeFree();
      const what = await entryText(places.from, info, files, signal);
      const isRecorded = (await filesAt(places.from, files, signal)) !== undefined;
      return {
        title: `Move ${places.from.display} to ${places.to.display} (${what})`,
        accesses: [
          moveAccess(places.from, what, ...(isRecorded ? [] : [UNRECORDED])),
          await newNameAccess(moveAccess(places.to), places.to, files, places.from),
        ],
        run: async (context) => {
          await mustBeAsShown(places.from, what, files, context.signal);
          await mustBeFree();
          const taken = await filesAt(places.from, files, context.signal);
          const touched = (taken ?? [places.from]).flatMap((file) => [
            file,
            placeAfterMove(file, places.from, places.to),
          ]);
          const move = async (): Promise<void> => {
            // Storing a whole folder takes a while.
            await mustBeAsShown(places.from, what, files, context.signal);
            await files.move(places);
          };
          await recordChange(touched, move, surroundings, context);
          const note = taken ? '' : ` (${UNRECORDED})`;
          return { text: `Moved ${places.from.display} to ${places.to.display}${note}.` };
        },
      };

      async function mustBeFree(): Promise<void> {
        const { display } = places.to;
        if (liesIn(places.from, places.to, files)) {
          throw new ToolError(
            `${display} is inside ${places.from.display} or is the same place. Choose another place.`,
          );
        }
        const there = await files.stat(places.to);
        // Another spelling of the same entry still counts as a new name.
        if (!there || (await files.isSameEntry(places.from, places.to))) return;
        throw new ToolError(
          there.kind === 'folder'
            ? `${display} is a folder. To move something into it, end "to" with "/".`
            : `${display} exists already. Choose another place, or delete it first with delete_path.`,
        );
      }
    },
  });
}
