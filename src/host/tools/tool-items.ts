import * as vscode from 'vscode';
import type { Effect, Tool } from '../../core/tool';
import { effectIcons } from '../../manifest/effect-icons';
import { grouped } from '../../tools/amounts';
import { isOfferable } from '../../tools/registry';
import type { SettingsPlace } from '../settings';
import type { ToolFacts } from './tool-facts';
import { translated } from '../translated';

/** VS Code draws no third state of a check box: where some tools are on, it is empty and a click switches on all. */
export function toolsetItem(
  id: string,
  all: readonly ToolFacts[],
  places: readonly SettingsPlace[],
): vscode.TreeItem {
  const offerable = all.filter(({ tool }) => isOfferable(tool));
  const on = offerable.filter(({ isOn }) => isOn);
  const cost = on.reduce((sum, facts) => sum + facts.cost, 0);
  const isWhole = on.length === offerable.length;
  const item = new vscode.TreeItem(id, vscode.TreeItemCollapsibleState.Expanded);
  item.id = id;
  const state = vscode.l10n.t('{0} of {1} on', on.length, offerable.length);
  const written = places.map(placeText);
  item.description = [state, ...(cost > 0 ? [tokensText(cost)] : []), ...written].join(' · ');
  const isMixed = on.length > 0 && !isWhole;
  const some = vscode.l10n.t('Some tools of {0} are on. A click switches on all.', id);
  item.checkboxState = checkbox(isWhole, isMixed ? some : onOrOff(id, isWhole));
  item.accessibilityInformation = {
    label: [vscode.l10n.t('{0}, toolset', id), state, costText(cost), ...written].join(', '),
  };
  item.contextValue = ['toolset', ...places].join(' ');
  return item;
}

export function toolItem(state: ToolFacts, places: readonly SettingsPlace[]): vscode.TreeItem {
  const { tool, isOn, cost } = state;
  const { name } = tool.spec;
  const item = new vscode.TreeItem(name);
  item.id = `${tool.toolset}/${name}`;
  const problem = whyUnavailable(state);
  // The colour of what is switched off and cannot be switched on.
  const colour = problem === undefined ? undefined : new vscode.ThemeColor('disabledForeground');
  item.iconPath = new vscode.ThemeIcon(effectIcons[tool.effect], colour);
  const written = places.map(placeText);
  // The icon tells the effect, too: in a narrow view that may be cut off.
  const facts = problem ? [problem.short, tokensText(cost)] : [tokensText(cost), effectText(tool.effect)];
  item.description = [...facts, ...written].join(' · ');
  item.checkboxState = checkbox(isOn, onOrOff(name, isOn));
  item.accessibilityInformation = {
    label: [
      name,
      isOn ? vscode.l10n.t('on') : vscode.l10n.t('off'),
      ...(problem ? [problem.sentence] : []),
      effectText(tool.effect),
      originText(tool),
      costText(cost),
      ...written,
    ].join(', '),
  };
  item.contextValue = ['tool', ...places].join(' ');
  return item;
}

/** Why models are not offered a tool, whatever its switch says. */
export function whyUnavailable({
  tool,
  notForAgent,
}: ToolFacts): { readonly short: string; readonly sentence: string } | undefined {
  const { whyNotOffered } = tool;
  if (whyNotOffered !== undefined) {
    return {
      short: vscode.l10n.t('not offered'),
      sentence: vscode.l10n.t('Not offered: {0}', translated(whyNotOffered)),
    };
  }
  if (notForAgent === undefined) return undefined;
  const sentence = vscode.l10n.t(
    'The agent {0} may not use it. Pick another agent in the chat.',
    notForAgent,
  );
  return { short: vscode.l10n.t('not for the agent {0}', notForAgent), sentence };
}

export function costText(cost: number): string {
  return vscode.l10n.t('About {0} tokens in every request', grouped(cost));
}

export function effectText(effect: Effect): string {
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

export function originText({ origin }: Tool): string {
  switch (origin?.type) {
    case undefined:
      return vscode.l10n.t('built in');
    case 'skills':
      return vscode.l10n.t('from skills');
    case 'extension':
      return origin.name === undefined
        ? vscode.l10n.t('from another extension')
        : vscode.l10n.t('from the extension {0}', origin.name);
    case 'mcp':
      return vscode.l10n.t('from the MCP server {0}', origin.server);
  }
}

function tokensText(cost: number): string {
  return vscode.l10n.t('{0} tokens', grouped(cost));
}

function placeText(place: SettingsPlace): string {
  return place === 'workspace' ? vscode.l10n.t('set for the workspace') : vscode.l10n.t('set for the user');
}

function onOrOff(name: string, isOn: boolean): string {
  return isOn ? vscode.l10n.t('{0} is on', name) : vscode.l10n.t('{0} is off', name);
}

function checkbox(isOn: boolean, label: string): NonNullable<vscode.TreeItem['checkboxState']> {
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  return {
    state: isOn ? Checked : Unchecked,
    tooltip: label,
    accessibilityInformation: { label, role: 'checkbox' },
  };
}
