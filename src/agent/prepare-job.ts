import type { ContextWindow } from '../core/context/known-window';
import type { RunSetup, ToolOffer } from '../core/run/agent-options';
import type { ToolCallConfig } from '../core/words/config';
import type { Steps } from '../core/words/grammar';
import type { PromptForm } from '../core/words/model';
import type { ModelAccess } from '../models/open-model';
import type { ModelProfile } from '../models/profiles';
import { stepsOf } from '../models/steps';
import { prepareRun, type RunSource } from './prepare-run';
import { protocolFor } from './protocol-for';

/** A protocol, and how many calls a reply may have. */
export interface WorkPlan {
  readonly protocol: string;
  readonly steps: Steps;
}

/** How the model of a profile would work: by itself, then with each kind of steps. */
export function plansFor(profile: ModelProfile): readonly WorkPlan[] {
  const { protocol: _, ...open } = profile;
  const others = (['one', 'many'] as const).map((steps) => ({
    steps,
    protocol: protocolFor('auto', { ...open, steps }).id,
  }));
  return [{ steps: stepsOf(profile), protocol: protocolFor('auto', profile).id }, ...others];
}

/** What a job is done with. */
export interface JobSource {
  readonly profile: ModelProfile;
  readonly access: ModelAccess;
  readonly countTokens: ContextWindow['count'];
  readonly config: ToolCallConfig;
  readonly place: { readonly tools: ToolOffer; readonly project: NonNullable<RunSource['project']> };
  readonly way: WorkPlan & {
    /** Whether the server enforces the form; as the profile says if not given. */
    readonly isForced?: boolean;
    readonly temperature?: number;
    readonly promptForm?: PromptForm;
  };
  /** The most tokens of one reply. */
  readonly replyTokens: number;
  readonly rounds: number;
  readonly minutes: number;
}

/** What a run needs that does a job in a folder of its own. */
export function prepareJob(source: JobSource): Promise<RunSetup> {
  const { profile, access, countTokens, config, place, way, replyTokens, rounds, minutes } = source;
  const { temperature = way.temperature, prompt = way.promptForm } = profile;
  return prepareRun({
    profile: {
      ...profile,
      ...{ steps: way.steps, maxOutputTokens: replyTokens },
      ...(way.isForced !== undefined && { forcedForm: way.isForced ? 'on' : 'off' }),
      ...(temperature !== undefined && { temperature }),
      ...(prompt !== undefined && { prompt }),
    },
    ...{ access, countTokens, protocol: way.protocol },
    facts: { roots: ['project'], platform: process.platform, instructions: '' },
    tools: {
      offer: place.tools,
      config: () => ({ ...config, mode: 'auto', recovery: 'text', maxIterations: rounds, enabled: true }),
    },
    project: place.project,
    budget: () => ({ tokens: 0, minutes, cost: 0 }),
  });
}
