import * as vscode from 'vscode';
import { visibleText } from '../../base/text';
import { whyNotOver } from '../../core/run/offer';
import type { JsonSchema } from '../../core/words/schema';
import type { Effect, Tool } from '../../core/words/tool';
import { effectIcons } from '../../manifest/language-model-tools';
import { promptForm } from '../../models/profiles';
import { countTokens } from '../../node/tokens';
import { typeText } from '../../protocols/prompt/describe';
import { isAllowedTo, isOfferable } from '../../tools/registry';
import { grouped } from '../../tools/text/amounts';
import type { Choices } from '../chat/choices';
import { loadProtocol, toolCallConfig } from '../chat/run-setup';
import type { SettingsPlace, SettingsStore } from '../window/settings';
import { translated } from '../window/translated';
import type { ToggleSource, ToolToggles } from './tool-toggles';

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

/** In characters. The rest a model reads, and nobody in a tooltip. */
const LONGEST_DESCRIPTION = 1_200;
const LONGEST_CELL = 300;

/** Everything about a tool: what it does, its arguments, what it costs and which setting switches it. */
export function toolTooltip(facts: ToolFacts): vscode.MarkdownString {
  const { tool, isOn, cost, source } = facts;
  const { name, description, parameters } = tool.spec;
  const problem = whyUnavailable(facts);
  const state = isOn ? vscode.l10n.t('On') : vscode.l10n.t('Off');
  const paragraphs = [
    `**${plain(name)}** · ${plain(effectText(tool.effect))} · ${plain(originText(tool))}`,
    ...(problem ? [`⚠ ${plain(problem.sentence)}`] : []),
    ...shortened(description, LONGEST_DESCRIPTION).split('\n').map(plain),
    argumentsTable(parameters),
    `${plain(costText(cost))}.`,
    `${state} ${plain(sourceText(source))}: \`parley.toolCalling.toolToggles\` → \`"${source?.key ?? name}"\``,
  ];
  return new vscode.MarkdownString(paragraphs.filter((each) => each !== '').join('\n\n'));
}

function sourceText(source: ToggleSource | undefined): string {
  if (source === undefined) return vscode.l10n.t('by default');
  return source.place === 'workspace'
    ? vscode.l10n.t("by the workspace's settings")
    : vscode.l10n.t('by your user settings');
}

function argumentsTable({ properties = {}, required = [] }: JsonSchema): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const is = required.includes(name) ? vscode.l10n.t('required') : vscode.l10n.t('optional');
    const cells = [plain(name), `${cell(typeText(schema))}, ${is}`, cell(schema.description ?? '')];
    return `| ${cells.join(' | ')} |`;
  });
  if (rows.length === 0) return plain(vscode.l10n.t('It takes no arguments.'));
  const head = [vscode.l10n.t('Argument'), vscode.l10n.t('Type'), vscode.l10n.t('Meaning')];
  return [`| ${head.join(' | ')} |`, '|:---|:---|:---|', ...rows].join('\n');
}

function cell(text: string): string {
  return plain(shortened(text, LONGEST_CELL));
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** As text, whoever wrote it: no links, no pictures, no markup, and on one line. */
function plain(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()#+\-.!~|<>:&]/g, String.raw`\$&`);
}

/** A tool as things are now. */
export interface ToolFacts {
  readonly tool: Tool;
  readonly isOn: boolean;
  /** About how many tokens it adds to every request. */
  readonly cost: number;
  /** Which setting switches it; none by default. */
  readonly source?: ToggleSource;
  /** Why it cannot be called over the picked protocol, in a sentence. */
  readonly notOverProtocol?: string;
  /** The name of the picked agent, where that may not use it. */
  readonly notForAgent?: string;
}

interface ToolFactsParts {
  readonly settings: SettingsStore;
  readonly toggles: Pick<ToolToggles, 'isOn' | 'sourceOf'>;
  readonly choices: Choices;
}

/** Looks at tools as the settings and the pickers have them. */
export class ToolLook {
  /** By tool and by what describes it: counting is the most work here. */
  private readonly costs = new WeakMap<Tool, { readonly by: string; readonly tokens: number }>();

  constructor(private readonly parts: ToolFactsParts) {}

  async now(): Promise<(tool: Tool) => ToolFacts> {
    const { settings, toggles, choices } = this.parts;
    const protocol = await loadProtocol(choices.protocol);
    const form = choices.profile ? promptForm(choices.profile) : 'full';
    const by = `${choices.protocol.id} ${form}`;
    const costOf = (tool: Tool): number => {
      const known = this.costs.get(tool);
      if (known?.by === by) return known.tokens;
      const tokens = countTokens(protocol.describeTool(tool.spec, form));
      this.costs.set(tool, { by, tokens });
      return tokens;
    };
    const { agentTools } = toolCallConfig(settings, choices);
    return (tool) => {
      const source = toggles.sourceOf(tool);
      const notOverProtocol = whyNotOver(protocol, tool.spec);
      return {
        tool,
        isOn: toggles.isOn(tool),
        cost: costOf(tool),
        ...(source && { source }),
        ...(notOverProtocol !== undefined && { notOverProtocol }),
        ...(!isAllowedTo(tool, agentTools) && { notForAgent: choices.agent.name }),
      };
    };
  }
}
