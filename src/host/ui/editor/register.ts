import * as vscode from 'vscode';
import { registerCommands } from '../../platform/commands';
import type { Platform } from '../../platform/platform';
import { mentionPath } from '../../services/attachments/dropped-paths';
import type { Services } from '../../services/services';

/** Commands that add something from the editor to the message box. */
export function registerEditor(
  { own }: Platform,
  { messageBox }: Services,
  focusChat: () => Promise<void>,
): void {
  const add = async (text: string | undefined): Promise<void> => {
    if (text === undefined) return;
    messageBox.add(text);
    await focusChat();
  };
  const load = () => import('./from-editor');
  own(registerFixActions());
  own(
    registerCommands({
      addToChat: async () => add((await load()).selectionText()),
      addFileToChat: async (clicked?: unknown, all?: unknown) => {
        const given: readonly unknown[] = Array.isArray(all) ? all : [clicked];
        await add(await (await load()).filesText(given.filter((each) => each instanceof vscode.Uri)));
      },
      addTerminalSelectionToChat: async () => add(await (await load()).terminalSelectionText()),
      addTerminalToChat: () => add('@terminal'),
      fixProblem: async (uri?: vscode.Uri, problems?: readonly vscode.Diagnostic[]) =>
        add(await (await load()).problemText(uri, problems)),
    }),
  );
}

/**
 * "Fix with Parley" for problems of the editor, in the light bulb and in the Problems view. It only writes a message.
 */
function registerFixActions(): vscode.Disposable {
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
