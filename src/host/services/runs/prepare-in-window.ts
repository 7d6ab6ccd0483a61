import { fallbacksOf } from '../../../models/profiles';
import * as vscode from 'vscode';
import { prepareRun } from '../../../agent/prepare-run';
import { limits } from '../../../base/limits';
import type { RunSetup } from '../../../core/run/agent-options';
import type { ToolCallConfig } from '../../../core/words/config';
import { countTokens } from '../../../node/tokens';
import type { WindowContext } from '../attachments/window-context';
import { toolFolders } from '../../platform/local-folders';
import type { RequestLog } from '../conversation/request-log';
import type { Mcp } from '../mcp/mcp';
import type { ModelServers } from '../models/model-servers';
import { profileProblem } from '../models/profile-problem';
import { summaryModel } from '../choices/summary-model';
import type { WindowTools } from '../tools/window-tools';
import type { Secrets } from '../../platform/secrets';
import type { SettingsStore } from '../../platform/settings';
import type { Choices } from '../choices/choices';
import { toolCallConfig, windowBudget } from '../choices/run-setup';
import { windowHooks, type HookParts } from '../choices/window-hooks';

interface RunParts extends HookParts {
  readonly settings: SettingsStore;
  readonly choices: Choices;
  readonly secrets: Secrets;
  readonly tools: WindowTools;
  readonly mcp: Pick<Mcp, 'ready'>;
  readonly attachments: Pick<WindowContext, 'rules' | 'folderRules'>;
  readonly requests: RequestLog;
  readonly servers: ModelServers;
}

/**
 * What one run needs, by the current settings and choices; a sentence if it cannot start. A preview sends nothing, so it
 * asks no server.
 */
export async function prepareInWindow(
  parts: RunParts,
  signal: AbortSignal,
  { isPreview = false } = {},
): Promise<RunSetup | { readonly problem: string }> {
  const { settings, choices, secrets, requests, servers } = parts;
  const [malformed] = settings.problems();
  if (malformed !== undefined) return { problem: malformed };
  if (!choices.knowsAgent) {
    const text = 'There is no agent "{0}". Pick another one, or add it to "parley.agents" in your settings.';
    return { problem: vscode.l10n.t(text, choices.agentId) };
  }
  const { profile: wanted } = choices;
  if (!wanted) {
    const text = 'There is no model "{0}". Pick another one, or add it to "parley.models" in your settings.';
    return { problem: vscode.l10n.t(text, choices.modelId) };
  }
  const wrong = profileProblem(wanted, settings.get('models'));
  if (wrong !== undefined) return { problem: wrong };
  const { windowAccess, probeServer } = await import('../models/open-in-window');
  if (!isPreview) await probeServer(wanted, servers, signal);
  // A message may be sent right after the window opened.
  await parts.mcp.ready(AbortSignal.any([signal, AbortSignal.timeout(limits.mcpRunWaitsMs)]));
  const rules = await parts.attachments.rules();
  const access = windowAccess({
    secrets,
    facts: servers.facts,
    onSend: (body, request) => requests.addBody(body, request),
  });
  const all = settings.get('models');
  const fallbacks = fallbacksOf(wanted, all).filter((each) => profileProblem(each, all) === undefined);
  return prepareRun({
    // Includes what the server just reported.
    profile: choices.profile ?? wanted,
    access,
    fallbacks: fallbacks.map((each) => ({ profile: servers.known(each), access })),
    countTokens,
    protocol: choices.isProtocolOpen ? 'auto' : choices.protocol.id,
    facts: {
      roots: toolFolders(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.name),
      platform: process.platform,
      rules,
      agent: choices.agent.instructions,
      instructions: settings.get('instructions'),
    },
    tools: {
      offer: await parts.tools.get(),
      config: (): ToolCallConfig => toolCallConfig(settings, choices),
      folderRules: parts.attachments.folderRules(rules.reduce((sum, { text }) => sum + text.length, 0)),
      ...windowHooks(parts),
    },
    project: await parts.tools.projectFiles(signal),
    budget: () => windowBudget(settings),
    ...summaryModel(parts),
    onRequest: (request, reply) => requests.add(request, reply),
  });
}
