import * as vscode from 'vscode';
import { visibleText } from '../../base/visible-text';
import type { JsonSchema } from '../../core/schema';
import { typeText } from '../../protocols/describe';
import type { ToolFacts } from './tool-facts';
import { costText, effectText, originText, whyUnavailable } from './tool-items';
import type { ToggleSource } from './tool-toggles';

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
