import path from 'node:path';
import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import { noticeText, withoutHiddenText } from '../../../base/text';
import type { LineRange } from '../../../core/mentions';
import { firstBytes, lastBytes } from '../../../node/files/text-encoding';
import { cleanOutput } from '../../../tools/commands';
import { fencedText } from '../../platform/fenced-text';
import { mentionPath, pathMention } from '../../services/attachments/dropped-paths';
import { diagnosticLine, linesOf } from '../../services/attachments/editor-look';

/** Lines around a problem that are attached with it. */
const AROUND = 5;

/** Mention of the selection of the active editor, or of its whole file. `undefined` if the user was told why not. */
export function selectionText(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor) {
    const { document, selection } = editor;
    return selection.isEmpty && mentionPath(document.uri) !== undefined
      ? mentionOf(document.uri)
      : partOf(document, selection.isEmpty ? wholeOf(document) : selection);
  }
  const uri = activeTab();
  return uri
    ? mentionOf(uri)
    : nothing(vscode.l10n.t('No editor is open. Open a file and select text first.'));
}

/** Mentions of files and folders: the clicked ones, or the file of the active editor. */
export async function filesText(clicked: readonly vscode.Uri[]): Promise<string | undefined> {
  const active = activeTab();
  const uris = clicked.length > 0 ? clicked : active ? [active] : [];
  if (uris.length === 0)
    return nothing(vscode.l10n.t('No editor is open. Open a file, or pick one in the Explorer.'));
  const most = limits.messageMentions;
  const written: string[] = [];
  for (const uri of uris.slice(0, most)) {
    const isFolder = await isFolderAt(uri);
    const mention = isFolder ? mentionOf(uri, 'folder') : mentionOf(uri);
    if (mention !== undefined) written.push(mention);
  }
  if (uris.length > most) {
    tell(vscode.l10n.t('A message can have at most {0} mentions. The first {0} were added.', most));
  }
  return written.length === 0 ? undefined : written.join(' ');
}

/** Selected text of the terminal, read through the clipboard because VS Code offers no other way. */
export async function terminalSelectionText(): Promise<string | undefined> {
  const before = await vscode.env.clipboard.readText();
  const selected = await copiedBy('workbench.action.terminal.copySelection', before);
  const clean = cleanOutput(selected).trimEnd();
  if (clean === '')
    return nothing(vscode.l10n.t('Nothing is selected in the terminal. Select text there first.'));
  return fencedText(lastBytes(clean, limits.attachedTerminalBytes));
}

/** Text that a command copies; empty if it copies nothing. The previous clipboard text is restored. */
async function copiedBy(command: string, before: string): Promise<string> {
  const { clipboard } = vscode.env;
  // An empty copy must not be mistaken for the user's clipboard. An image could not be restored, so it is left alone.
  const marker = before === '' ? '' : crypto.randomUUID();
  try {
    if (marker !== '') await clipboard.writeText(marker);
    await vscode.commands.executeCommand(command);
    const copied = await clipboard.readText();
    return copied === marker ? '' : copied;
  } finally {
    if (before !== '') await clipboard.writeText(before);
  }
}

/** Ignores what is not a file or is gone. */
async function isFolderAt(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) !== 0,
    () => false,
  );
}

/** A message that asks to fix these problems, or those at the caret. */
export async function problemText(
  uri?: vscode.Uri,
  problems?: readonly vscode.Diagnostic[],
): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!uri && !editor) {
    return nothing(vscode.l10n.t('No editor is open. Open the file with the problem.'));
  }
  const document = uri ? await vscode.workspace.openTextDocument(uri) : editor?.document;
  if (!document) return undefined;
  const meant = problems ?? (editor && (await problemsAt(document.uri, editor.selection)));
  if (!meant || meant.length === 0) return undefined;
  const [first, ...others] = meant.map(({ range }) => range);
  const span = others.reduce((all, range) => all.union(range), first ?? new vscode.Range(0, 0, 0, 0));
  const around = document.validateRange(
    new vscode.Range(Math.max(0, span.start.line - AROUND), 0, span.end.line + AROUND, Infinity),
  );
  const place = partOf(document, around);
  const name = mentionPath(document.uri) ?? path.basename(document.uri.path);
  const lines = meant.map((diagnostic) => diagnosticLine({ path: name, diagnostic }));
  if (place === undefined) return undefined;
  const ask =
    meant.length === 1
      ? vscode.l10n.t('Fix this problem: {0}', place)
      : vscode.l10n.t('Fix these problems: {0}', place);
  return [ask, ...lines].join('\n');
}

/** Problems on the lines of the caret; else the user picks one of the file. */
async function problemsAt(
  uri: vscode.Uri,
  selection: vscode.Range,
): Promise<readonly vscode.Diagnostic[] | undefined> {
  const all = vscode.languages
    .getDiagnostics(uri)
    .filter(({ severity }) => severity !== vscode.DiagnosticSeverity.Hint);
  const { start, end } = selection;
  const here = all.filter(({ range }) => range.start.line <= end.line && range.end.line >= start.line);
  if (here.length > 0) return here;
  if (all.length === 0) {
    tell(vscode.l10n.t('There are no problems in this file.'));
    return undefined;
  }
  const items = all.map((diagnostic) => ({
    label: diagnostic.message.split('\n', 1)[0] ?? '',
    description: vscode.l10n.t('line {0}', diagnostic.range.start.line + 1),
    diagnostic,
  }));
  const item = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Select a problem to fix') });
  return item && [item.diagnostic];
}

/** Mention of a part of a document; its text if it is not a file. */
function partOf(document: vscode.TextDocument, range: vscode.Range): string | undefined {
  if (mentionPath(document.uri) !== undefined) return mentionOf(document.uri, 'file', linesOf(range));
  const text = withoutHiddenText(document.getText(range));
  const kept = firstBytes(text, limits.attachedSelectionBytes);
  if (kept !== text) tell(vscode.l10n.t('The selection is too long. Only its beginning was added.'));
  return fencedText(kept);
}

function mentionOf(uri: vscode.Uri, type: 'file' | 'folder' = 'file', lines?: LineRange): string | undefined {
  const mention = pathMention(uri, type, lines);
  const name = path.basename(uri.path);
  return (
    mention ??
    nothing(
      vscode.l10n.t('{0} has a name that cannot be mentioned. Copy its text instead.', noticeText(name)),
    )
  );
}

function wholeOf({ lineCount }: vscode.TextDocument): vscode.Range {
  return new vscode.Range(0, 0, lineCount, 0);
}

/** Also for what is not text, such as images. */
function activeTab(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  const isOpen =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook;
  return isOpen ? input.uri : undefined;
}

/** Says why there is nothing to add. */
function nothing(sentence: string): string | undefined {
  tell(sentence);
  return undefined;
}

function tell(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}
