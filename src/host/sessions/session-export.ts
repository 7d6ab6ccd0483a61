import * as vscode from 'vscode';
import type { StoredSession } from '../../sessions/session-store';
import { sessionLines, sessionText } from '../../sessions/session-text';

interface Form extends vscode.QuickPickItem {
  /** Of the editor that shows it. */
  readonly language: string;
  readonly textOf: (session: StoredSession, redact: (text: string) => string) => string;
}

/** Opens the session in the form that the user picks, as a text that they can look through and save where they want. */
export async function previewExport(session: StoredSession, redact: (text: string) => string): Promise<void> {
  const form = await vscode.window.showQuickPick(forms(), { title: vscode.l10n.t('Export Session') });
  if (!form) return;
  const content = form.textOf(session, redact);
  const document = await vscode.workspace.openTextDocument({ language: form.language, content });
  await vscode.window.showTextDocument(document);
}

function forms(): readonly Form[] {
  return [
    {
      label: 'Markdown',
      detail: vscode.l10n.t('The conversation, to read'),
      language: 'markdown',
      textOf: (session, redact) => redact(sessionText(session)),
    },
    {
      label: 'JSON Lines',
      detail: vscode.l10n.t('Everything that happened, for programs and "parley replay"'),
      language: 'jsonl',
      textOf: sessionLines,
    },
  ];
}
