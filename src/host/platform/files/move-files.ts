import * as vscode from 'vscode';
import { ToolError } from '../../../core/words/tool';
import { mustStillDelete, mustStillMove } from '../../../node/files/files';
import type { Files, MovePlaces, Place } from '../../../tools/ports/files';
import { orUndo } from './files';
import { localResources, type Resources } from './resources';

/** Moves and deletes files as the Explorer does: open editors follow, extensions are notified, undo works. */
export function createEditorMoves(
  disk: Files,
  resources: Resources = localResources,
): Pick<Files, 'move' | 'remove'> {
  const { uriOf } = resources;
  return {
    move: async (places) => {
      await mustStillMove(places, disk);
      const [from, to] = [await uriOf(places.from), await uriOf(places.to)];
      if (!(await rename(from, to))) throw refused(places);
      await orUndo(
        () => resources.mustHaveStayed(places),
        async () => {
          await rename(to, from);
        },
      );
    },
    remove: async (place) => {
      const unsaved = await unsavedAt(place, resources);
      if (unsaved !== undefined) {
        throw new ToolError(
          `${unsaved} has changes in the editor that are not saved. Ask the user to save or close it first.`,
        );
      }
      await mustStillDelete(place, disk);
      const edit = new vscode.WorkspaceEdit();
      edit.deleteFile(await uriOf(place), { recursive: true, ignoreIfNotExists: false });
      if (await vscode.workspace.applyEdit(edit)) return;
      throw new ToolError(`${place.display} could not be deleted. Look whether it is still there.`);
    },
  };
}

function rename(from: vscode.Uri, to: vscode.Uri): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(from, to, { overwrite: false, ignoreIfExists: false });
  return vscode.workspace.applyEdit(edit);
}

function refused({ from, to }: MovePlaces): ToolError {
  return new ToolError(`${from.display} could not be moved to ${to.display}. Look at both places again.`);
}

/** Open documents at the path or below it with text that is not saved anywhere. */
async function unsavedAt(place: Place, resources: Resources): Promise<string | undefined> {
  const open = [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
  for (const { uri } of open.filter((each) => each.isDirty)) {
    const path = resources.pathOf(uri);
    if (path === undefined) continue;
    // A document whose file is gone has no other name.
    const real = (await resources.resolvedPathOf(uri)) ?? path;
    if (real === place.resolved || real.startsWith(place.resolved + resources.separator))
      return vscode.workspace.asRelativePath(uri);
  }
  return undefined;
}
