import * as vscode from 'vscode';
import { visibleText } from '../../base/visible-text';
import type { ResourceMention } from '../../core/mentions';
import type { Place } from '../../tools/workspace';
import { noticeText } from '../notice-text';
import { translated } from '../translated';

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
  return mayGoAlong(attachQuestion(place));
}

/** Whether a resource may be read that its server does not list. */
export async function mayReadResource({ server, uri }: ResourceMention): Promise<boolean> {
  const text = 'Read from the MCP server {0} what it does not list, and send it to the model?';
  return mayGoAlong({ question: vscode.l10n.t(text, noticeText(server)), detail: noticeText(uri) });
}

async function mayGoAlong({ question, detail }: ReturnType<typeof attachQuestion>): Promise<boolean> {
  const attach = vscode.l10n.t('Attach');
  try {
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, attach)) === attach;
  } catch {
    // A window that cannot ask has not been told yes, and the message itself is not held up by that.
    return false;
  }
}
