import * as vscode from 'vscode';
import { views } from '../../../manifest/views';
import { registerCommands } from '../../platform/commands';
import type { Platform } from '../../platform/platform';
import type { Services } from '../../services/services';
import { isToolset, type ToolRow, type ToolToggles } from '../../services/tools/tool-toggles';
import { mcpActions } from './mcp-actions';
import { registerToolsTree } from './tools-tree';

interface ToolsParts {
  /** Fires whenever a page of the chat starts. */
  readonly onChatOpened: vscode.Event<unknown>;
  /** Opens the lab with this tool, a wire name. */
  readonly tryTool: (name: string) => Promise<void>;
}

/** The tree of tools and MCP servers, and commands on its rows. */
export function registerTools(
  platform: Platform,
  services: Services,
  { onChatOpened, tryTool }: ToolsParts,
): void {
  const { settings, output, own } = platform;
  const { toggles, mcp } = services;
  const onError = (error: unknown): void => output.error(error);
  own(registerToolsTree({ ...platform, ...services, onChatOpened, onError }));
  own(
    registerCommands({
      showTools: () => vscode.commands.executeCommand(`${views.tools.id}.focus`),
      enableAllTools: () => toggles.setAll(true),
      disableAllTools: () => toggles.setAll(false),
      resetToolToggles: () => toggles.reset(),
      ...toolRowActions(toggles, tryTool),
      ...mcpActions(mcp, settings),
    }),
  );
}

/** Commands on rows of the tools tree. Only the tree knows which row is meant. */
function toolRowActions(toggles: ToolToggles, tryTool: ToolsParts['tryTool']) {
  return {
    tryInLab: async (row?: ToolRow) => {
      if (row && !isToolset(row)) await tryTool(row.spec.name);
    },
    copyToolName: async (row?: ToolRow) => {
      if (row && !isToolset(row)) await vscode.env.clipboard.writeText(row.spec.name);
    },
    defineToolAlways: async (row?: ToolRow) => row && toggles.define(row, true),
    defineToolOnDemand: async (row?: ToolRow) => row && toggles.define(row, 'onDemand'),
    keepToolInWorkspace: async (row?: ToolRow) => row && toggles.keep(row, 'workspace'),
    keepToolForUser: async (row?: ToolRow) => row && toggles.keep(row, 'user'),
    resetTool: async (row?: ToolRow) => row && toggles.forget(row),
  };
}
