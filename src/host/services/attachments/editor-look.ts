import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import { visibleText, withoutHiddenText } from '../../../base/text';
import type { LineRange } from '../../../core/mentions';
import type { Attachment, TextAttachment } from '../../../core/words/attachment';
import { ToolError } from '../../../core/words/tool';
import { firstBytes } from '../../../node/files/text-encoding';
import type { Files } from '../../../tools/ports/files';
import { count, grouped } from '../../../tools/text/amounts';
import { pathOf } from '../../platform/files/virtual-files';

/** Editor context of the workspace. Excludes files that may not be read without asking. */
export interface EditorLook {
  /** Names of open files, and the active one. */
  readonly editor: TextAttachment;
  /** Paths, the active file first. */
  readonly open: readonly string[];
  readonly selection?: SelectedText;
}

/** Range of the selection; `readSelection` reads its text, because only a message needs it. */
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

/** Current text of the selection, from its beginning up to the limit. */
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

/** From 1. A range that ends before the first character of a line excludes that line. */
export function linesOf({ start, end }: vscode.Range): LineRange {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { first: start.line + 1, last };
}

export function lineSpan(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}

interface Problem {
  readonly path: string;
  readonly diagnostic: vscode.Diagnostic;
}

/** Problems that the editor reports in the workspace, the worst first; without files that may not be read unasked. */
export async function problemsAttachment(files: Pick<Files, 'resolve'>): Promise<Attachment> {
  const found: Problem[] = [];
  for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
    const shown = diagnostics.filter(({ severity }) => severity !== vscode.DiagnosticSeverity.Hint);
    const path = shown.length === 0 ? undefined : await openPath(uri, files);
    if (path !== undefined) found.push(...shown.map((diagnostic) => ({ path, diagnostic })));
  }
  found.sort(
    (a, b) =>
      a.diagnostic.severity - b.diagnostic.severity ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
      a.diagnostic.range.start.compareTo(b.diagnostic.range.start),
  );
  const lines = found.slice(0, limits.attachedProblems).map(diagnosticLine);
  const left = found.length - lines.length;
  if (left > 0) lines.push(`[${grouped(left)} more are left out.]`);
  return { type: 'text', source: 'problems', label: 'Problems', text: [summary(found), ...lines].join('\n') };
}

/** Path of a file that may be read without asking. */
async function openPath(uri: vscode.Uri, files: Pick<Files, 'resolve'>): Promise<string | undefined> {
  try {
    const place = await files.resolve(pathOf(uri), 'read');
    return place.verdict.decision === 'auto' ? place.display : undefined;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function summary(problems: readonly Problem[]): string {
  const of = (severity: vscode.DiagnosticSeverity): number =>
    problems.filter(({ diagnostic }) => diagnostic.severity === severity).length;
  const { Error, Warning } = vscode.DiagnosticSeverity;
  return problems.length === 0
    ? 'No problems.'
    : `${count(of(Error), 'error')}, ${count(of(Warning), 'warning')}`;
}

/** `src/a.ts:3:5 error: what is wrong (ts)`. */
export function diagnosticLine({ path, diagnostic }: Problem): string {
  const { range, severity, message, source } = diagnostic;
  const at = `${path}:${range.start.line + 1}:${range.start.character + 1}`;
  const shown = visibleText(message.replace(/\s+/g, ' ').trim());
  const text = shown.slice(0, limits.attachedProblemCharacters);
  const from = source === undefined ? '' : ` (${visibleText(source)})`;
  return `${at} ${SEVERITIES[severity]}: ${text}${text === shown ? '' : '…'}${from}`;
}

const SEVERITIES: Readonly<Record<vscode.DiagnosticSeverity, string>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};
