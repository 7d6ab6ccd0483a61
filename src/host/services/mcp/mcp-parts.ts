import * as vscode from 'vscode';
import type { DiffView } from '../../platform/diff-view';
import type { Output } from '../../platform/output';
import type { Secrets } from '../../platform/secrets';
import type { SettingsStore } from '../../platform/settings';

export interface McpParts {
  readonly context: vscode.ExtensionContext;
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  readonly diffs: DiffView;
  readonly output: Pick<Output, 'error' | 'warn'>;
}
