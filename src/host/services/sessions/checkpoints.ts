import * as vscode from 'vscode';
import { visibleName } from '../../../base/text';
import { changedSince } from '../../../core/transcript/file-changes';
import type { Conversation } from '../conversation/conversation';
import type { CheckpointParts } from './restore-files';

/**
 * Every message is a checkpoint to which files changed since can be restored. The implementation is a separate
 * bundle.
 */
export class Checkpoints {
  private isBusy = false;

  constructor(private readonly parts: CheckpointParts) {}

  /**
   * Restores files to before an entry of the current conversation; without an entry the user picks a message. `false`
   * if it did not start: the user cancelled, or nothing can be restored.
   */
  restore(entry?: number): Promise<boolean> {
    return this.unlessRestoring(async () =>
      (await import('./restore-files')).restoreFiles(this.parts, entry),
    );
  }

  /** Undoes what was done to these files from an entry on and is still offered. */
  undo(paths: readonly string[], entry: number): Promise<boolean> {
    return this.unlessRestoring(async () =>
      (await import('./restore-files')).undoChanges(this.parts, paths, entry),
    );
  }

  /** The user's next answers belong to the first restore. */
  private async unlessRestoring(restore: () => Promise<boolean>): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    try {
      return await restore();
    } finally {
      this.isBusy = false;
    }
  }

  /** Opens the diff of a file that the current conversation has changed: original and current version. */
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
 * Before the user goes back to a message or an edited reply: says what is removed, and asks whether to restore files
 * changed since. `false` if they cancel, or if no file could be restored.
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
  const restore = vscode.l10n.t('Restore');
  const keep = vscode.l10n.t('Keep Files');
  const files = changed.map(({ display }) => visibleName(display)).join('\n');
  const answer = await vscode.window.showWarningMessage(
    isReply
      ? vscode.l10n.t('Files were changed after this reply. Restore them before you continue from here?')
      : vscode.l10n.t('Files were changed after this message. Restore them before you continue from here?'),
    { modal: true, detail: later === 0 ? files : `${files}\n\n${loss}` },
    restore,
    keep,
  );
  return answer === restore ? checkpoints.restore(entry) : answer === keep;
}

async function asksForRewind(isReply: boolean, detail: string): Promise<boolean> {
  const yes = vscode.l10n.t('Go Back');
  const question = isReply
    ? vscode.l10n.t('Go back to this reply?')
    : vscode.l10n.t('Go back to this message?');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
