import * as vscode from 'vscode';
import { ToolError } from '../../core/tool';
import type { Files } from '../../tools/workspace';
import { namedPaths } from './named-path';
import type { Selected } from './new-text';
import type { FileChoice } from './pick-file';
import { isDiff, readDiff } from './unified-diff';
import { pathOf } from '../files/virtual-path';

/** A block of code of a reply, as it was shown. */
export interface ProposedCode {
  readonly code: string;
  /** What stands behind its fence. */
  readonly info: string;
  /** The line before it. */
  readonly before: string;
}

/** So many open files are offered by themselves. */
const OPEN_FILES = 10;

/** The file in the active editor. */
export interface ActiveFile {
  readonly path: string;
  readonly selected: Selected | undefined;
}

export function activeFile(): ActiveFile | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.isUntitled) return undefined;
  const { selection } = editor;
  return { path: pathOf(editor.document.uri), selected: selection.isEmpty ? undefined : selection };
}

/** What the reply names comes first, then what the user looks at, then what else is open. */
export async function fileChoices(
  proposed: ProposedCode,
  active: ActiveFile | undefined,
  files: Files,
): Promise<readonly FileChoice[]> {
  const { code, info } = proposed;
  const inDiff = isDiff(code, info) ? readDiff(code)?.path : undefined;
  const named = [...(inDiff === undefined ? [] : [{ path: inDiff, isSure: true }]), ...namedPaths(proposed)];
  const choices = new Map<string, FileChoice>();
  const add = async (path: string, describe: (isThere: boolean) => string | undefined): Promise<void> => {
    const place = await files.resolve(path, 'write').catch(refused);
    const kind = place && (await files.stat(place))?.kind;
    const description = place && (kind === undefined || kind === 'file') && describe(kind === 'file');
    if (!place || typeof description !== 'string' || choices.has(place.resolved)) return;
    choices.set(place.resolved, { path: place.resolved, label: place.display, description });
  };
  for (const { path, isSure } of named) {
    await add(path, (isThere) => {
      if (isThere) return vscode.l10n.t('Named in the reply');
      return isSure ? vscode.l10n.t('Named in the reply, new file') : undefined;
    });
  }
  if (active) {
    const { selected } = active;
    const description = selected
      ? vscode.l10n.t('Active editor, selected text')
      : vscode.l10n.t('Active editor');
    await add(active.path, (isThere) => (isThere ? description : undefined));
  }
  for (const path of openFiles().slice(0, OPEN_FILES))
    await add(path, (isThere) => (isThere ? vscode.l10n.t('Open') : undefined));
  return [...choices.values()];
}

/** For a place where nothing may be written: it is not offered. */
export function refused(error: unknown): undefined {
  if (!(error instanceof ToolError)) throw error;
}

function openFiles(): readonly string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap(({ input }) =>
    input instanceof vscode.TabInputText && input.uri.scheme !== 'untitled' ? [pathOf(input.uri)] : [],
  );
}
