import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { DiffView } from './diff-view';
import { Output } from './output';
import { Secrets } from './secrets';
import { registerIgnoredSettings, SettingsStore } from './settings';

/** What VS Code offers to every part of Parley. */
export interface Platform {
  readonly context: vscode.ExtensionContext;
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  readonly output: Output;
  readonly diffs: DiffView;
  /** Disposes of it when the extension ends, last first. */
  readonly own: <T extends vscode.Disposable>(part: T) => T;
}

/** The first floor. Nothing of it knows a feature. */
export function createPlatform(context: vscode.ExtensionContext): Platform {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const secrets = new Secrets(context.secrets);
  const output = own(new Output(secrets));
  const settings = own(new SettingsStore());
  const diffs = own(new DiffView());
  own(registerIgnoredSettings(context.workspaceState));
  own(registerCommands({ showCalls: () => output.showCalls(), showLog: () => output.showLog() }));
  return { context, settings, secrets, output, diffs, own };
}
