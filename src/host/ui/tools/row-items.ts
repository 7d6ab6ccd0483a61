import * as vscode from 'vscode';
import { shortTokens } from '../../../base/short-tokens';
import type { Tool } from '../../../core/words/tool';
import { isOfferable, type DiscoveredToolset } from '../../../tools/registry';
import { configProblemItem, serverItem } from './server-item';
import { isConfigProblem, type ConfigProblemRow, type ServerToolset } from '../../services/mcp/shown-server';
import { ToolLook, type ToolFacts, type ToolLookParts } from '../../services/tools/tool-facts';
import { toolItem, toolsetItem, toolTooltip } from './tool-items';
import { isToolset, type ToolRow, type ToolToggles } from '../../services/tools/tool-toggles';

/** The content of a row. */
export type TreeRow = ToolRow | ConfigProblemRow;

interface RowItemsParts extends ToolLookParts {
  readonly toggles: Pick<ToolToggles, 'isOn' | 'sourceOf' | 'targetsOf'>;
}

/** Creates rows of the tree. */
export class RowItems {
  private readonly look: ToolLook;
  /** Cached until something changes, because VS Code asks for each row. */
  private facts: Promise<(tool: Tool) => ToolFacts> | undefined;

  constructor(private readonly parts: RowItemsParts) {
    this.look = new ToolLook(parts);
  }

  /** The facts have changed. */
  refresh(): void {
    this.facts = undefined;
  }

  async item(row: TreeRow): Promise<vscode.TreeItem> {
    if (isConfigProblem(row)) return configProblemItem(row);
    const factsOf = await this.factsNow();
    const targets = this.parts.toggles.targetsOf(row);
    if (!isToolset(row)) return toolItem(factsOf(row), targets);
    const tools = row.methods.map(factsOf);
    return isServer(row) ? serverItem(row, tools, targets) : toolsetItem(row.toolsetId, tools, targets);
  }

  /** Only the hovered row gets a tooltip. */
  async withTooltip(item: vscode.TreeItem, row: TreeRow): Promise<vscode.TreeItem> {
    if (isConfigProblem(row) || item.tooltip !== undefined) return item;
    item.tooltip = isToolset(row)
      ? new vscode.MarkdownString(item.accessibilityInformation?.label)
      : toolTooltip((await this.factsNow())(row));
    return item;
  }

  /** Description of the view: how many tools are on, and their cost. */
  async header(all: readonly Tool[]): Promise<string> {
    const factsOf = await this.factsNow();
    const offerable = all.filter(isOfferable).map(factsOf);
    const on = offerable.filter(({ state }) => state !== 'off');
    const cost = Math.round(on.reduce((sum, facts) => sum + facts.cost, 0));
    const count = vscode.l10n.t('{0} of {1} on', on.length, offerable.length);
    return cost === 0 ? count : `${count} · ${vscode.l10n.t('{0} tokens', shortTokens(cost))}`;
  }

  private factsNow(): Promise<(tool: Tool) => ToolFacts> {
    const facts = (this.facts ??= this.look.now());
    facts.catch(() => {
      // A failed load may succeed when the next row is requested.
      if (this.facts === facts) this.facts = undefined;
    });
    return facts;
  }
}

function isServer(row: DiscoveredToolset): row is ServerToolset {
  return 'server' in row;
}
