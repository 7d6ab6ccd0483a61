import * as vscode from 'vscode';
import { withoutHiddenText } from '../../base/visible-text';
import type { TextAttachment } from '../../core/attachment';
import type { LineRange } from '../../core/mentions';
import { firstBytes } from '../../node/cut-text';
import { limits } from '../../policy/limits';
import { count } from '../../tools/amounts';
import type { Files } from '../../tools/workspace';
import { openPath } from './problems-attachment';

/** What the editor shows of the workspace. Files that may not be read without a question are no part of it. */
export interface EditorLook {
  /** The open files by name, and which of them is active. */
  readonly editor: TextAttachment;
  /** Paths, the active file first. */
  readonly open: readonly string[];
  readonly selection?: SelectedText;
}

/** Where a selection is; its text is read by `readSelection`, because only a message needs it. */
export interface SelectedText {
  readonly label: string;
  readonly document: Pick<vscode.TextDocument, 'getText' | 'offsetAt' | 'positionAt'>;
  readonly selection: vscode.Selection;
}

export async function lookAtEditor(
  files: Pick<Files, 'resolve'>,
  { isTrusted }: { readonly isTrusted: boolean },
): Promise<EditorLook> {
  const active = vscode.window.activeTextEditor;
  const activePath = active && (await openPath(active.document.uri, files));
  const others = new Set<string>();
  for (const uri of tabUris().slice(0, 2 * limits.attachedEditors)) {
    const path = await openPath(uri, files);
    if (path !== undefined && path !== activePath) others.add(path);
  }
  const shown = [...others].slice(0, limits.attachedEditors);
  const lines = [
    ...(active && activePath !== undefined
      ? [`Active file: ${activePath}${problemCount(active.document.uri)}`]
      : []),
    ...(shown.length > 0 ? [`${activePath === undefined ? 'Open' : 'Also open'}: ${shown.join(', ')}`] : []),
  ];
  const text = lines.length === 0 ? 'No file is open.' : lines.join('\n');
  const selected = isTrusted && active && activePath !== undefined && selectionOf(active, activePath);
  return {
    editor: { type: 'text', source: 'editor', label: 'Editor', text },
    open: [...(activePath === undefined ? [] : [activePath]), ...shown],
    ...(selected && { selection: selected }),
  };
}

function tabUris(): readonly vscode.Uri[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => {
      if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook)
        return [input.uri];
      return input instanceof vscode.TabInputTextDiff ? [input.modified] : [];
    });
}

function problemCount(uri: vscode.Uri): string {
  const of = (wanted: vscode.DiagnosticSeverity): number =>
    vscode.languages.getDiagnostics(uri).filter(({ severity }) => severity === wanted).length;
  const errors = of(vscode.DiagnosticSeverity.Error);
  const warnings = of(vscode.DiagnosticSeverity.Warning);
  return errors + warnings === 0 ? '' : ` (${count(errors, 'error')}, ${count(warnings, 'warning')})`;
}

function selectionOf({ document, selection }: vscode.TextEditor, path: string): SelectedText | undefined {
  if (selection.isEmpty) return undefined;
  const { first, last } = linesOf(selection);
  return { label: `${path}:${lineSpan(first, last)}`, document, selection };
}

/** The selected text as it is now, from its beginning as far as the limit goes. */
export function readSelection({ label, document, selection }: SelectedText): TextAttachment {
  const most = limits.attachedSelectionBytes;
  const { start, end } = selection;
  // No character takes less than a byte.
  const reach = document.positionAt(document.offsetAt(start) + most);
  const isWhole = !reach.isBefore(end);
  const read = withoutHiddenText(document.getText(new vscode.Range(start, isWhole ? end : reach)));
  const kept = firstBytes(read, most);
  const text = isWhole && kept === read ? read : `${kept}\n[The rest of the selection is left out.]`;
  return { type: 'text', source: 'selection', label, text };
}

/** From 1. A range that ends before the first character of a line does not reach into it. */
export function linesOf({ start, end }: vscode.Range): LineRange {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { first: start.line + 1, last };
}

export function lineSpan(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}
