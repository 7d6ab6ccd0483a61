import * as vscode from 'vscode';
import { visibleText } from '../base/visible-text';
import type { Place } from '../tools/workspace';
import { translated } from './translated';

/** What the user is asked before a place goes along that the policy asks about. */
export function attachQuestion({ display, resolved, verdict }: Place): {
  readonly question: string;
  readonly detail: string;
} {
  const text = 'Send {0} to the model? It is asked about because: {1}.';
  return {
    question: vscode.l10n.t(text, display, translated(verdict.reason)),
    detail: visibleText(resolved),
  };
}

export async function mayAttach(place: Place): Promise<boolean> {
  const attach = vscode.l10n.t('Attach');
  const { question, detail } = attachQuestion(place);
  try {
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, attach)) === attach;
  } catch {
    // A window that cannot ask has not been told yes, and the message itself is not held up by that.
    return false;
  }
}
