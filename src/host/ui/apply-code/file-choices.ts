import * as vscode from 'vscode';
import { ToolError } from '../../../core/words/tool';
import type { Files } from '../../../tools/ports/files';
import type { WindowContext } from '../../services/attachments/window-context';
import { pathOf } from '../../platform/files/virtual-files';
import { namedPaths } from './named-path';
import type { Selected } from './new-text';
import { isDiff, readDiff } from './unified-diff';

/** A code block of a reply, as it was shown. */
export interface ProposedCode {
  readonly code: string;
  /** Text after its fence. */
  readonly info: string;
  /** The line before it. */
  readonly before: string;
}

/** Number of open files offered without a search. */
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

/** Files named in the reply come first, then the active editor, then other open files. */
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

/** For a path that may not be written: it is not offered. */
export function refused(error: unknown): undefined {
  if (!(error instanceof ToolError)) throw error;
}

function openFiles(): readonly string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap(({ input }) =>
    input instanceof vscode.TabInputText && input.uri.scheme !== 'untitled' ? [pathOf(input.uri)] : [],
  );
}

/** A file that may be the target. */
interface FileChoice {
  /** Path as the path resolver expects it. */
  readonly path: string;
  /** Label for the user. */
  readonly label: string;
  readonly description: string;
}

interface PathItem extends vscode.QuickPickItem {
  readonly path: string;
}

/**
 * Lets the user choose a file: a likely one, best first, any other of the workspace by part of its path, or a new one
 * by its full path. Nothing if the user cancels.
 */
export function pickFile(
  choices: readonly FileChoice[],
  context: Pick<WindowContext, 'complete'>,
): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<PathItem>();
  pick.title = vscode.l10n.t('Apply this code to which file?');
  pick.placeholder = vscode.l10n.t('Type to find another file, or the path of a new one');
  pick.ignoreFocusOut = true;
  pick.items = choices;
  const search = async (query: string): Promise<void> => {
    const found = query === '' ? [] : await context.complete(query, 'file');
    // Another search has started.
    if (!found || pick.value.trim() !== query) return;
    const others = found.filter(({ path }) => !choices.some(({ label }) => label === path));
    const isKnown = found.some(({ path }) => path === query) || choices.some(({ label }) => label === query);
    pick.items = [
      ...choices,
      // Matched by our own search, which the list does not know.
      ...others.map(({ path }) => ({ path, label: path, alwaysShow: true })),
      ...(query === '' || isKnown || /[\\/]$/.test(query)
        ? []
        : [{ path: query, label: query, description: vscode.l10n.t('New file'), alwaysShow: true }]),
    ];
  };
  return new Promise((resolve, reject) => {
    pick.onDidChangeValue(
      (value) =>
        void search(value.trim()).catch((error: unknown) => {
          reject(error instanceof Error ? error : new Error(String(error)));
          pick.hide();
        }),
    );
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.path);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
