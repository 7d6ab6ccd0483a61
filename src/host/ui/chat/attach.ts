import path from 'node:path';
import * as vscode from 'vscode';
import type { Attachable } from '../../../contract/chat';
import { limits } from '../../../base/limits';
import { fencedText } from '../../platform/fenced-text';
import type { Platform } from '../../platform/platform';
import { changesText } from '../../services/git/changes-text';
import { readChanges } from '../../services/git/changes';
import { gitRepositories } from '../../services/git/git-extension';
import type { Services } from '../../services/services';
import { selectionText } from '../editor/from-editor';

/** What to put into the message box, or why there is nothing. */
interface Attached {
  readonly text?: string;
  readonly problem?: string;
}

/** Lets the user choose what a message gets. Images are attached at once. */
export async function attach(
  what: Attachable,
  parts: Pick<Platform, 'settings' | 'secrets'> & Pick<Services, 'attachments' | 'images' | 'saved'>,
  isForEarlier = false,
): Promise<Attached> {
  switch (what) {
    case 'files':
      return parts.attachments.mentionsOf(await chosen({ canSelectMany: true }));
    case 'folder':
      return parts.attachments.mentionsOf(await chosen({ canSelectFiles: false, canSelectFolders: true }));
    case 'selection':
      return some(selectionText());
    case 'changes':
      return attachChanges(parts);
    case 'image':
      return attachImages(parts.images, isForEarlier);
    case 'conversation':
      return some(await (await parts.saved.load()).pickAsText());
  }
}

function some(text: string | undefined): Attached {
  return text === undefined ? {} : { text };
}

async function chosen(options: vscode.OpenDialogOptions): Promise<readonly string[]> {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  const uris = await vscode.window.showOpenDialog({
    ...(first && { defaultUri: first.uri }),
    openLabel: vscode.l10n.t('Attach'),
    ...options,
  });
  return (uris ?? []).map((uri) => uri.toString());
}

async function attachImages(images: Services['images'], isForEarlier: boolean): Promise<Attached> {
  const filters = { [vscode.l10n.t('Images')]: ['png', 'jpg', 'jpeg', 'gif', 'webp'] };
  const problems: string[] = [];
  for (const address of await chosen({ canSelectMany: true, filters })) {
    const uri = vscode.Uri.parse(address);
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > limits.imageBytes) {
      problems.push(
        vscode.l10n.t('The image is too large. The limit is {0} MiB.', limits.imageBytes / 2 ** 20),
      );
      continue;
    }
    const data = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('base64');
    const problem = await images.add(path.posix.basename(uri.path), data, isForEarlier);
    if (problem !== undefined) problems.push(problem);
  }
  return problems.length === 0 ? {} : { problem: problems.join(' ') };
}

/** The changes of the only repository, or of all: without secret files, and cut to what a selection may have. */
async function attachChanges(parts: Pick<Platform, 'settings' | 'secrets'>): Promise<Attached> {
  const repositories = await gitRepositories();
  const texts: string[] = [];
  for (const repository of repositories) {
    const changes = await readChanges(repository, parts);
    if (changes.files.length + changes.secretFiles.length === 0) continue;
    const room = Math.floor(limits.attachedSelectionBytes / repositories.length);
    texts.push(changesText(changes, room, (text) => Buffer.byteLength(text)));
  }
  if (texts.length === 0) return { problem: vscode.l10n.t('There are no changes in a git repository here.') };
  return { text: fencedText(texts.join('\n\n'), 'diff') };
}
