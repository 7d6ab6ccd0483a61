import * as vscode from 'vscode';
import { visibleText } from '../../base/visible-text';
import { changedSince } from '../../core/file-changes';
import type { Checkpoints } from './checkpoints';
import type { Conversation } from '../conversation';

export interface RewindParts {
  readonly conversation: Pick<Conversation, 'session'>;
  readonly checkpoints: Pick<Checkpoints, 'restore'>;
}

/**
 * Before the user goes back to a message, or to a reply that they have mended: says what is left out besides its answer,
 * and asks whether the files that were changed since are put back, too. `false` where they go back to it no more, or where no file could be put back.
 */
export async function confirmRewind(
  entry: number,
  { conversation, checkpoints }: RewindParts,
): Promise<boolean> {
  const { transcript } = conversation.session;
  const isReply = transcript.entries[entry]?.type === 'reply';
  const changed = changedSince(transcript, entry);
  const later = transcript.entries.slice(entry + 1).filter(({ type }) => type === 'user').length;
  const loss =
    later === 1
      ? vscode.l10n.t('One later message and its answer are left out.')
      : vscode.l10n.t('{0} later messages and their answers are left out.', later);
  if (changed.length === 0) return later === 0 || asksForRewind(isReply, loss);
  const putBack = vscode.l10n.t('Put Back');
  const keep = vscode.l10n.t('Keep as They Are');
  const files = changed.map(({ display }) => visibleText(display)).join('\n');
  const answer = await vscode.window.showWarningMessage(
    isReply
      ? vscode.l10n.t('Files were changed after this reply. Put them back before you go on from here?')
      : vscode.l10n.t('Files were changed after this message. Put them back before you go on from here?'),
    { modal: true, detail: later === 0 ? files : `${files}\n\n${loss}` },
    putBack,
    keep,
  );
  return answer === putBack ? checkpoints.restore(entry) : answer === keep;
}

async function asksForRewind(isReply: boolean, detail: string): Promise<boolean> {
  const yes = vscode.l10n.t('Go Back');
  const question = isReply
    ? vscode.l10n.t('Go back to this reply?')
    : vscode.l10n.t('Go back to this message?');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
