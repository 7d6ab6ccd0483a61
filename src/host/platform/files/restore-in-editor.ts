import * as vscode from 'vscode';
import { ToolError } from '../../../core/words/tool';
import { mustStillResolve, staleError } from '../../../node/files/files';
import type { Files, Place, Snapshot } from '../../../tools/ports/files';
import { comesToHold, findDocument, haveOneLineEnding, replaceText } from './documents';
import type { Resources } from './resources';

/** The file access below the editor. */
export interface Ground {
  readonly disk: Files;
  readonly resources: Resources;
}

export async function snapshotOf(place: Place, { disk, resources }: Ground): Promise<Snapshot | undefined> {
  const document = await findDocument(place, resources);
  const saved = await disk.snapshot(place);
  if (!document?.isDirty) return saved;
  const bytes = await vscode.workspace.encode(document.getText(), { encoding: document.encoding });
  return { bytes, ...(saved?.mode !== undefined && { mode: saved.mode }) };
}

/**
 * `put` of `Files`, through the editor if the file is open there: `base` is then the editor's content, including
 * unsaved text.
 */
export async function restoreInEditor(
  place: Place,
  content: Snapshot | undefined,
  base: Uint8Array | undefined,
  ground: Ground,
): Promise<void> {
  const { disk, resources } = ground;
  const document = await findDocument(place, resources);
  if (!document) return disk.put(place, content, base);
  await mustStillResolve(place, disk);
  const now = await snapshotOf(place, ground);
  if (!isSame(now?.bytes, base)) throw staleError(place);
  if (content) await putIntoDocument(document, { place, content, base, disk });
  else await deleteThroughEditor(place, ground);
}

interface DocumentPut {
  readonly place: Place;
  readonly content: Snapshot;
  /** The current content, including unsaved text. */
  readonly base: Uint8Array | undefined;
  readonly disk: Files;
}

/**
 * One undo step in the editor, if the editor saves exactly these bytes. Otherwise the file is written directly and
 * not shown there before: until the editor has reloaded a file, it saves nothing over it.
 */
async function putIntoDocument(
  document: vscode.TextDocument,
  { place, content, base, disk }: DocumentPut,
): Promise<void> {
  const decoded = await decodeIfText(content.bytes, document);
  let isShown = false;
  if (decoded !== undefined && (await canSave(document, decoded, content.bytes))) {
    const replace = async (): Promise<'replaced' | 'refused' | 'not shown'> => {
      if (!(await comesToShow(document, base))) return 'not shown';
      return (await replaceText(document, decoded)) ? 'replaced' : 'refused';
    };
    let outcome = await replace();
    // A document that the editor has just reloaded refuses an edit of the old text, and has announced the reload
    // since.
    if (outcome === 'refused') outcome = await replace();
    if (outcome === 'refused') throw new ToolError(`The editor refused to change ${place.display}.`);
    isShown = outcome === 'replaced';
  }
  // Unsaved text that cannot be changed there is saved first.
  const save = (): PromiseLike<boolean> =>
    isShown && base ? saveOver(document, { place, base, disk }) : document.save();
  if (document.isDirty && !(await save()))
    throw new ToolError(`${place.display} was restored in the editor but could not be saved. Save it there.`);
  const saved = await disk.snapshot(place);
  if (isSame(saved?.bytes, content.bytes)) return;
  await disk.put(place, content, saved?.bytes);
  if (decoded !== undefined) await comesToHold(document, decoded);
}

interface SavedOver {
  readonly place: Place;
  /** The content of the file unless another program changed it. */
  readonly base: Uint8Array;
  readonly disk: Files;
}

/**
 * Saves a document. If another program has just written the file, the editor may know its text and still refuse,
 * because its file size is outdated. It does save unchanged content, so the file is written first then.
 */
export async function saveOver(
  document: vscode.TextDocument,
  { place, base, disk }: SavedOver,
): Promise<boolean> {
  // A running auto save can end this one without a result; then it is requested again.
  for (let attempt = 0; attempt < 2; attempt++) {
    if ((await document.save()) || !document.isDirty) return true;
  }
  if (!isSame((await disk.snapshot(place))?.bytes, base)) return false;
  const bytes = await vscode.workspace.encode(document.getText(), { encoding: document.encoding });
  await disk.put(place, { bytes }, base);
  return document.save();
}

/** Whether the editor has loaded its file. Unknown for what is not text. */
async function comesToShow(document: vscode.TextDocument, bytes: Uint8Array | undefined): Promise<boolean> {
  if (!bytes) return true;
  const text = await decodeIfText(bytes, document);
  return text !== undefined && comesToHold(document, text);
}

async function canSave(document: vscode.TextDocument, text: string, bytes: Uint8Array): Promise<boolean> {
  if (!haveOneLineEnding(text)) return false;
  return isSame(await vscode.workspace.encode(text, { encoding: document.encoding }), bytes);
}

/** The editor closes the document of a file that it deletes itself, even with unsaved text. */
async function deleteThroughEditor(place: Place, { disk, resources }: Ground): Promise<void> {
  if (!(await disk.stat(place))) {
    throw new ToolError(
      `An editor holds unsaved text for ${place.display}, of which there is no file. Close it.`,
    );
  }
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(await resources.uriOf(place));
  await mustStillResolve(place, disk);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new ToolError(`The editor refused to delete ${place.display}.`);
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (!one || !other) return one === other;
  return Buffer.from(one).equals(Buffer.from(other));
}

/** As the document has it. Nothing for bytes that the editor does not treat as text. */
async function decodeIfText(
  bytes: Uint8Array,
  { encoding }: Pick<vscode.TextDocument, 'encoding'>,
): Promise<string | undefined> {
  return orNothing(vscode.workspace.decode(bytes, { encoding }));
}

/** A file version for one side of a diff; only the size of what is not text. */
export async function shownText(bytes: Uint8Array, uri: vscode.Uri): Promise<string> {
  const text = await orNothing(vscode.workspace.decode(bytes, { uri }));
  return text ?? vscode.l10n.t('Binary file: {0} bytes', bytes.length);
}

async function orNothing(decoding: Thenable<string>): Promise<string | undefined> {
  try {
    return await decoding;
  } catch {
    // The editor reports "not text" with a special error; there is no other way to ask.
    return undefined;
  }
}
