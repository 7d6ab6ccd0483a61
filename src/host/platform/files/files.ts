import * as vscode from 'vscode';
import { ToolError } from '../../../core/words/tool';
import { mustStillResolve, staleError } from '../../../node/files/files';
import { decodeText } from '../../../node/files/text-encoding';
import type { Files, Place, TextFile } from '../../../tools/ports/files';
import { isNotebookName } from '../../../tools/notebooks/notebook';
import {
  changeText,
  comesToHold,
  findDocument,
  haveOneLineEnding,
  encodingName,
  savesAs,
  documentText,
} from './documents';
import { restoreInEditor, saveOver, snapshotOf, type Ground } from './restore-in-editor';
import { localResources, type Resources } from './resources';

/**
 * Files as the editor has them: unsaved text counts, and a change is one undo step in the open document. Files that
 * are not open are handled on disk.
 */
export function createEditorFiles(disk: Files, resources: Resources = localResources): Files {
  const ground: Ground = { disk, resources };
  return {
    ...disk,
    readText: async (place) => {
      const document = await findDocument(place, resources);
      return document?.isDirty ? documentText(document) : readFromDisk(place, document, resources);
    },
    writeText: async (place, text, base) => {
      const check = (): Promise<void> => mustStillResolve(place, disk);
      await check();
      mustBeSavedNotebook(place, resources);
      if (base === undefined) return createFile(await resources.uriOf(place), { place, text, check });
      const document = await findDocument(place, resources);
      if (document?.isDirty) {
        if (document.getText() !== base) throw staleError(place);
        return changeDocument(document, { place, text, disk });
      }
      // A text editor could format the file of a notebook; its own editor follows the disk.
      if (!document && isNotebookName(place)) return disk.writeText(place, text, base);
      const file = await readFromDisk(place, document, resources);
      if (file.text !== base) throw staleError(place);
      // A document has one line ending. If that would change more than requested, the file itself is written.
      if (!haveOneLineEnding(base, text)) return writeToDisk(disk, { place, text, base, document });
      const opened = document ?? (await vscode.workspace.openTextDocument(await resources.uriOf(place)));
      if (!(await comesToHold(opened, base)) || !savesAs(opened, file, text))
        return writeToDisk(disk, { place, text, base, document: opened });
      return changeDocument(opened, { place, text, disk });
    },
    snapshot: (place) => snapshotOf(place, ground),
    put: async (place, content, base) => {
      mustBeSavedNotebook(place, resources);
      return restoreInEditor(place, content, base, ground);
    },
  };
}

async function readFromDisk(
  place: Place,
  document: vscode.TextDocument | undefined,
  resources: Resources,
): Promise<TextFile> {
  const bytes = await resources.read(place);
  try {
    return decodeText(bytes, place.display);
  } catch (error) {
    if (!(error instanceof ToolError) || bytes.includes(0)) throw error;
    const uri = document?.uri ?? (await resources.uriOf(place));
    const decoded = await decodeAsEditor(uri, bytes, document);
    if (!decoded) throw error;
    return decoded;
  }
}

/** By the encoding that the settings give the file, provided that it gives the same bytes again. */
async function decodeAsEditor(
  uri: vscode.Uri,
  bytes: Buffer,
  document: vscode.TextDocument | undefined,
): Promise<TextFile | undefined> {
  const { encoding } = document ?? (await vscode.workspace.openTextDocument(uri));
  const text = await vscode.workspace.decode(bytes, { encoding });
  const again = await vscode.workspace.encode(text, { encoding });
  return bytes.equals(again) ? { text, encoding: encodingName(encoding), byteOrderMark: false } : undefined;
}

/** A file is never changed under a notebook editor with unsaved changes. */
function mustBeSavedNotebook(place: Place, resources: Resources): void {
  const isUnsaved = vscode.workspace.notebookDocuments.some(
    ({ uri, isDirty, isClosed }) => isDirty && !isClosed && resources.pathOf(uri) === place.resolved,
  );
  if (!isUnsaved) return;
  throw new ToolError(
    `${place.display} has unsaved changes in the notebook editor, so it was not changed. Ask the user to save it.`,
  );
}

async function createFile(
  uri: vscode.Uri,
  { place, text, check }: { place: Place; text: string; check: () => Promise<void> },
): Promise<string> {
  const contents = await vscode.workspace.encode(text, { uri });
  if ((await vscode.workspace.decode(contents, { uri })) !== text) throw cannotHold(place);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents, overwrite: false, ignoreIfExists: false });
  await check();
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new ToolError(`${place.display} could not be created. Look whether something is there already.`);
  }
  await orUndo(check, async () => {
    // The path may lead elsewhere by now; only files created here may be deleted.
    const there = await vscode.workspace.fs.readFile(uri);
    if (Buffer.from(there).equals(Buffer.from(contents))) await vscode.workspace.fs.delete(uri);
  });
  return text;
}

/** A path that leads elsewhere after a change is an error, and the change is undone as far as possible. */
export async function orUndo(check: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    // The error of the check says what happened; an error of the undo says only that there is nothing left to undo.
    await undo().catch(() => undefined);
    throw error;
  }
}

async function changeDocument(
  document: vscode.TextDocument,
  { place, text, disk }: { readonly place: Place; readonly text: string; readonly disk: Files },
): Promise<string> {
  const { encoding } = document;
  const check = (): Promise<void> => mustStillResolve(place, disk);
  const bytes = await vscode.workspace.encode(text, { encoding });
  if ((await vscode.workspace.decode(bytes, { encoding })) !== text) throw cannotHold(place);
  const before = document.getText();
  const base = await vscode.workspace.encode(before, { encoding });
  await check();
  if (document.getText() !== before) throw staleError(place);
  if (!(await changeText(document, text)))
    throw new ToolError(`The editor refused to change ${place.display}.`);
  if (!(await saveOver(document, { place, base, disk }))) {
    throw new ToolError(
      `${place.display} was changed in the editor but could not be saved. Ask the user to save it.`,
    );
  }
  await orUndo(check, async () => {
    // The editor saves only over the file it knows, so nothing is written where the path may lead by now.
    if (await changeText(document, before)) await document.save();
  });
  return document.getText();
}

interface DiskWrite {
  readonly place: Place;
  readonly text: string;
  readonly base: string;
  readonly document: vscode.TextDocument | undefined;
}

/** The editor reads the new text from the file; until then it would show and save the old one. */
async function writeToDisk(disk: Files, { place, text, base, document }: DiskWrite): Promise<string> {
  const stored = await disk.writeText(place, text, base);
  if (document) await comesToHold(document, stored);
  return stored;
}

function cannotHold(place: Place): ToolError {
  return new ToolError(
    `The encoding of ${place.display} cannot hold every character of the text. Use plainer ones.`,
  );
}
