import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { views } from '../manifest/views';
import type { Choices } from './choices';
import { isRestricted } from './place-for-click';
import type { SettingsStore } from './settings';
import { ToolLook } from './tool-facts';
import { toolItem, toolsetItem } from './tool-items';
import { isToolset, type ToolRow, type ToolToggles } from './tool-toggles';
import { toolTooltip } from './tool-tooltip';
import type { WindowTools } from './window-tools';

export interface ToolsTreeParts {
  readonly tools: Pick<WindowTools, 'get' | 'onChange'>;
  readonly settings: SettingsStore;
  readonly toggles: ToolToggles;
  readonly choices: Choices;
}

/** The discovered tools with their switches. A click writes the setting and stops; the tree follows the setting. */
export function registerToolsTree(parts: ToolsTreeParts): vscode.Disposable {
  const { toggles } = parts;
  const store = new DisposableStore();
  const rows = store.add(new ToolRows(parts));
  const tree = store.add(
    vscode.window.createTreeView<ToolRow>(views.tools.id, {
      manageCheckboxStateManually: true,
      showCollapseAll: true,
      treeDataProvider: rows,
    }),
  );
  store.add(
    tree.onDidChangeCheckboxState(async ({ items }) => {
      // Where nothing will be written without a question, the box goes back while it is open.
      if (isRestricted()) rows.refresh();
      try {
        for (const [row, state] of items) {
          const on = state === vscode.TreeItemCheckboxState.Checked;
          if (isToolset(row)) await toggles.setToolset(row.toolsetId, on);
          else await toggles.setTool(row.spec.name, on);
        }
      } finally {
        // VS Code has drawn the click already; where the setting did not follow, this puts the box back.
        rows.refresh();
      }
    }),
  );
  const explain = (): void => {
    tree.message = explanation(parts.settings) ?? '';
  };
  explain();
  store.add(parts.settings.onChange(['toolCalling.enabled'], explain));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(explain));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(explain));
  return store;
}

/** What the tree shows, computed when it is shown. */
export class ToolRows implements vscode.TreeDataProvider<ToolRow>, vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());
  private readonly look: ToolLook;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly parts: ToolsTreeParts) {
    const { tools, settings, choices } = parts;
    this.look = new ToolLook(parts);
    this.store.add(tools.onChange(() => this.refresh()));
    const watched = ['toolCalling.toolToggles', 'toolCalling.defaultToolEnabled'] as const;
    this.store.add(settings.onChange(watched, () => this.refresh()));
    // Another protocol or model describes the tools in another way.
    this.store.add(choices.onChange(() => this.refresh()));
  }

  refresh(): void {
    this.changed.fire(undefined);
  }

  async getChildren(row?: ToolRow): Promise<ToolRow[]> {
    if (row === undefined) return [...(await this.parts.tools.get()).getDiscoveredMethods()];
    return isToolset(row) ? [...row.methods] : [];
  }

  async getTreeItem(row: ToolRow): Promise<vscode.TreeItem> {
    const factsOf = await this.look.now();
    const places = this.parts.toggles.placesOf(row);
    return isToolset(row)
      ? toolsetItem(row.toolsetId, row.methods.map(factsOf), places)
      : toolItem(factsOf(row), places);
  }

  /** Only what the pointer rests on gets a tooltip. */
  async resolveTreeItem(item: vscode.TreeItem, row: ToolRow): Promise<vscode.TreeItem> {
    const factsOf = await this.look.now();
    item.tooltip = isToolset(row)
      ? new vscode.MarkdownString(item.accessibilityInformation?.label)
      : toolTooltip(factsOf(row));
    return item;
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** What stands above the rows where switching them alone would change nothing. */
function explanation(settings: SettingsStore): string | undefined {
  if (!settings.get('toolCalling.enabled')) {
    return vscode.l10n.t('Models are offered no tools: "parley.toolCalling.enabled" is off.');
  }
  if (!isRestricted()) return undefined;
  return vscode.l10n.t(
    'Restricted Mode: settings of this workspace do not count. A click asks where to keep it.',
  );
}
