import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import { views } from '../../../manifest/views';
import type { DiscoveredToolset } from '../../../tools/registry';
import type { Choices } from '../../services/choices/choices';
import type { Mcp } from '../../services/mcp/mcp';
import { isConfigProblem, skillProblemRow, type ServerToolset } from '../../services/mcp/shown-server';
import type { SettingsStore } from '../../platform/settings';
import type { RowItems, TreeRow } from './row-items';
import { isToolset, OFFER_SETTINGS, type ToolToggles } from '../../services/tools/tool-toggles';
import { isRestricted } from '../../services/tools/restricted-mode';
import type { WindowTools } from '../../services/tools/window-tools';

interface ToolRowsParts {
  readonly tools: Pick<WindowTools, 'get' | 'onChange' | 'skillProblems'>;
  readonly mcp: Pick<Mcp, 'servers' | 'problems' | 'onDidChange'>;
  readonly settings: SettingsStore;
  readonly toggles: ToolToggles;
  readonly choices: Choices;
}

interface ToolsTreeParts extends ToolRowsParts {
  /** Fires when the chat opens: from then on the header shows how many tools are on. */
  readonly onChatOpened: vscode.Event<unknown>;
  readonly onError: (error: unknown) => void;
}

/**
 * The discovered tools with their check boxes. A click writes the setting and stops; the tree follows the setting.
 */
export function registerToolsTree(parts: ToolsTreeParts): vscode.Disposable {
  const { toggles } = parts;
  const store = new DisposableStore();
  const rows = store.add(new ToolRows(parts));
  const tree = store.add(
    vscode.window.createTreeView<TreeRow>(views.tools.id, {
      manageCheckboxStateManually: true,
      showCollapseAll: true,
      treeDataProvider: rows,
    }),
  );
  store.add(
    tree.onDidChangeCheckboxState(async ({ items }) => {
      // If a question must be answered first, the check box is reset while it is open.
      if (isRestricted()) rows.refresh();
      try {
        for (const [row, state] of items) {
          if (isConfigProblem(row)) continue;
          const on = state === vscode.TreeItemCheckboxState.Checked;
          if (isToolset(row)) await toggles.setToolset(row.toolsetId, on);
          else await toggles.setTool(row.spec.name, on);
        }
      } finally {
        // VS Code has drawn the click already; if the setting did not change, this resets the check box.
        rows.refresh();
      }
    }),
  );
  const showHeader = (): void => {
    rows.header().then((text) => {
      // A collapsed view shows its title, and no description.
      tree.title = vscode.l10n.t('Tools · {0}', text);
    }, parts.onError);
  };
  let isCounted = false;
  store.add(
    parts.onChatOpened(() => {
      isCounted = true;
      showHeader();
    }),
  );
  store.add(rows.onDidChangeTreeData(() => isCounted && showHeader()));
  const explain = (): void => {
    tree.message = explanation(parts.settings) ?? '';
  };
  explain();
  store.add(parts.settings.onChange(['toolCalling.enabled'], explain));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(explain));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(explain));
  return store;
}

/** Content of the tree, computed when it is shown. */
export class ToolRows implements vscode.TreeDataProvider<TreeRow>, vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());
  private items: RowItems | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly parts: ToolRowsParts) {
    const { tools, mcp, settings, choices } = parts;
    this.store.add(tools.onChange(() => this.refresh()));
    this.store.add(mcp.onDidChange(() => this.refresh()));
    this.store.add(settings.onChange(OFFER_SETTINGS, () => this.refresh()));
    // Another protocol or model describes the tools differently.
    this.store.add(choices.onChange(() => this.refresh()));
  }

  refresh(): void {
    this.items?.refresh();
    this.changed.fire(undefined);
  }

  async getChildren(row?: TreeRow): Promise<TreeRow[]> {
    if (row === undefined) {
      const { mcp, tools } = this.parts;
      const toolsets = withServers((await tools.get()).getDiscoveredMethods(), mcp.servers);
      return [...mcp.problems, ...(await tools.skillProblems()).map(skillProblemRow), ...toolsets];
    }
    return !isConfigProblem(row) && isToolset(row) ? [...row.methods] : [];
  }

  /** Text beside the title. */
  async header(): Promise<string> {
    const toolsets = (await this.parts.tools.get()).getDiscoveredMethods();
    const items = await this.loadItems();
    return items.header(toolsets.flatMap(({ methods }) => methods));
  }

  async getTreeItem(row: TreeRow): Promise<vscode.TreeItem> {
    return (await this.loadItems()).item(row);
  }

  async resolveTreeItem(item: vscode.TreeItem, row: TreeRow): Promise<vscode.TreeItem> {
    return (await this.loadItems()).withTooltip(item, row);
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Row rendering is loaded with the first row. */
  private async loadItems(): Promise<RowItems> {
    const { RowItems } = await import('./row-items');
    return (this.items ??= new RowItems(this.parts));
  }
}

/** Servers, even without tools, come before other toolsets, because they may wait for the user. */
function withServers(
  toolsets: readonly DiscoveredToolset[],
  servers: Mcp['servers'],
): readonly DiscoveredToolset[] {
  const ids = new Set(servers.map(({ toolsetId }) => toolsetId));
  return [
    ...servers.map((server): ServerToolset => {
      const { toolsetId } = server;
      const methods = toolsets.find((each) => each.toolsetId === toolsetId)?.methods ?? [];
      return { toolsetId, methods, server };
    }),
    ...toolsets.filter(({ toolsetId }) => !ids.has(toolsetId)),
  ];
}

/** A note above the rows if toggling them alone would change nothing. */
function explanation(settings: SettingsStore): string | undefined {
  if (!settings.get('toolCalling.enabled')) {
    return vscode.l10n.t('Tools are off. Turn on "parley.toolCalling.enabled" to offer them to models.');
  }
  if (!isRestricted()) return undefined;
  return vscode.l10n.t(
    'Restricted Mode: workspace settings are ignored. Click to choose where to save this.',
  );
}
