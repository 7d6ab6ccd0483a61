import * as vscode from 'vscode';
import type { ToolOffer } from '../core/agent';
import { configFor } from '../core/agent-profile';
import type { ToolCallConfig } from '../core/config';
import { buildInstructions, type RulesFile } from '../core/prompt';
import type { RunSetup } from '../core/session';
import { contextWindow, promptForm } from '../models/profiles';
import { countTokens } from '../node/tokens';
import { limits } from '../policy/limits';
import { suggestProtocol } from '../protocols/choose';
import type { Choices } from './choices';
import { toolFolders } from './files/local-folders';
import type { RequestLog } from './inspector/request-log';
import { loadProtocol } from './load-protocol';
import type { Mcp } from './mcp/mcp';
import { profileProblem } from './models/profile-problem';
import type { Secrets } from './secrets';
import type { SettingsStore } from './settings';
import type { WindowContext } from './attachments/window-context';
import type { WindowTools } from './tools/window-tools';

export interface RunParts {
  readonly settings: SettingsStore;
  readonly choices: Choices;
  readonly secrets: Secrets;
  readonly tools: WindowTools;
  readonly mcp: Pick<Mcp, 'ready'>;
  readonly context: Pick<WindowContext, 'rules'>;
  readonly requests: RequestLog;
}

/** Puts together what one run needs, from the settings as they are now. */
export async function prepareRun(
  parts: RunParts,
  signal: AbortSignal,
): Promise<RunSetup | { readonly problem: string }> {
  const { settings, choices, secrets, requests } = parts;
  const [malformed] = settings.problems();
  if (malformed !== undefined) return { problem: malformed };
  if (!choices.knowsAgent) {
    const text = 'There is no agent "{0}". Pick another one, or add it to "parley.agents" in your settings.';
    return { problem: vscode.l10n.t(text, choices.agentId) };
  }
  const { profile } = choices;
  if (!profile) {
    const text = 'There is no model "{0}". Pick another one, or add it to "parley.models" in your settings.';
    return { problem: vscode.l10n.t(text, choices.modelId) };
  }
  const wrong = profileProblem(profile, settings.get('models'));
  if (wrong !== undefined) return { problem: wrong };
  const { buildPatientModel } = await import('./models/build-model');
  const model = await buildPatientModel(profile, secrets, (body, request) => requests.addBody(body, request));
  const protocol = await loadProtocol(choices.protocol);
  // A message may be sent right after the window was opened.
  await parts.mcp.ready(AbortSignal.any([signal, AbortSignal.timeout(limits.mcpRunWaitsMs)]));
  const tools = await parts.tools.get();
  const config = (): ToolCallConfig => toolCallConfig(settings, choices);
  return {
    model,
    protocol,
    promptForm: promptForm(profile),
    window: contextWindow(profile, countTokens),
    suggestProtocol: (seen) => suggestProtocol(seen, profile.model ?? ''),
    instructions: instructions(parts, config(), tools, await parts.context.rules()),
    tools,
    config,
    onRequest: (request, reply) => requests.add(request, reply),
    budget: () => ({
      tokens: settings.get('budget.tokens'),
      minutes: settings.get('budget.minutes'),
      cost: settings.get('budget.cost'),
    }),
  };
}

function instructions(
  { settings, choices }: RunParts,
  config: ToolCallConfig,
  tools: ToolOffer,
  rules: readonly RulesFile[],
): string {
  return buildInstructions({
    roots: toolFolders(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.name),
    platform: process.platform,
    hasTools: config.enabled && tools.offered(config).length > 0,
    rules,
    instructions: [choices.agent.instructions, settings.get('instructions')].filter(Boolean).join('\n\n'),
  });
}

/** The settings as the picked agent uses them. */
export function toolCallConfig(settings: SettingsStore, choices: Choices): ToolCallConfig {
  return { ...configFor(choices.agent, configOf(settings)), mode: choices.mode };
}

/** The settings alone. */
export function configOf(settings: Pick<SettingsStore, 'get'>): ToolCallConfig {
  return {
    enabled: settings.get('toolCalling.enabled'),
    mode: settings.get('toolCalling.mode'),
    toolToggles: settings.get('toolCalling.toolToggles'),
    defaultToolEnabled: settings.get('toolCalling.defaultToolEnabled'),
    maxIterations: settings.get('toolCalling.maxIterations'),
    timeout: settings.get('toolCalling.timeout'),
    requireConfirmation: settings.get('toolCalling.requireConfirmation'),
    parallelExecution: settings.get('toolCalling.parallelExecution'),
    recovery: settings.get('toolCalling.recovery'),
    strictness: settings.get('toolCalling.strictness'),
  };
}
