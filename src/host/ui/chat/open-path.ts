import * as vscode from 'vscode';
import type { PathTarget } from '../../../base/path-links';
import { noticeText } from '../../../base/text';
import { ToolError } from '../../../core/words/tool';
import type { Files, Place } from '../../../tools/ports/files';
import { resourceAt } from '../../platform/files/virtual-files';
import { translated } from '../../platform/translated';

/**
 * Opens a file that a text names, at its line, or shows a folder in the Explorer. The text may be a model's: the path is
 * resolved as for a tool that reads, and what a tool would ask about is asked here, too.
 */
export async function openPath(target: PathTarget, files: Files): Promise<void> {
  try {
    const place = await files.resolve(target.path, 'read');
    const info = await files.stat(place);
    if (!info) await tellMissing(target.path);
    else if (!(await mayBeOpened(place))) return;
    else if (info.kind === 'folder') await revealFolder(place);
    else if (info.kind === 'file') await openFile(place, target);
    else tell(vscode.l10n.t('{0} is not a file.', place.display));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    tell(error.message);
  }
}

async function openFile(place: Place, { line, column = 1 }: PathTarget): Promise<void> {
  const at = line === undefined ? undefined : new vscode.Position(line - 1, column - 1);
  const options = { preview: true, ...(at && { selection: new vscode.Range(at, at) }) };
  await vscode.commands.executeCommand('vscode.open', resourceAt(place.resolved), options);
}

async function revealFolder(place: Place): Promise<void> {
  await vscode.commands.executeCommand('revealInExplorer', resourceAt(place.resolved));
}

/** A program may have named it from another folder. */
async function tellMissing(path: string): Promise<void> {
  const find = vscode.l10n.t('Find File');
  const text = vscode.l10n.t('Nothing is at {0}.', path);
  if ((await vscode.window.showInformationMessage(noticeText(text), find)) !== find) return;
  await vscode.commands.executeCommand('workbench.action.quickOpen', path.split(/[\\/]/).at(-1));
}

async function mayBeOpened({ display, verdict }: Place): Promise<boolean> {
  if (verdict.decision === 'auto') return true;
  const open = vscode.l10n.t('Open');
  const question = vscode.l10n.t('Open {0}?', noticeText(display));
  const options = { modal: true, detail: noticeText(translated(verdict.reason)) };
  return (await vscode.window.showWarningMessage(question, options, open)) === open;
}

function tell(text: string): void {
  void vscode.window.showInformationMessage(noticeText(translated(text)));
}
