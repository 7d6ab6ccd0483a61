import * as vscode from 'vscode';
import type { DiffView } from '../window/diff-view';
import type { Output } from '../window/output';
import type { Secrets } from '../window/secrets';
import type { SettingsStore } from '../window/settings';

export interface McpParts {
  readonly context: vscode.ExtensionContext;
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  readonly diffs: DiffView;
  readonly output: Pick<Output, 'error' | 'warn'>;
}
