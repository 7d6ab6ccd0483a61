import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { WindowTools } from '../tools/window-tools';
import type { Output } from '../../platform/output';
import type { SettingsStore } from '../../platform/settings';

interface WatchParts {
  readonly settings: SettingsStore;
  readonly tools: Pick<WindowTools, 'sandbox'>;
  readonly output: Pick<Output, 'error'>;
}

/**
 * If the sandbox is on: cleans up after commands of a killed window, and tells the user once if it does not work.
 * Runs in the background.
 */
export function watchSandbox({ settings, tools, output }: WatchParts): vscode.Disposable {
  const store = new DisposableStore();
  let hasSaid = false;
  const look = async (): Promise<void> => {
    if (settings.get('sandbox.enabled') !== 'on' || !vscode.workspace.isTrusted) return;
    const sandbox = await tools.sandbox();
    if (!sandbox) return;
    const { tellRecovered, tellBroken } = await import('./sandbox-notices');
    await tellRecovered(sandbox);
    if (hasSaid) return;
    hasSaid = true;
    hasSaid = await tellBroken(sandbox);
  };
  const begin = (): void => void look().catch((error: unknown) => output.error(error));
  const first = setImmediate(begin);
  store.add({ dispose: () => clearImmediate(first) });
  store.add(settings.onChange(['sandbox.enabled'], begin));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(begin));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(begin));
  return store;
}
