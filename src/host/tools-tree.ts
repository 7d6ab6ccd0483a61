import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { Effect, Tool } from '../core/tool';
import { views } from '../manifest/views';
import { isAllowedTo, isOfferable, isSwitchedOn, type DiscoveredToolset } from '../tools/registry';
import { promptForm } from '../models/profiles';
import { countTokens } from '../node/tokens';
import type { Choices } from './choices';
import { loadProtocol } from './load-protocol';
import { toolCallConfig } from './run-setup';
import type { SettingsStore } from './settings';
import type { ToolToggles } from './tool-toggles';
import type { WindowTools } from './window-tools';

type Node = DiscoveredToolset | Tool;

/** About how many tokens a tool adds to every request, as things are now. */
type CostOf = (tool: Tool) => number;

export interface ToolsTreeParts {
  readonly tools: WindowTools;
  readonly settings: SettingsStore;
  readonly toggles: ToolToggles;
  readonly choices: Choices;
}

/** The discovered tools with their switches. A click writes the setting and stops; the tree follows the setting. */
export function registerToolsTree({ tools, settings, toggles, choices }: ToolsTreeParts): vscode.Disposable {
  const store = new DisposableStore();
  const toolsets = async (): Promise<readonly DiscoveredToolset[]> =>
    (await tools.get()).getDiscoveredMethods();
  const changed = store.add(new vscode.EventEmitter<undefined>());
  const costsNow = async (): Promise<CostOf> => {
    const protocol = await loadProtocol(choices.protocol);
    const form = choices.profile ? promptForm(choices.profile) : 'full';
    return (tool) => countTokens(protocol.describeTool(tool.spec, form));
  };
  const note = (tool: Tool): string | undefined => {
    if (tool.whyNotOffered !== undefined) return vscode.l10n.t('not offered');
    if (isAllowedTo(tool, toolCallConfig(settings, choices).agentTools)) return undefined;
    return vscode.l10n.t('not for the agent {0}', choices.agent.name);
  };
  const isOn = (tool: Tool): boolean =>
    isSwitchedOn(tool, {
      toolToggles: settings.get('toolCalling.toolToggles'),
      defaultToolEnabled: settings.get('toolCalling.defaultToolEnabled'),
    });

  const tree = store.add(
    vscode.window.createTreeView<Node>(views.tools.id, {
      manageCheckboxStateManually: true,
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getChildren: async (node) => {
          if (node === undefined) return [...(await toolsets())];
          return isToolset(node) ? [...node.methods] : [];
        },
        getTreeItem: async (node) => {
          const costOf = await costsNow();
          return isToolset(node)
            ? toolsetItem(node, isOn, costOf)
            : toolItem(node, isOn(node), costOf(node), note(node));
        },
      },
    }),
  );
  store.add(
    tree.onDidChangeCheckboxState(async ({ items }) => {
      try {
        for (const [node, state] of items) {
          const on = state === vscode.TreeItemCheckboxState.Checked;
          if (isToolset(node)) await toggles.setToolset(node.toolsetId, on);
          else await toggles.setTool(node.spec.name, on);
        }
      } finally {
        // VS Code has drawn the click already; where the setting did not follow, this puts the box back.
        changed.fire(undefined);
      }
    }),
  );
  store.add(tools.onChange(() => changed.fire(undefined)));
  const watched = ['toolCalling.toolToggles', 'toolCalling.defaultToolEnabled'] as const;
  store.add(settings.onChange(watched, () => changed.fire(undefined)));
  // Another protocol or model describes the tools in another way.
  store.add(choices.onChange(() => changed.fire(undefined)));
  return store;
}

function isToolset(node: Node): node is DiscoveredToolset {
  return 'methods' in node;
}

function toolsetItem(
  toolset: DiscoveredToolset,
  isOn: (tool: Tool) => boolean,
  costOf: CostOf,
): vscode.TreeItem {
  const offerable = toolset.methods.filter(isOfferable);
  const offered = offerable.filter(isOn);
  const on = offered.length;
  const cost = offered.reduce((sum, tool) => sum + costOf(tool), 0);
  const item = new vscode.TreeItem(toolset.toolsetId, vscode.TreeItemCollapsibleState.Expanded);
  item.id = toolset.toolsetId;
  item.description = vscode.l10n.t('{0} of {1} on', on, offerable.length);
  // A tooltip that is plain text would be read out in the place of the name.
  item.tooltip = new vscode.MarkdownString().appendText(costText(cost));
  item.checkboxState = checkbox(on === offerable.length, toolset.toolsetId);
  item.contextValue = 'toolset';
  return item;
}

const ICONS: Readonly<Record<Effect, string>> = {
  read: 'eye',
  write: 'edit',
  execute: 'terminal',
  network: 'globe',
};

function costText(cost: number): string {
  return vscode.l10n.t('About {0} tokens in every request', cost);
}

function toolItem(tool: Tool, isOn: boolean, cost: number, note: string | undefined): vscode.TreeItem {
  const { name, description } = tool.spec;
  const { whyNotOffered } = tool;
  const item = new vscode.TreeItem(name);
  item.id = `${tool.toolset}/${name}`;
  item.iconPath = new vscode.ThemeIcon(ICONS[tool.effect]);
  item.description = note ?? effectText(tool.effect);
  item.checkboxState = checkbox(isOn, name);
  item.tooltip = new vscode.MarkdownString()
    .appendMarkdown(`**${name}**\n\n`)
    .appendText(`${description}\n\n${whyNotOffered ?? costText(cost)}`);
  item.contextValue = 'tool';
  return item;
}

function effectText(effect: Effect): string {
  switch (effect) {
    case 'read':
      return vscode.l10n.t('reads');
    case 'write':
      return vscode.l10n.t('writes, asks first');
    case 'execute':
      return vscode.l10n.t('runs, asks first');
    case 'network':
      return vscode.l10n.t('network, asks first');
  }
}

function checkbox(isOn: boolean, name: string): NonNullable<vscode.TreeItem['checkboxState']> {
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  const label = isOn ? vscode.l10n.t('{0} is on', name) : vscode.l10n.t('{0} is off', name);
  return {
    state: isOn ? Checked : Unchecked,
    tooltip: label,
    accessibilityInformation: { label, role: 'checkbox' },
  };
}
