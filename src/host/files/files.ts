import * as vscode from 'vscode';
import { ToolError } from '../../core/tool';
import { mustStillResolve, staleError } from '../../node/files';
import { decodeText } from '../../node/text-encoding';
import { limits } from '../../policy/limits';
import type { Files, Place, Snapshot, TextFile } from '../../tools/workspace';
import { decodeIfText } from './decode';
import { localResources, type Resources } from './resources';

/**
 * Files as the editor has them: unsaved text counts, and a change is one undo step in the editor's own document. What
 * the editor has nothing to say about is left to the files of the machine.
 */
export function createEditorFiles(disk: Files, resources: Resources = localResources): Files {
  const ground: Ground = { disk, resources };
  return {
    ...disk,
    readText: async (place) => {
      const document = await findDocument(place, resources);
      return document?.isDirty ? textOf(document) : readFromDisk(place, document, resources);
    },
    writeText: async (place, text, base) => {
      const check = (): Promise<void> => mustStillResolve(place, disk);
      await check();
      if (base === undefined) return createFile(await resources.uriOf(place), { place, text, check });
      const document = await findDocument(place, resources);
      if (document?.isDirty) {
        if (document.getText() !== base) throw staleError(place);
        return changeDocument(document, place, text, check);
      }
      const file = await readFromDisk(place, document, resources);
      if (file.text !== base) throw staleError(place);
      // A document has one line ending. Where that would change more than was asked for, the file itself is written.
      if (!haveOneLineEnding(base, text)) return writeToDisk(disk, { place, text, base, document });
      const opened = document ?? (await vscode.workspace.openTextDocument(await resources.uriOf(place)));
      if (!(await comesToHold(opened, base)) || !savesAs(opened, file, text))
        return writeToDisk(disk, { place, text, base, document: opened });
      return changeDocument(opened, place, text, check);
    },
    snapshot: (place) => snapshotOf(place, ground),
    put: async (place, content, base) => {
      const document = await findDocument(place, resources);
      if (!document) return disk.put(place, content, base);
      await mustStillResolve(place, disk);
      const now = await snapshotOf(place, ground);
      if (!isSame(now?.bytes, base)) throw staleError(place);
      if (content) await putIntoDocument(document, { place, content, base, disk });
      else await deleteThroughEditor(place, ground);
    },
  };
}

/** What lies under the editor. */
interface Ground {
  readonly disk: Files;
  readonly resources: Resources;
}

async function snapshotOf(place: Place, { disk, resources }: Ground): Promise<Snapshot | undefined> {
  const document = await findDocument(place, resources);
  const saved = await disk.snapshot(place);
  if (!document?.isDirty) return saved;
  const bytes = await vscode.workspace.encode(document.getText(), { encoding: document.encoding });
  return { bytes, ...(saved?.mode !== undefined && { mode: saved.mode }) };
}

interface DocumentPut {
  readonly place: Place;
  readonly content: Snapshot;
  /** What there is now, with what is not saved. */
  readonly base: Uint8Array | undefined;
  readonly disk: Files;
}

/**
 * One undo step in the editor, where the editor saves the very bytes. What it would write otherwise goes past it, and is
 * not shown there before: until the editor has read a file anew, it saves nothing over it.
 */
async function putIntoDocument(
  document: vscode.TextDocument,
  { place, content, base, disk }: DocumentPut,
): Promise<void> {
  const decoded = await decodeIfText(content.bytes, document);
  if (
    decoded !== undefined &&
    (await canSave(document, decoded, content.bytes)) &&
    (await comesToShow(document, base))
  ) {
    if (!(await replaceText(document, decoded)))
      throw new ToolError(`The editor refused to change ${place.display}.`);
  }
  // What is unsaved and cannot be changed there is saved out of the way.
  if (document.isDirty && !(await document.save()))
    throw new ToolError(`${place.display} was put back in the editor but could not be saved. Save it there.`);
  const saved = await disk.snapshot(place);
  if (isSame(saved?.bytes, content.bytes)) return;
  await disk.put(place, content, saved?.bytes);
  if (decoded !== undefined) await comesToHold(document, decoded);
}

/** Whether the editor has read its file. Of what is no text that cannot be seen. */
async function comesToShow(document: vscode.TextDocument, bytes: Uint8Array | undefined): Promise<boolean> {
  if (!bytes) return true;
  const text = await decodeIfText(bytes, document);
  return text !== undefined && comesToHold(document, text);
}

async function canSave(document: vscode.TextDocument, text: string, bytes: Uint8Array): Promise<boolean> {
  if (!haveOneLineEnding(text)) return false;
  return isSame(await vscode.workspace.encode(text, { encoding: document.encoding }), bytes);
}

/** The editor closes its document of a file that it deletes itself, also one with unsaved text. */
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

/** The document of a file, if one is open, under whatever path. */
async function findDocument(place: Place, resources: Resources): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) => resources.pathOf(uri) !== undefined && !isClosed,
  );
  const direct = open.find(({ uri }) => resources.pathOf(uri) === place.resolved);
  if (direct) return direct;
  for (const document of open) {
    // A document whose file is gone has no other name.
    if ((await resources.resolvedPathOf(document.uri)) === place.resolved) return document;
  }
  return undefined;
}

function textOf(document: vscode.TextDocument): TextFile {
  const { encoding } = document;
  return { text: document.getText(), encoding: nameOf(encoding), byteOrderMark: /bom$/.test(encoding) };
}

/** `utf8bom` as people write it. */
function nameOf(encoding: string): string {
  return encoding.replace(/bom$/, '').replace(/^utf(\d+)/, 'utf-$1');
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
  return bytes.equals(again) ? { text, encoding: nameOf(encoding), byteOrderMark: false } : undefined;
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
    // The path may lead elsewhere by now; only what was made here may go.
    const there = await vscode.workspace.fs.readFile(uri);
    if (Buffer.from(there).equals(Buffer.from(contents))) await vscode.workspace.fs.delete(uri);
  });
  return text;
}

/** A place that leads elsewhere after a change is an error, and the change is taken back as far as that can be done. */
export async function orUndo(check: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    // The error of the check says what happened; one of the undoing says only that there is nothing left to undo.
    await undo().catch(() => undefined);
    throw error;
  }
}

async function changeDocument(
  document: vscode.TextDocument,
  place: Place,
  text: string,
  check: () => Promise<void>,
): Promise<string> {
  const { encoding } = document;
  const bytes = await vscode.workspace.encode(text, { encoding });
  if ((await vscode.workspace.decode(bytes, { encoding })) !== text) throw cannotHold(place);
  const before = document.getText();
  await check();
  if (document.getText() !== before) throw staleError(place);
  if (!(await applyChange(document, difference(before, text))))
    throw new ToolError(`The editor refused to change ${place.display}.`);
  if (!(await document.save())) {
    throw new ToolError(
      `${place.display} was changed in the editor but could not be saved. Ask the user to save it.`,
    );
  }
  await orUndo(check, async () => {
    // The editor saves only over the file that it knows, so nothing is written where the path leads by now.
    if (await applyChange(document, difference(document.getText(), before))) await document.save();
  });
  return document.getText();
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/**
 * One undo step. VS Code reduces a workspace edit of a document that it shows to the UTF-16 units that differ, and where
 * these are half a character each, it writes a broken one; an edit through the editor itself is left as it is.
 */
async function applyChange(
  document: vscode.TextDocument,
  { start, end, replacement }: Change,
  eol = document.eol,
): Promise<boolean> {
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  if (shown && /[\ud800-\udfff]/.test(replacement)) {
    return shown.edit((edit) => {
      edit.replace(range, replacement);
      if (eol !== document.eol) edit.setEndOfLine(eol);
    });
  }
  const edit = new vscode.WorkspaceEdit();
  const edits = [vscode.TextEdit.replace(range, replacement)];
  if (eol !== document.eol) edits.push(vscode.TextEdit.setEndOfLine(eol));
  edit.set(document.uri, edits);
  return vscode.workspace.applyEdit(edit);
}

/** With the line ending of the new text; one without lines keeps that of the document. */
async function replaceText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const { CRLF, LF } = vscode.EndOfLine;
  const eol = text.includes('\n') ? (text.includes('\r\n') ? CRLF : LF) : document.eol;
  const before = document.getText();
  if (before === text) return true;
  const after = document.eol === CRLF ? withLf(text).replaceAll('\n', '\r\n') : withLf(text);
  return applyChange(document, difference(before, after), eol);
}

interface DiskWrite {
  readonly place: Place;
  readonly text: string;
  readonly base: string;
  readonly document: vscode.TextDocument | undefined;
}

/** The editor takes the new text from the file; until it has, it would show and save the old one. */
async function writeToDisk(disk: Files, { place, text, base, document }: DiskWrite): Promise<string> {
  const stored = await disk.writeText(place, text, base);
  if (document) await comesToHold(document, stored);
  return stored;
}

/** Whether the document has the text of its file, waiting a while for it. Line endings are the document's own. */
async function comesToHold(document: vscode.TextDocument, text: string): Promise<boolean> {
  const holds = (): boolean => withLf(document.getText()) === withLf(text);
  if (holds()) return true;
  return new Promise((resolve) => {
    const end = (held: boolean): void => {
      clearTimeout(timer);
      listening.dispose();
      resolve(held);
    };
    const timer = setTimeout(() => end(holds()), limits.documentFollowsMs);
    const listening = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && holds()) end(true);
    });
  });
}

/**
 * Whether a document that holds the text of its file also has its encoding and line ending. One that was loaded before
 * another program made the file anew may have those of the old one.
 */
function savesAs(document: vscode.TextDocument, file: TextFile, text: string): boolean {
  const { encoding, byteOrderMark } = textOf(document);
  // Without a mark UTF-16 is not known to be any.
  const isSameMark = byteOrderMark === file.byteOrderMark || encoding.startsWith('utf-16');
  const both = file.text + text;
  const hasBreaks = both.includes('\n');
  const isCrlf = document.eol === vscode.EndOfLine.CRLF;
  return encoding === file.encoding && isSameMark && (!hasBreaks || isCrlf === both.includes('\r\n'));
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Whether both texts, as far as they have lines, end them all in the same way. A lone CR is one for the editor. */
function haveOneLineEnding(...texts: readonly string[]): boolean {
  const endings = new Set(texts.flatMap((text) => text.match(/\r\n|\r|\n/g) ?? []));
  return endings.size <= 1 && !endings.has('\r');
}

/** What lies between the common beginning and the common end, without cutting a CRLF or a character in two. */
function difference(before: string, after: string): Change {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < most - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  if (isInside(before, start) || isInside(after, start)) start--;
  if (isInside(before, before.length - tail) || isInside(after, after.length - tail)) tail--;
  return { start, end: before.length - tail, replacement: after.slice(start, after.length - tail) };
}

function isInside(text: string, offset: number): boolean {
  return /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(Math.max(0, offset - 1), offset + 1));
}

function cannotHold(place: Place): ToolError {
  return new ToolError(
    `The encoding of ${place.display} cannot hold every character of the text. Use plainer ones.`,
  );
}
