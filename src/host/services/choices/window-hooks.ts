import * as vscode from 'vscode';
import type { Hooks } from '../../../core/run/hooks';
import { programHooks } from '../../../node/hooks';
import { localFolders } from '../../platform/local-folders';
import type { Output } from '../../platform/output';
import type { Secrets } from '../../platform/secrets';
import type { SettingsStore } from '../../platform/settings';

export interface HookParts {
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly secrets: Pick<Secrets, 'redact'>;
  readonly output: Pick<Output, 'info'>;
}

/** Hooks of the user's current settings. */
export function windowHooks({ settings, secrets, output }: HookParts): { readonly hooks?: Hooks } {
  const hooks = programHooks(settings.get('hooks'), {
    roots: localFolders(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
    isTrusted: () => vscode.workspace.isTrusted,
    redact: (text) => secrets.redact(text),
    log: (line) => output.info(line),
  });
  return hooks ? { hooks } : {};
}
