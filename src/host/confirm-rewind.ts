import * as vscode from 'vscode';
import { visibleText } from '../base/visible-text';
import { changedSince } from '../core/file-changes';
import type { Checkpoints } from './checkpoints';
import type { Conversation } from './conversation';

export interface SettleParts {
  readonly conversation: Pick<Conversation, 'session'>;
  readonly checkpoints: Pick<Checkpoints, 'restore'>;
}

/**
 * Before the user goes back to a message: asks whether the files that were changed since are put back, too. `false` where
 * they go back to it no more, or where no file could be put back.
 */
export async function settleFiles(
  entry: number,
  { conversation, checkpoints }: SettleParts,
): Promise<boolean> {
  const { session } = conversation;
  const changed = changedSince(session.transcript, entry);
  if (changed.length === 0) return true;
  const putBack = vscode.l10n.t('Put Back');
  const keep = vscode.l10n.t('Keep as They Are');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Files were changed after this message. Put them back before you go on from here?'),
    { modal: true, detail: changed.map(({ display }) => visibleText(display)).join('\n') },
    putBack,
    keep,
  );
  if (answer !== putBack) return answer === keep;
  const before = session.transcript.entries.length;
  await checkpoints.restore(entry);
  return session.transcript.entries.length > before;
}
