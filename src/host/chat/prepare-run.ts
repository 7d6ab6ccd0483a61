import * as vscode from 'vscode';
import { limits } from '../../base/limits';
import type { RunSetup, ToolOffer } from '../../core/run/agent-options';
import { buildInstructions, type Instructions, type RulesFile } from '../../core/run/instructions';
import { offerOver } from '../../core/run/offer';
import type { ToolCallConfig } from '../../core/words/config';
import type { OnSend } from '../../models/openai';
import { isEnforced } from '../../models/form/form-probe';
import { contextWindow, isFormChosen, promptForm } from '../../models/profiles';
import { countTokens } from '../../node/tokens';
import { callsEndThinking, findProtocolName, protocolFor, suggestProtocol } from '../../protocols/choose';
import type { WindowContext } from '../attachments/window-context';
import { toolFolders } from '../files/local-folders';
import type { RequestLog } from '../inspector/request-log';
import type { Mcp } from '../mcp/mcp';
import type { KnownServers } from '../models/known-servers';
import { profileProblem } from '../models/profile-problem';
import { summaryModel } from '../models/summary-model';
import type { WindowTools } from '../tools/window-tools';
import type { Secrets } from '../window/secrets';
import type { SettingsStore } from '../window/settings';
import type { Choices } from './choices';
import { loadProtocol, toolCallConfig, windowBudget } from './run-setup';
import { windowHooks, type HookParts } from './window-hooks';

interface RunParts extends HookParts {
  readonly settings: SettingsStore;
  readonly choices: Choices;
  readonly secrets: Secrets;
  readonly tools: WindowTools;
  readonly mcp: Pick<Mcp, 'ready'>;
  readonly attachments: Pick<WindowContext, 'rules' | 'folderRules'>;
  readonly requests: RequestLog;
  readonly servers: KnownServers;
}

/** Collects what one run needs from the current settings. A preview sends nothing, so it loads no model. */
export async function prepareRun(
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
  const { openInWindow, probeServer } = await import('../models/open-in-window');
  if (!isPreview) await probeServer(wanted, servers, signal);
  // Includes what the server just reported.
  const profile = choices.profile ?? wanted;
  const { facts } = servers;
  const onSend: OnSend = (body, request) => requests.addBody(body, request);
  const client = await openInWindow(profile, { secrets, facts, onSend }, 'chat');
  const protocol = await loadProtocol(choices.protocol);
  // A message may be sent right after the window opened.
  await parts.mcp.ready(AbortSignal.any([signal, AbortSignal.timeout(limits.mcpRunWaitsMs)]));
  const tools = await parts.tools.get();
  const offer = offerOver(protocol, tools);
  const move: RunSetup['move'] = async (seen) => {
    const canForce = isEnforced(profile.forms?.grammar);
    // SAFETY: it returns the id of a protocol.
    const name = findProtocolName(protocolFor(seen, { canForce, lost: profile.lostProtocols }))!;
    facts.of(profile).spoken.write({ protocol: name.id });
    const moved = await loadProtocol(name);
    return { protocol: moved, offer: offerOver(moved, tools) };
  };
  const config = (): ToolCallConfig => toolCallConfig(settings, choices);
  const rules = await parts.attachments.rules();
  return {
    model: {
      client,
      window: contextWindow(profile, countTokens),
      memory: facts.of(profile).context,
      callsEndThinking: callsEndThinking(profile.model ?? ''),
      dropsTools: profile.facts?.tools === false,
      ...(profile.lostProtocols?.includes(protocol.id) && { losesMarkers: true }),
      ...summaryModel(parts),
      onRequest: (request, reply) => requests.add(request, reply),
    },
    prompt: {
      protocol,
      ...instructions(parts, config(), offer, rules),
      promptForm: promptForm(profile),
      isFormChosen: isFormChosen(profile),
      suggestProtocol: (seen) => suggestProtocol(seen, profile.model ?? '', profile.lostProtocols),
    },
    tools: {
      offer,
      config,
      folderRules: parts.attachments.folderRules(rules.reduce((sum, { text }) => sum + text.length, 0)),
      ...windowHooks(parts),
    },
    limits: { rounds: () => config().maxIterations, budget: () => windowBudget(settings) },
    ...(choices.isProtocolOpen && { move }),
  };
}

function instructions(
  { settings, choices }: RunParts,
  config: ToolCallConfig,
  offer: ToolOffer,
  rules: readonly RulesFile[],
): Instructions {
  return buildInstructions({
    roots: toolFolders(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.name),
    platform: process.platform,
    hasTools: config.enabled && offer.offered(config).length > 0,
    rules,
    agent: choices.agent.instructions,
    instructions: settings.get('instructions'),
  });
}
