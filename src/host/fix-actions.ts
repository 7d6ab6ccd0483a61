import * as vscode from 'vscode';
import { mentionPath } from './attachments/mention-path';

/** "Fix with Parley" on what the editor reports, in the light bulb and in the Problems view. It only writes a message. */
export function registerFixActions(): vscode.Disposable {
  const kind = vscode.CodeActionKind.QuickFix;
  return vscode.languages.registerCodeActionsProvider(
    '*',
    {
      provideCodeActions({ uri }, _, { diagnostics }) {
        const problems = diagnostics.filter(({ severity }) => severity !== vscode.DiagnosticSeverity.Hint);
        if (problems.length === 0 || mentionPath(uri) === undefined) return [];
        const title = vscode.l10n.t('Fix with Parley');
        const action = new vscode.CodeAction(title, kind);
        action.diagnostics = problems;
        action.command = { title, command: 'parley.fixProblem', arguments: [uri, problems] };
        return [action];
      },
    },
    { providedCodeActionKinds: [kind] },
  );
}
