import * as vscode from 'vscode';
import { never } from '../../../base/never';
import { noticeText, visibleText } from '../../../base/text';
import {
  changedFiles,
  changesSince,
  offeredChanges,
  type NetChange,
  isRestorable,
  restorableEntries,
} from '../../../core/transcript/file-changes';
import type { Transcript } from '../../../core/transcript/transcript';
import type { LeftFile, Restore } from '../../../core/words/events';
import { ABSENT, type FileChange, type FileImage } from '../../../core/words/file-change';
import { ToolError } from '../../../core/words/tool';
import { imageName } from '../../../node/surroundings';
import {
  startedChange,
  planRestore,
  restoreFile,
  type Obstacle,
  type Shelf,
} from '../../../tools/files/restore-file';
import { tellBusy, type Conversation } from '../conversation/conversation';
import { shownText } from '../../platform/files/restore-in-editor';
import { resourceAt } from '../../platform/files/virtual-files';
import type { WindowTools } from '../tools/window-tools';
import type { DiffView } from '../../platform/diff-view';
import { decideOnDoubts } from './doubtful-files';
import type { SavedSessions } from './saved-sessions';

/**
 * Restores files to before an entry: asks first about files changed by others, and reports those that cannot be
 * restored. `false` if it did not start; true if nothing is left to restore.
 */
export async function restoreFiles(parts: CheckpointParts, given: number | undefined): Promise<boolean> {
  const { session } = parts.conversation;
  if (session.isBusy) {
    tellBusy(session);
    return false;
  }
  const entry = given ?? (await chooseMessage(session.transcript));
  // The page sends only a number; its meaning is looked up here.
  if (entry === undefined || !isRestorable(session.transcript, entry)) return false;
  return restoreChanges(parts, entry, changesSince(session.transcript, entry));
}

/** The same for some of the files, as far as the user does not keep what was done to them. */
export async function undoChanges(
  parts: CheckpointParts,
  paths: readonly string[],
  entry: number,
): Promise<boolean> {
  const { session } = parts.conversation;
  if (session.isBusy) {
    tellBusy(session);
    return false;
  }
  const changes = offeredChanges(session.transcript, entry).filter(({ path }) => paths.includes(path));
  return changes.length > 0 && restoreChanges(parts, entry, changes);
}

async function restoreChanges(
  parts: CheckpointParts,
  entry: number,
  changes: readonly NetChange[],
): Promise<boolean> {
  const { session } = parts.conversation;
  const shelf = await shelfOf(parts);
  const isReplaced = (): boolean => parts.conversation.session !== session;
  const plan = await planRestore(changes, shelf);
  const left = plan.left.map(({ change, why }) => ({ display: change.display, reason: obstacleText(why) }));
  const decided = await decideOnDoubts(plan.files, { shelf, diffs: parts.diffs });
  if (!decided) return false;
  left.push(...decided.left);
  if (decided.files.length === 0) {
    tellNothingDone(left);
    return left.length === 0;
  }
  const begin: Restore = {
    type: 'restore',
    entry,
    changes: decided.files.map((file) => startedChange(file, shelf)),
  };
  if (isReplaced()) {
    tell(
      vscode.l10n.t(
        'Another session was opened, so no files were restored. Open the previous session to try again.',
      ),
    );
    return false;
  }
  if (!session.restored(begin)) {
    tellBusy(session);
    return false;
  }
  const done: FileChange[] = [];
  const work = async (): Promise<void> => {
    for (const file of decided.files) {
      // The rest would be neither reported nor saved.
      if (isReplaced()) break;
      const { change, why } = await restoreFile(file, shelf);
      done.push(change);
      if (why) left.push({ display: change.display, reason: obstacleText(why) });
    }
  };
  try {
    // The intent is recorded before the restore.
    await parts.saved.flush();
    const title = vscode.l10n.t('Restoring files');
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, work);
  } finally {
    session.restored(ended(begin, done, left));
  }
  if (isReplaced()) {
    const [made, all] = [done.length, decided.files.length];
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'Another session was opened while files were being restored: {0} of {1} are done. Open the previous session to restore the rest.',
        made,
        all,
      ),
    );
  } else if (left.length > decided.left.length) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('Some files could not be restored. See the chat for details.'),
    );
  }
  return true;
}

/** Opens the diff editor for a file that the conversation has changed. */
export async function showChange(parts: CheckpointParts, path: string): Promise<void> {
  const change = changedFiles(parts.conversation.session.transcript).find((each) => each.path === path);
  if (!change) return;
  const { files, images } = await shelfOf(parts);
  const before = change.before === ABSENT ? new Uint8Array() : await images.read(change.before);
  if (!before) {
    tell(vscode.l10n.t('{0}: {1}', change.display, obstacleText({ type: 'unkept' })));
    return;
  }
  const uri = resourceAt(path);
  try {
    const place = await files.resolve(path, 'read');
    if (place.resolved !== path) throw new ToolError(`${change.display}: ${obstacleText({ type: 'moved' })}`);
    const isThere = (await files.stat(place))?.kind === 'file';
    await parts.diffs.compare({
      path: change.display,
      before: await shownText(before, uri),
      after: isThere ? uri : '',
      title: vscode.l10n.t('{0} (before this conversation ↔ now)', change.display),
    });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    tell(error.message);
  }
}

/** Saves with the session that is shown now, and nothing once another one is. */
async function shelfOf({ conversation, tools, saved }: CheckpointParts): Promise<Shelf> {
  const { session } = conversation;
  const keeper = await saved.load();
  return {
    files: await tools.files(),
    images: {
      nameOf: imageName,
      keep: async (bytes) => conversation.session === session && (await saved.keepImage(bytes)),
      read: (image: FileImage) => keeper.image(image),
    },
  };
}

/** Only files with a different version now count as changed. */
function ended(begin: Restore, done: Restore['changes'], left: readonly LeftFile[]): Restore {
  const { type, entry } = begin;
  const changes = done.filter(({ before, after }) => before !== after);
  return { type, entry, changes, ...(left.length > 0 && { left }) };
}

async function chooseMessage(transcript: Transcript): Promise<number | undefined> {
  const restorable = restorableEntries(transcript);
  const items = transcript.entries.flatMap((entry, index) => {
    if (!restorable.has(index) || entry.type === 'restore') return [];
    const names = changesSince(transcript, index).map(({ display }) => display);
    const [label = ''] =
      entry.type === 'user'
        ? visibleText(entry.text).trim().split('\n')
        : [vscode.l10n.t('The messages removed by going back')];
    return [{ label, detail: names.join(', '), index }];
  });
  if (items.length === 0) {
    tell(vscode.l10n.t('No files were changed in this session.'));
    return undefined;
  }
  const title = vscode.l10n.t('Restore files to before which message?');
  return (await vscode.window.showQuickPick(items.reverse(), { title }))?.index;
}

function obstacleText(why: Obstacle): string {
  switch (why.type) {
    case 'unkept':
      return vscode.l10n.t(
        'The earlier content was not saved: it was not a regular file, too large, contained a key, or could not be stored.',
      );
    case 'full':
      return vscode.l10n.t(
        'This folder was deleted or moved, and its files were too many or too large to save.',
      );
    case 'moved':
      return vscode.l10n.t('The file, or a folder in its path, is now a link.');
    case 'altered':
      return vscode.l10n.t('Another program changed the file right after it was restored.');
    case 'unsaved':
      return vscode.l10n.t('The current content could not be saved, so the file was not changed.');
    case 'failed':
      return visibleText(why.message);
    default:
      return never(why);
  }
}

function tellNothingDone(left: readonly LeftFile[]): void {
  if (left.length === 0) {
    tell(vscode.l10n.t('The files already have that content.'));
    return;
  }
  const reasons = left.slice(0, 5).map(({ display, reason }) => `${display}: ${reason}`);
  void vscode.window.showWarningMessage(
    vscode.l10n.t('No files were restored. {0}', noticeText(reasons.join(' '))),
  );
}

/** Nothing waits for the user to read it. */
function tell(text: string): void {
  void vscode.window.showInformationMessage(text);
}

export interface CheckpointParts {
  readonly conversation: Conversation;
  readonly saved: SavedSessions;
  readonly tools: WindowTools;
  readonly diffs: DiffView;
}
