import * as vscode from 'vscode';
import type { CommandId } from '../../manifest/commands';

/** Arguments from VS Code depend on where a command is invoked. */
type Action = (...given: never[]) => unknown;

/** Registers commands of the manifest. Each feature has its own. */
export function registerCommands(actions: Readonly<Partial<Record<CommandId, Action>>>): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(actions).map(([id, action]) => vscode.commands.registerCommand(`parley.${id}`, action)),
  );
}
