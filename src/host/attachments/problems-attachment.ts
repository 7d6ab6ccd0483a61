import * as vscode from 'vscode';
import { visibleText } from '../../base/visible-text';
import type { Attachment } from '../../core/attachment';
import { ToolError } from '../../core/tool';
import { limits } from '../../policy/limits';
import { count, grouped } from '../../tools/amounts';
import type { Files } from '../../tools/workspace';
import { pathOf } from '../files/virtual-path';

interface Problem {
  readonly path: string;
  readonly diagnostic: vscode.Diagnostic;
}

/** What the editor's tools have found in the workspace, the worst first; not in files that may not be read unasked. */
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
  const lines = found.slice(0, limits.attachedProblems).map(problemLine);
  const left = found.length - lines.length;
  if (left > 0) lines.push(`[${grouped(left)} more are left out.]`);
  return { type: 'text', source: 'problems', label: 'Problems', text: [summary(found), ...lines].join('\n') };
}

/** The path of a file that may be read without a question. */
export async function openPath(uri: vscode.Uri, files: Pick<Files, 'resolve'>): Promise<string | undefined> {
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
export function problemLine({ path, diagnostic }: Problem): string {
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
