import type { CommandId } from '../../../manifest/commands';
import type { TreeRow } from './row-items';
import type { SettingsStore } from '../../platform/settings';
import type { Mcp } from '../../services/mcp/mcp';
import type { McpWindow } from '../../services/mcp/mcp-window';

/** Commands about MCP servers: for the server of a row, or without one for a server that the user picks. */
export function mcpActions(mcp: Mcp, settings: SettingsStore) {
  const act = (action: (window: McpWindow, name?: string) => Promise<void>) => async (row?: TreeRow) => {
    const window = await mcp.used();
    if (window) await action(window, nameIn(row));
  };
  const load = () => import('../../services/mcp/edit-config');
  return {
    manageMcpServers: async () => (await import('./manage-servers')).manageServers(mcp),
    openMcpConfig: async (row?: TreeRow) => {
      const name = nameIn(row);
      await (await load()).openConfig(name, name === undefined ? undefined : mcp.locationOf(name));
    },
    addMcpServer: async () => {
      const name = await (await load()).addServer(settings);
      if (name !== undefined) await mcp.approveNew(name);
    },
    approveMcpServer: act((window, name) => window.approve(name)),
    reviewMcpTools: act((window, name) => window.review(name)),
    signInMcpServer: act((window, name) => window.restart(name)),
    restartMcpServer: act((window, name) => window.restart(name)),
    stopMcpServer: act((window, name) => window.stop(name)),
    showMcpLog: act((window, name) => window.showLog(name)),
    signOutMcpServer: act((window, name) => window.signOut(name)),
    forgetMcpInputs: act((window, name) => window.forgetInputs(name)),
  } satisfies Partial<Record<CommandId, (...given: never[]) => unknown>>;
}

/** Callers of a command by its id may pass anything. */
function nameIn(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null || !('server' in row)) return undefined;
  const { server } = row;
  if (typeof server !== 'object' || server === null || !('name' in server)) return undefined;
  return typeof server.name === 'string' ? server.name : undefined;
}
