import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import type { Place, TextFile } from '../../../tools/ports/files';
import type { Resources } from './resources';

/** The open document of a file, if any, under any of its paths. */
export async function findDocument(
  place: Place,
  resources: Resources,
): Promise<vscode.TextDocument | undefined> {
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

/** As `readText` of `Files` gives it. */
export function documentText(document: vscode.TextDocument): TextFile {
  const { encoding } = document;
  return { text: document.getText(), encoding: encodingName(encoding), byteOrderMark: /bom$/.test(encoding) };
}

/** `utf8bom` as people write it. */
export function encodingName(encoding: string): string {
  return encoding.replace(/bom$/, '').replace(/^utf(\d+)/, 'utf-$1');
}

/**
 * Whether a document with the text of its file also has its encoding and line ending. A document loaded before
 * another program replaced the file may have the old ones.
 */
export function savesAs(document: vscode.TextDocument, file: TextFile, text: string): boolean {
  const { encoding, byteOrderMark } = documentText(document);
  // Without a byte order mark, UTF-16 is not detected.
  const isSameMark = byteOrderMark === file.byteOrderMark || encoding.startsWith('utf-16');
  const both = file.text + text;
  const hasBreaks = both.includes('\n');
  const isCrlf = document.eol === vscode.EndOfLine.CRLF;
  return encoding === file.encoding && isSameMark && (!hasBreaks || isCrlf === both.includes('\r\n'));
}

/**
 * Whether the document has the text of its file, after waiting a while for it. Line endings are the document's own.
 */
export async function comesToHold(document: vscode.TextDocument, text: string): Promise<boolean> {
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

/** With the line ending of the new text; a text without lines keeps that of the document. */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const { CRLF, LF } = vscode.EndOfLine;
  const eol = text.includes('\n') ? (text.includes('\r\n') ? CRLF : LF) : document.eol;
  const before = document.getText();
  if (before === text) return true;
  const after = document.eol === CRLF ? withLf(text).replaceAll('\n', '\r\n') : withLf(text);
  return changeText(document, after, eol);
}

/**
 * One undo step. VS Code reduces a workspace edit of a visible document to the UTF-16 units that differ, and breaks
 * it if these are half characters; an edit through the editor itself is applied unchanged.
 */
export async function changeText(
  document: vscode.TextDocument,
  text: string,
  eol = document.eol,
): Promise<boolean> {
  const { start, end, replacement } = difference(document.getText(), text);
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

interface TextReplacement {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The text between the common beginning and the common end, without splitting a CRLF or a character. */
function difference(before: string, after: string): TextReplacement {
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

/** Whether both texts, if they have lines, use the same line ending. A lone CR counts as one for the editor. */
export function haveOneLineEnding(...texts: readonly string[]): boolean {
  const endings = new Set(texts.flatMap((text) => text.match(/\r\n|\r|\n/g) ?? []));
  return endings.size <= 1 && !endings.has('\r');
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
