import * as vscode from 'vscode';
import { visibleText } from '../../../base/text';
import type { SettingsStore } from '../../platform/settings';
import type { StandingGrant } from '../../../core/session';
import type { Grant } from '../../../core/words/verdict';
import type { Conversation } from '../../services/conversation/conversation';
import type { WorkspacePermissions } from '../../services/choices/workspace-permissions';

interface Parts {
  readonly conversation: Pick<Conversation, 'session'>;
  readonly permissions: WorkspacePermissions;
  readonly settings: SettingsStore;
}

/** A permission in the list, and how it is taken back. */
interface Row extends vscode.QuickPickItem {
  readonly takeBack?: () => Promise<void> | void;
}

/** Lists what the user has allowed, where and since when, and takes it back. */
export async function managePermissions(parts: Parts): Promise<void> {
  for (;;) {
    const rows = rowsOf(parts);
    const isEmpty = rows.length === 0;
    const picked = await vscode.window.showQuickPick(
      isEmpty ? [{ label: vscode.l10n.t('Nothing is allowed beyond the defaults.') }] : rows,
      {
        title: vscode.l10n.t('Permissions'),
        placeHolder: isEmpty ? '' : vscode.l10n.t('Select a permission to take it back'),
      },
    );
    if (!picked?.takeBack) return;
    await picked.takeBack();
  }
}

function rowsOf({ conversation, permissions, settings }: Parts): readonly Row[] {
  const { session } = conversation;
  const inSession = session.grants.map((standing): Row => ({
    label: grantText(standing.grant),
    description: sinceText(vscode.l10n.t('in this session'), standing.since),
    takeBack: () => session.revoke(standing),
  }));
  const inWorkspace = permissions.rules.map(({ text, since }): Row => ({
    label: visibleText(text),
    description: sinceText(vscode.l10n.t('in this workspace'), since),
    takeBack: () => permissions.remove(text),
  }));
  const always = settings.get('approvals.allowCommands').map((text): Row => ({
    label: visibleText(text),
    description: vscode.l10n.t('in every workspace, in your settings'),
    takeBack: () => settings.removeForUser('approvals.allowCommands', text),
  }));
  return [...inSession, ...inWorkspace, ...always];
}

function sinceText(where: string, since: StandingGrant['since']): string {
  return vscode.l10n.t('{0}, since {1}', where, new Date(since).toLocaleString(vscode.env.language));
}

function grantText(grant: Grant): string {
  switch (grant.type) {
    case 'edits-in-session':
      return vscode.l10n.t('Edits in the workspace');
    case 'moves-in-session':
      return vscode.l10n.t('Moves and deletions in the workspace');
    case 'read-file-in-session':
    case 'read-folder-in-session':
      return vscode.l10n.t('Reading {0}', visibleText(grant.path));
    case 'fetch-origin-in-session':
      return vscode.l10n.t('Fetching from {0}', visibleText(grant.origin));
    case 'allow-commands':
      return visibleText(grant.rules.map(({ text }) => text).join(', '));
    case 'allow-mcp-tool':
      return visibleText(`${grant.server}: ${grant.tool}`);
    case 'mcp-server-in-session':
      return vscode.l10n.t('All tools of {0}', visibleText(grant.server));
  }
}
