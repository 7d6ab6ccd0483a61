import * as vscode from 'vscode';
import { visibleText } from '../../../base/text';
import type { Toggle } from '../../../core/words/config';
import type { JsonSchema } from '../../../core/words/schema';
import type { Effect, Tool } from '../../../core/words/tool';
import { effectIcons } from '../../../manifest/language-model-tools';
import { typeText } from '../../../protocols/prompt/describe';
import { isOfferable } from '../../../tools/registry';
import { grouped } from '../../../tools/text/amounts';
import type { SettingsTarget } from '../../platform/settings';
import { translated } from '../../platform/translated';
import type { ToolFacts, ToolState } from '../../services/tools/tool-facts';

/** VS Code has no third state of a check box: if only some tools are on, it is empty and a click turns on all. */
export function toolsetItem(
  id: string,
  all: readonly ToolFacts[],
  targets: readonly SettingsTarget[],
): vscode.TreeItem {
  const offerable = all.filter(({ tool }) => isOfferable(tool));
  const on = offerable.filter(({ state }) => state !== 'off');
  const cost = on.reduce((sum, facts) => sum + facts.cost, 0);
  const isWhole = on.length === offerable.length;
  const item = new vscode.TreeItem(id, vscode.TreeItemCollapsibleState.Expanded);
  item.id = id;
  const state = countText(on, offerable.length);
  const written = targets.map(targetText);
  item.description = [state, ...(cost > 0 ? [tokensText(cost)] : []), ...written].join(' · ');
  const isMixed = on.length > 0 && !isWhole;
  const some = vscode.l10n.t('Some tools of {0} are on. Click to turn on all.', id);
  item.checkboxState = checkbox(isWhole, isMixed ? some : onOrOff(id, isWhole));
  item.accessibilityInformation = {
    label: [vscode.l10n.t('{0}, toolset', id), state, costText({ cost }), ...written].join(', '),
  };
  item.contextValue = contextValue('toolset', all, targets);
  return item;
}

/** How many are on, and how many of these on demand. */
function countText(on: readonly ToolFacts[], all: number): string {
  const onDemand = on.filter(({ state }) => state === 'onDemand').length;
  if (onDemand === 0) return vscode.l10n.t('{0} of {1} on', on.length, all);
  return onDemand === on.length
    ? vscode.l10n.t('{0} of {1} on, on demand', on.length, all)
    : vscode.l10n.t('{0} of {1} on, {2} of them on demand', on.length, all, onDemand);
}

export function toolItem(facts: ToolFacts, targets: readonly SettingsTarget[]): vscode.TreeItem {
  const { tool, state, cost } = facts;
  const { name } = tool.spec;
  const item = new vscode.TreeItem(name);
  item.id = `${tool.toolset}/${name}`;
  const problem = whyUnavailable(facts);
  // Color of tools that are on and cannot be turned off.
  const colour = problem === undefined ? undefined : new vscode.ThemeColor('disabledForeground');
  item.iconPath = new vscode.ThemeIcon(effectIcons[tool.effect], colour);
  const written = targets.map(targetText);
  // The icon shows the effect, too, because text may be cut off in a narrow view.
  item.description = [
    ...(problem ? [problem.short] : []),
    ...(state === 'onDemand' ? [stateText(state)] : []),
    tokensText(cost),
    ...(problem ? [] : [effectText(tool.effect)]),
    ...written,
  ].join(' · ');
  const isOn = state !== 'off';
  item.checkboxState = checkbox(isOn, onOrOff(name, isOn));
  item.accessibilityInformation = {
    label: [
      name,
      stateText(state),
      ...(problem ? [problem.sentence] : []),
      effectText(tool.effect),
      originText(tool),
      costText(facts),
      ...written,
    ].join(', '),
  };
  item.contextValue = contextValue('tool', [facts], targets);
  return item;
}

/** For the conditions of the menu: the kind of row, whether and where it has a toggle, and which. */
function contextValue(
  kind: 'tool' | 'toolset',
  tools: readonly ToolFacts[],
  targets: readonly SettingsTarget[],
): string {
  const said = (what: Toggle): boolean => tools.every(({ toggle }) => toggle === what);
  return [
    ...[kind, ...targets],
    ...(said(true) ? ['always'] : []),
    ...(said('onDemand') ? ['onDemand'] : []),
  ].join(' ');
}

export function stateText(state: ToolState): string {
  switch (state) {
    case 'on':
      return vscode.l10n.t('on');
    case 'onDemand':
      return vscode.l10n.t('on demand');
    case 'off':
      return vscode.l10n.t('off');
  }
}

/** Why a tool is not offered to models despite its toggle. */
export function whyUnavailable({
  tool,
  notOverProtocol,
  notForAgent,
}: ToolFacts): { readonly short: string; readonly sentence: string } | undefined {
  const { whyNotOffered = notOverProtocol } = tool;
  if (whyNotOffered !== undefined) {
    return {
      short: vscode.l10n.t('not offered'),
      sentence: vscode.l10n.t('Not offered: {0}', translated(whyNotOffered)),
    };
  }
  if (notForAgent === undefined) return undefined;
  const sentence = vscode.l10n.t(
    'The agent {0} may not use this tool. Pick another agent in the chat.',
    notForAgent,
  );
  return { short: vscode.l10n.t('not for the agent {0}', notForAgent), sentence };
}

export function costText({ cost, definitionCost }: Pick<ToolFacts, 'cost' | 'definitionCost'>): string {
  if (definitionCost === undefined) {
    return vscode.l10n.t('About {0} tokens in every request', grouped(Math.round(cost)));
  }
  const text = 'About {0} in every request, and {1} more after the model loads its definition';
  return vscode.l10n.t(text, tokensText(cost), tokensText(definitionCost));
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
  // If all tools of a server are listed in one line, the share of each may be smaller.
  const tokens = Math.max(1, Math.round(cost));
  return tokens === 1 ? vscode.l10n.t('1 token') : vscode.l10n.t('{0} tokens', grouped(tokens));
}

function targetText(target: SettingsTarget): string {
  return target === 'workspace' ? vscode.l10n.t('set for the workspace') : vscode.l10n.t('set for the user');
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

/** In characters. The rest is for models, not for tooltips. */
const LONGEST_DESCRIPTION = 1_200;
const LONGEST_CELL = 300;

/** Tooltip of a tool: what it does, its arguments, its cost and the setting that decides it. */
export function toolTooltip(facts: ToolFacts): vscode.MarkdownString {
  const { tool, source } = facts;
  const { name, description, parameters } = tool.spec;
  const problem = whyUnavailable(facts);
  const paragraphs = [
    `**${plain(name)}** · ${plain(effectText(tool.effect))} · ${plain(originText(tool))}`,
    ...(problem ? [`⚠ ${plain(problem.sentence)}`] : []),
    ...shortened(description, LONGEST_DESCRIPTION).split('\n').map(plain),
    argumentsTable(parameters),
    `${plain(costText(facts))}.`,
    `${stateStart(facts.state)} ${plain(sourceText(facts))}: \`parley.toolCalling.toolToggles\` → \`"${source?.key ?? name}"\``,
  ];
  return new vscode.MarkdownString(paragraphs.filter((each) => each !== '').join('\n\n'));
}

/** Capitalizes a sentence. */
function stateStart(state: ToolState): string {
  switch (state) {
    case 'on':
      return vscode.l10n.t('On');
    case 'onDemand':
      return vscode.l10n.t('On demand');
    case 'off':
      return vscode.l10n.t('Off');
  }
}

function sourceText({ source, state, toggle }: ToolFacts): string {
  if (source === undefined) return vscode.l10n.t('by default');
  // The settings say something else, so the agent decides.
  if (state === 'onDemand' && toggle !== state) return vscode.l10n.t('by the agent');
  return source.target === 'workspace'
    ? vscode.l10n.t("by the workspace's settings")
    : vscode.l10n.t('by your user settings');
}

function argumentsTable(parameters: JsonSchema): string {
  const { properties = {}, required = [] } = parameters;
  const rows = Object.entries(properties).map(([name, schema]) => {
    const is = required.includes(name) ? vscode.l10n.t('required') : vscode.l10n.t('optional');
    const cells = [
      plain(name),
      `${cell(typeText(schema, parameters))}, ${is}`,
      cell(schema.description ?? ''),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  if (rows.length === 0) return plain(vscode.l10n.t('This tool has no arguments.'));
  const head = [vscode.l10n.t('Argument'), vscode.l10n.t('Type'), vscode.l10n.t('Meaning')];
  return [`| ${head.join(' | ')} |`, '|:---|:---|:---|', ...rows].join('\n');
}

function cell(text: string): string {
  return plain(shortened(text, LONGEST_CELL));
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** As plain text: no links, images or markup, on one line. */
function plain(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()#+\-.!~|<>:&]/g, String.raw`\$&`);
}
