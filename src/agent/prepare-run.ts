import type { ContextWindow } from '../core/context/known-window';
import type { RunModel, SummaryModel } from '../core/context/run-model';
import type { RunLimits, RunSetup, RunTools } from '../core/run/agent-options';
import { buildInstructions, type PromptFacts } from '../core/run/instructions';
import { offerOver } from '../core/run/offer';
import { openModel, type ModelAccess } from '../models/open-model';
import { contextWindow, isFormChosen, promptForm, type ModelProfile } from '../models/profiles';
import { callsEndThinking, chooseProtocol, findProtocolName, suggestProtocol } from '../protocols/choose';
import { loadProtocol } from './load-protocol';

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
  /** What the model is told besides its tools. */
  readonly facts: Omit<PromptFacts, 'hasTools'>;
  /** `offer` has all tools, whatever the protocol. */
  readonly tools: RunTools;
}

/** Puts together what a run needs: the model, and how it is told about its tools. */
export async function prepareRun(source: RunSource): Promise<RunSetup> {
  const { profile, access, countTokens, tools, facts, budget, summarizer, onRequest } = source;
  const { model = '' } = profile;
  const client = await openModel(profile, access, 'chat');
  const protocol = await loadProtocol(chooseProtocol(source.protocol, profile));
  const offer = offerOver(protocol, tools.offer);
  const config = tools.config();
  const hasTools = config.enabled && offer.offered(config).length > 0;
  return {
    model: {
      client,
      window: contextWindow(profile, countTokens),
      memory: access.facts.of(profile).context,
      callsEndThinking: callsEndThinking(model),
      dropsTools: profile.facts?.tools === false,
      ...(summarizer && { summarizer }),
      ...(onRequest && { onRequest }),
    },
    prompt: {
      protocol,
      ...buildInstructions({ ...facts, hasTools }),
      promptForm: promptForm(profile),
      isFormChosen: isFormChosen(profile),
      suggestProtocol: (seen) => suggestProtocol(seen, model),
    },
    tools: { ...tools, offer },
    limits: { rounds: () => tools.config().maxIterations, budget },
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
