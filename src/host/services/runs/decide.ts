import * as vscode from 'vscode';
import type { SessionOptions } from '../../../core/session';
import type { WorkspacePermissions } from '../choices/workspace-permissions';
import type { Mcp } from '../mcp/mcp';
import type { Output } from '../../platform/output';
import type { SettingsStore } from '../../platform/settings';

interface KeepGrantParts {
  readonly settings: SettingsStore;
  readonly mcp: Pick<Mcp, 'allowTool'>;
  readonly permissions: WorkspacePermissions;
  readonly output: Pick<Output, 'error'>;
}

/**
 * Saves lasting grants: rules in the user's settings or, for this workspace, in Parley's storage, tools of servers beside
 * them; never in a folder of a workspace.
 */
export function keepGrant({
  settings,
  mcp,
  permissions,
  output,
}: KeepGrantParts): NonNullable<SessionOptions['keep']> {
  return async (grant) => {
    try {
      if (grant.type === 'allow-mcp-tool') await mcp.allowTool(grant.digest);
      else if (grant.scope === 'workspace') await permissions.add(grant);
      else
        await settings.addForUser(
          'approvals.allowCommands',
          grant.rules.map(({ text }) => text),
        );
    } catch (error) {
      // The call itself was approved and runs; only the next one asks again.
      output.error(error);
      const text =
        grant.type === 'allow-mcp-tool'
          ? 'Your permission could not be saved, so the tool will ask again. See the log for details.'
          : 'The rule could not be saved in "parley.approvals.allowCommands", so the command will ask again. Check your user settings.';
      void vscode.window.showWarningMessage(vscode.l10n.t(text));
    }
  };
}
