import * as vscode from 'vscode';
import { noticeText } from '../../../base/text';
import type { ApprovalFiles } from '../../../mcp/approval-files';
import type { Pins } from '../../../mcp/pins';
import { ServerProblem } from '../../../mcp/ports';
import type { McpServer } from '../../../mcp/server';
import type { DiffView } from '../../platform/diff-view';
import { shownDefinition } from './shown-definition';
import { shownName } from './shown-server';

interface ApproveParts {
  readonly approvals: Pick<ApprovalFiles, 'last'>;
  readonly diffs: DiffView;
  /** Whether the server still exists: its definition may have been changed meanwhile. */
  readonly isCurrent: (server: McpServer) => boolean;
}

/** Shows the whole definition of a server, or its changes, and starts it if the user agrees. */
export async function approveServer(server: McpServer, parts: ApproveParts): Promise<void> {
  const { approvals, diffs, isCurrent } = parts;
  const name = shownName(server.name);
  const definition = await definitionOf(server);
  if (definition === undefined) return;
  const before = await approvals.last(server.configured);
  const path = pathOf(name);
  if (before === undefined || before === definition) {
    await diffs.open({ path, text: shownDefinition(definition) });
  } else {
    const title = vscode.l10n.t('{0}: approved before ↔ now', name);
    await diffs.compare({ path, before: shownDefinition(before), after: shownDefinition(definition), title });
  }
  const start = { label: vscode.l10n.t('Start'), detail: whatItDoes(server) };
  const answer = await pick(
    vscode.l10n.t('Start the MCP server {0} with the configuration shown in the editor?', name),
    [start, { label: vscode.l10n.t("Don't Start") }],
  );
  if (answer !== start) return;
  if ((await definitionOf(server)) !== definition || !isCurrent(server)) {
    const text =
      'The configuration of {0} changed after it was shown, so the server was not started. Review it again.';
    void vscode.window.showWarningMessage(vscode.l10n.t(text, noticeText(name)));
    return;
  }
  await server.approve(definition);
}

/** Nothing if it cannot be started; the user is told why. */
async function definitionOf(server: McpServer): Promise<string | undefined> {
  try {
    return await server.definitionToApprove();
  } catch (error) {
    if (!(error instanceof ServerProblem)) throw error;
    const text = vscode.l10n.t('{0}: {1}', noticeText(shownName(server.name)), noticeText(error.message));
    void vscode.window.showErrorMessage(text);
    return undefined;
  }
}

function whatItDoes({ configured: { definition } }: McpServer): string {
  return definition.type === 'http'
    ? vscode.l10n.t('The server receives what models send to its tools. Each tool asks before it runs.')
    : vscode.l10n.t('The server runs with your full permissions. Each of its tools asks before it runs.');
}

/** Shows the changed tools of a server, and turns them on again if the user accepts. */
export async function reviewTools(server: McpServer, diffs: DiffView): Promise<void> {
  const name = shownName(server.name);
  const { before, after } = server.difference();
  await diffs.compare({
    path: pathOf(name),
    before: shownPins(before),
    after: shownPins(after),
    title: vscode.l10n.t('Tools of {0}: seen before ↔ now', name),
  });
  const accept = {
    label: vscode.l10n.t('Accept'),
    detail: vscode.l10n.t('Models are then offered the changed tools.'),
  };
  const question = vscode.l10n.t('Accept the changed tools of the MCP server {0}?', name);
  if ((await pick(question, [accept, { label: vscode.l10n.t('Keep Off') }])) === accept)
    await server.acceptChanges(after);
}

function shownPins({ instructions, tools }: Pins): string {
  const parsed = Object.entries(tools).map(([name, text]) => [name, JSON.parse(text) as unknown] as const);
  return shownDefinition(JSON.stringify({ instructions, tools: Object.fromEntries(parsed) }, undefined, 2));
}

/** Without an extension: JSON with folded lines is invalid. */
function pathOf(name: string): string {
  return vscode.l10n.t('{0} (MCP server)', name.replace(/[\\/]/g, '_'));
}

/** The question stays until it is answered, beside its subject. */
function pick<Item extends vscode.QuickPickItem>(
  title: string,
  items: readonly Item[],
): Thenable<Item | undefined> {
  return vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
}
