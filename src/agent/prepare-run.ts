import type { ContextWindow } from '../core/context/known-window';
import type { RunModel, SummaryModel } from '../core/context/run-model';
import type { RunLimits, RunSetup, RunTools, ToolOffer } from '../core/run/agent-options';
import { buildInstructions, type PromptFacts } from '../core/run/instructions';
import { offerOver } from '../core/run/offer';
import { isEnforced } from '../models/form/form-probe';
import { openModel, type ModelAccess } from '../models/open-model';
import { contextWindow, isFormChosen, promptForm, type ModelProfile } from '../models/profiles';
import { stepsOf } from '../models/steps';
import { callsEndThinking, findProtocolName, protocolToMoveTo, suggestProtocol } from '../protocols/choose';
import type { ProjectFiles } from '../tools/project-files';
import { toolsForSteps } from '../tools/tools-for-steps';
import { loadProtocol, protocolFor } from './protocol-for';

/** A model that can be opened. */
export interface ModelSource {
  /** Has no problem, and what is known of its server. */
  readonly profile: ModelProfile;
  readonly access: ModelAccess;
  readonly countTokens: ContextWindow['count'];
}

/** What window and command line hand in for a run. */
export interface RunSource
  extends ModelSource, Pick<RunModel, 'summarizer' | 'onRequest'>, Pick<RunLimits, 'budget'> {
  /** The id of a protocol, or `auto`. */
  readonly protocol: string;
  /** Asked in order after the model itself, each in the protocol of its profile. */
  readonly fallbacks?: readonly Pick<ModelSource, 'profile' | 'access'>[];
  /** What the model is told besides its tools. */
  readonly facts: Omit<PromptFacts, 'hasTools'>;
  /** `offer` has all tools, whatever the protocol. */
  readonly tools: RunTools;
  readonly project?: ProjectFiles;
}

/** Puts together what a run needs: the model, and how it is told about its tools. */
export async function prepareRun(source: RunSource): Promise<RunSetup> {
  const { profile, access, countTokens, tools, facts, budget, summarizer, onRequest } = source;
  const { model = '' } = profile;
  const client = await openModel(profile, access, 'chat');
  const steps = stepsOf(profile);
  const protocol = await loadProtocol(protocolFor(source.protocol, profile));
  const all = steps === 'one' ? offerForSteps(tools.offer) : tools.offer;
  const offer = offerOver(protocol, all);
  const files = steps === 'one' ? await source.project?.paths() : undefined;
  const config = tools.config();
  const hasTools = config.enabled && offer.offered(config).length > 0;
  const move: RunSetup['move'] = async (seen) => {
    const canForce = isEnforced(profile.forms?.grammar);
    const moved = await loadProtocol(protocolToMoveTo(seen, { canForce, lost: profile.lostProtocols }));
    access.facts.of(profile).spoken.write({ protocol: moved.id });
    return { protocol: moved, offer: offerOver(moved, all) };
  };
  const [other, ...others] = source.fallbacks ?? [];
  const isOpen = ![source.protocol, profile.protocol ?? ''].some(findProtocolName);
  return {
    model: {
      client,
      window: contextWindow(profile, countTokens),
      memory: access.facts.of(profile).context,
      callsEndThinking: callsEndThinking(model),
      dropsTools: profile.facts?.tools === false,
      ...(profile.lostProtocols?.includes(protocol.id) && { losesMarkers: true }),
      ...(summarizer && { summarizer }),
      ...(onRequest && { onRequest }),
    },
    prompt: {
      protocol,
      ...buildInstructions({ ...facts, ...(files && { files }), hasTools }),
      steps,
      promptForm: promptForm(profile),
      isFormChosen: isFormChosen(profile),
      suggestProtocol: (seen) => suggestProtocol(seen, model, profile.lostProtocols),
    },
    tools: {
      ...tools,
      offer,
      ...(steps === 'one' && { config: () => ({ ...tools.config(), toolsOnDemand: 'off' }) }),
      ...(files && { files }),
      ...(source.project && { fileText: source.project.textOf }),
    },
    limits: { rounds: () => tools.config().maxIterations, budget },
    ...(isOpen && { move }),
    ...(other && {
      fallback: () => prepareRun({ ...source, ...other, protocol: 'auto', fallbacks: others }),
    }),
  };
}

/** A model that writes only summaries. */
export async function prepareSummaryModel({
  profile,
  access,
  countTokens,
}: ModelSource): Promise<SummaryModel> {
  return {
    model: await openModel(profile, access, 'chat'),
    // SAFETY: there is always a native protocol.
    protocol: await loadProtocol(findProtocolName('native')!),
    window: contextWindow(profile, countTokens),
  };
}

/** The tools for a model that works in steps of one call; nothing is on demand. */
function offerForSteps(tools: ToolOffer): ToolOffer {
  return {
    offered: (config) => toolsForSteps(tools.offered({ ...config, toolsOnDemand: 'off' }), config),
    whyUnavailable: (name, config) => tools.whyUnavailable(name, config),
  };
}
