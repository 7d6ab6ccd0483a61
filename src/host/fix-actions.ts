import * as vscode from 'vscode';

/** "Fix with Parley" on what the editor reports, in the light bulb and in the Problems view. It only writes a message. */
export function registerFixActions(): vscode.Disposable {
  const kind = vscode.CodeActionKind.QuickFix;
  return vscode.languages.registerCodeActionsProvider(
    { scheme: 'file' },
    {
      provideCodeActions({ uri }, _, { diagnostics }) {
        const problems = diagnostics.filter(({ severity }) => severity !== vscode.DiagnosticSeverity.Hint);
        if (problems.length === 0) return [];
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
