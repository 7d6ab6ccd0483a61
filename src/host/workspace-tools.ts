import type * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { builtInTools } from '../tools';
import type { ToolSource } from '../tools/registry';
import type { SettingsStore } from './settings';
import { hostSurroundings } from './surroundings';

export interface WorkspaceTools extends ToolSource, Disposable {
  /** Ends what runs in the background. */
  endCommands(): Promise<void>;
}

/** The built-in tools over this window's files, searches and processes. A bundle of its own: nothing needs it before a run. */
export function workspaceTools(context: vscode.ExtensionContext, settings: SettingsStore): WorkspaceTools {
  const surroundings = hostSurroundings(context, settings);
  const tools = builtInTools(surroundings);
  return {
    tools: () => tools,
    endCommands: () => surroundings.endCommands(),
    dispose: () => surroundings.dispose(),
  };
}
