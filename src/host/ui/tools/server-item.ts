import * as vscode from 'vscode';
import { never } from '../../../base/never';
import type { ServerState } from '../../../mcp/ports';
import type { ToolFacts } from '../../services/tools/tool-facts';
import { toolsetItem } from './tool-items';
import type { SettingsTarget } from '../../platform/settings';
import {
  shownName,
  shownProblem,
  type ConfigProblemRow,
  type ServerToolset,
} from '../../services/mcp/shown-server';

/** A server with its tools as a row of the Tools view: like a toolset, with its state. */
export function serverItem(
  { server, toolsetId }: ServerToolset,
  tools: readonly ToolFacts[],
  targets: readonly SettingsTarget[],
): vscode.TreeItem {
  const name = shownName(server.name);
  const { state } = server;
  const item = tools.length > 0 ? toolsetItem(toolsetId, tools, targets) : new vscode.TreeItem(name);
  const tellsTools = item.accessibilityInformation?.label;
  item.id = toolsetId;
  item.label = name;
  item.iconPath = iconOf(state);
  // Collapsed, because some have dozens of tools and come before all others.
  if (tools.length > 0) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  const flaws = server.flaws.slice(0, MOST_FLAWS).map(shownProblem);
  item.description = [stateText(state), item.description, flaws[0]].filter(Boolean).join(' · ');
  const lines = [
    vscode.l10n.t('{0}, MCP server', name),
    stateText(state),
    ...flaws,
    ...(tellsTools ? [tellsTools] : []),
  ];
  item.accessibilityInformation = { label: lines.join(', ') };
  // As plain text, because a server contributes to it.
  item.tooltip = lines.join('\n');
  const kind = item.contextValue ?? 'server';
  const kept = [...(server.hasInputs ? ['inputs'] : []), ...(server.isSignedIn ? ['signedIn'] : [])];
  item.contextValue = [kind, 'mcp', ...actionsOf(state), ...kept].join(' ');
  return item;
}

/** Sentences about the lists of a server in its tooltip. */
const MOST_FLAWS = 10;

export function configProblemItem({ configProblem, location, isSkill }: ConfigProblemRow): vscode.TreeItem {
  const item = new vscode.TreeItem(configProblem);
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  item.tooltip = configProblem;
  item.contextValue = 'problem';
  if (isSkill) return item;
  item.command = location
    ? {
        command: 'vscode.open',
        title: vscode.l10n.t('Open'),
        arguments: [location.uri, { selection: location.range }],
      }
    : {
        command: 'workbench.action.openSettings',
        title: vscode.l10n.t('Open Settings'),
        arguments: ['parley.mcp.servers'],
      };
  return item;
}

/** State of a server, in a few words; an error in one sentence. */
export function stateText(state: ServerState): string {
  switch (state.type) {
    case 'stopped':
      return vscode.l10n.t('stopped');
    case 'unapproved':
      return state.isChanged
        ? vscode.l10n.t('changed, needs your approval')
        : vscode.l10n.t('needs your approval');
    case 'starting':
      return state.output === undefined
        ? vscode.l10n.t('starting')
        : vscode.l10n.t('starting: {0}', shownProblem(state.output));
    case 'signing-in':
      return vscode.l10n.t('sign-in required');
    case 'running':
      return state.changed.length === 0
        ? vscode.l10n.t('running')
        : vscode.l10n.t('{0} changed, review needed', state.changed.length);
    case 'restarting':
      return vscode.l10n.t('restarts in {0} s', Math.ceil(state.inMs / 1_000));
    case 'failed':
      return shownProblem(state.problem);
    default:
      return never(state);
  }
}

function iconOf(state: ServerState): vscode.ThemeIcon {
  const icon = (id: string, colour?: string): vscode.ThemeIcon =>
    new vscode.ThemeIcon(id, colour === undefined ? undefined : new vscode.ThemeColor(colour));
  switch (state.type) {
    case 'stopped':
      return icon('debug-stop', 'disabledForeground');
    case 'unapproved':
      return icon('shield', 'list.warningForeground');
    case 'starting':
    case 'restarting':
      return icon('loading~spin');
    case 'signing-in':
      return icon('account', 'list.warningForeground');
    case 'running':
      return state.changed.length > 0 ? icon('warning', 'list.warningForeground') : icon('server-process');
    case 'failed':
      return icon('error', 'list.errorForeground');
    default:
      return never(state);
  }
}

export type ServerAction = 'approve' | 'review' | 'signIn' | 'restart' | 'stop';

/** Actions on a server in this state, as the conditions of the buttons name them. */
export function actionsOf(state: ServerState): readonly ServerAction[] {
  switch (state.type) {
    case 'unapproved':
      return ['approve'];
    case 'stopped':
    case 'failed':
      return ['restart'];
    case 'signing-in':
      return ['signIn', 'stop'];
    case 'running':
      return [...(state.changed.length > 0 ? (['review'] as const) : []), 'restart', 'stop'];
    case 'starting':
    case 'restarting':
      return ['restart', 'stop'];
    default:
      return never(state);
  }
}
