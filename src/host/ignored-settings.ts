import * as vscode from 'vscode';
import { settings } from '../manifest/settings';
import { localFolders } from './files/local-folders';

const SHOWN = 'ignoredSettings';

/**
 * Says once when a workspace brings values for what only the user decides. VS Code drops such values before anyone can
 * ask for them, so the files themselves are looked at.
 */
export function registerIgnoredSettings(memory: vscode.Memento): vscode.Disposable {
  void tell(memory);
  return vscode.workspace.onDidChangeWorkspaceFolders(() => void tell(memory));
}

async function tell(memory: vscode.Memento): Promise<void> {
  const texts = await Promise.all(settingsFiles().map(readStart));
  const ignored = userKeys().filter((key) => texts.some((text) => text.includes(`"${key}"`)));
  const shown = ignored.join(' ');
  if (shown === '' || memory.get(SHOWN) === shown) return;
  // Before it is shown: whoever leaves it open has seen it all the same.
  await memory.update(SHOWN, shown);
  const open = vscode.l10n.t('Open User Settings');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'This workspace tries to set {0}. Parley takes these from your user settings only and ignores them here.',
      ignored.join(', '),
    ),
    open,
  );
  if (answer === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'parley');
}

function settingsFiles(): readonly vscode.Uri[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const ofFolders = localFolders(workspaceFolders).map(({ uri }) =>
    vscode.Uri.joinPath(uri, '.vscode', 'settings.json'),
  );
  return workspaceFile?.scheme === 'file' ? [...ofFolders, workspaceFile] : ofFolders;
}

/** Longer settings are no settings; a file that is not there brings none. */
const LONGEST = 1024 * 1024;

async function readStart(file: vscode.Uri): Promise<string> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(file);
    if (type !== vscode.FileType.File || size > LONGEST) return '';
    return Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return '';
    throw error;
  }
}

function userKeys(): readonly string[] {
  return Object.entries(settings).flatMap(([key, { scope }]) => (scope === 'user' ? [`parley.${key}`] : []));
}
