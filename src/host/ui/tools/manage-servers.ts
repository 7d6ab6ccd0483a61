import * as vscode from 'vscode';
import type { CommandId } from '../../../manifest/commands';
import { onOneLine } from '../../platform/input-text';
import type { Mcp } from '../../services/mcp/mcp';
import type { ShownServer } from '../../services/mcp/shown-server';
import { actionsOf, stateText, type ServerAction } from './server-item';

interface CommandItem extends vscode.QuickPickItem {
  readonly command: CommandId;
}

/** Lists the MCP servers with their states, then what can be done with the picked one, and does it. */
export async function manageServers(mcp: Mcp): Promise<void> {
  if (!(await mcp.used())) return;
  const servers = mcp.servers.map((server) => ({
    label: onOneLine(server.name),
    description: onOneLine(stateText(server.state)),
    server,
  }));
  const title = vscode.l10n.t('MCP Servers');
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { readonly server?: ShownServer }>(
    [...servers, { label: '', kind: vscode.QuickPickItemKind.Separator }, ...itemsOf(['add', 'open'])],
    { title, placeHolder: vscode.l10n.t('Select a server to see what you can do with it') },
  );
  if (!picked) return;
  const { server } = picked;
  if (!server) return run(picked);
  // Its state may have changed while the list was open.
  const current = mcp.servers.find(({ name }) => name === server.name) ?? server;
  const action = await vscode.window.showQuickPick(itemsOf(allActionsOf(current)), {
    title: onOneLine(server.name),
    placeHolder: onOneLine(stateText(current.state)),
  });
  if (action) await run(action, current);
}

type ListedAction = ServerAction | 'log' | 'open' | 'add' | 'clearInputs' | 'signOut';

function allActionsOf({ state, hasInputs, isSignedIn }: ShownServer): readonly ListedAction[] {
  const stored = [
    ...(hasInputs ? ['clearInputs' as const] : []),
    ...(isSignedIn ? ['signOut' as const] : []),
  ];
  return [...actionsOf(state), 'log', 'open', ...stored];
}

function itemsOf(actions: readonly ListedAction[]): readonly CommandItem[] {
  const all: Readonly<Record<ListedAction, CommandItem>> = {
    approve: { label: vscode.l10n.t('Review and Start…'), command: 'approveMcpServer' },
    review: { label: vscode.l10n.t('Review Changed Tools…'), command: 'reviewMcpTools' },
    signIn: { label: vscode.l10n.t('Sign In'), command: 'signInMcpServer' },
    restart: { label: vscode.l10n.t('Restart'), command: 'restartMcpServer' },
    stop: { label: vscode.l10n.t('Stop'), command: 'stopMcpServer' },
    log: { label: vscode.l10n.t('Show Log'), command: 'showMcpLog' },
    open: { label: vscode.l10n.t('Open Configuration'), command: 'openMcpConfig' },
    add: { label: vscode.l10n.t('Add Server…'), command: 'addMcpServer' },
    clearInputs: { label: vscode.l10n.t('Clear Saved Inputs'), command: 'forgetMcpInputs' },
    signOut: { label: vscode.l10n.t('Sign Out'), command: 'signOutMcpServer' },
  };
  return actions.map((action) => all[action]);
}

/** As if the user had clicked it in the row of the server. */
async function run(item: vscode.QuickPickItem, server?: ShownServer): Promise<void> {
  if (!isCommand(item)) return;
  await vscode.commands.executeCommand(`parley.${item.command}`, server && { server });
}

function isCommand(item: vscode.QuickPickItem): item is CommandItem {
  return 'command' in item;
}
