import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ToolError } from '../core/tool';
import { mustStillDelete, mustStillMove } from '../node/files';
import { mustHaveStayed } from '../node/move-entry';
import type { Files, MovePlaces, Place } from '../tools/workspace';
import { orUndo, uriOf } from './files';

/** Moves and deletions as the explorer makes them: open editors follow, extensions hear of it, undo takes it back. */
export function createEditorMoves(disk: Files): Pick<Files, 'move' | 'remove'> {
  return {
    move: async (places) => {
      await mustStillMove(places, disk);
      const [from, to] = [await uriOf(places.from), await uriOf(places.to)];
      if (!(await rename(from, to))) throw refused(places);
      await orUndo(
        () => mustHaveStayed(places.from.resolved, places.to.resolved),
        async () => {
          await rename(to, from);
        },
      );
    },
    remove: async (place) => {
      const unsaved = await unsavedAt(place);
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

/** What is open at the place or below it and would lose text that is nowhere else. */
async function unsavedAt(place: Place): Promise<string | undefined> {
  const open = [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
  for (const { uri } of open.filter((each) => each.isDirty && each.uri.scheme === 'file')) {
    // A document whose file is gone has no other name.
    const real = await realpath(uri.fsPath).catch(() => uri.fsPath);
    if (real === place.resolved || real.startsWith(place.resolved + path.sep))
      return vscode.workspace.asRelativePath(uri);
  }
  return undefined;
}
