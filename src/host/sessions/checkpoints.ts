import * as vscode from 'vscode';
import { visibleText } from '../../base/text';
import { changedSince } from '../../core/transcript/file-changes';
import type { Conversation } from '../chat/conversation';
import type { CheckpointParts } from './restore-files';

/** Every message is a point to which the files that were changed since can be put back. The work is a bundle of its own. */
export class Checkpoints {
  private isBusy = false;

  constructor(private readonly parts: CheckpointParts) {}

  /**
   * Puts files back as they were before an entry of the shown conversation; without one the user chooses a message.
   * `false` where it was not begun: the user would rather not, or none can be.
   */
  async restore(entry?: number): Promise<boolean> {
    // What the user answers now belongs to the first one.
    if (this.isBusy) return false;
    this.isBusy = true;
    try {
      const { restoreFiles } = await import('./restore-files');
      return await restoreFiles(this.parts, entry);
    } finally {
      this.isBusy = false;
    }
  }

  /** Opens the diff of a file that the shown conversation has changed: what it was at first, and what it is now. */
  async showChange(path: string): Promise<void> {
    const { showChange } = await import('./restore-files');
    await showChange(this.parts, path);
  }
}

interface RewindParts {
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
      ? vscode.l10n.t('One later message and its answer are removed from the conversation.')
      : vscode.l10n.t('{0} later messages and their answers are removed from the conversation.', later);
  if (changed.length === 0) return later === 0 || asksForRewind(isReply, loss);
  const putBack = vscode.l10n.t('Restore');
  const keep = vscode.l10n.t('Keep Files');
  const files = changed.map(({ display }) => visibleText(display)).join('\n');
  const answer = await vscode.window.showWarningMessage(
    isReply
      ? vscode.l10n.t('Files were changed after this reply. Restore them before you continue from here?')
      : vscode.l10n.t('Files were changed after this message. Restore them before you continue from here?'),
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
