import type * as vscode from 'vscode';
import type { DiffView } from './diff-view';
import type { Output } from './output';
import type { Secrets } from './secrets';
import type { SettingsStore } from './settings';

/** What the window provides to every part of Parley. */
export interface WindowParts {
  readonly context: vscode.ExtensionContext;
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  readonly output: Output;
  readonly diffs: DiffView;
}
