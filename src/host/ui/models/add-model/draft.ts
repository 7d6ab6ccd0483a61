import type { Api } from '../../../../models/apis/api-name';
import { visibleText } from '../../../../base/text';
import type { JobReply } from '../../../../doctor/do-job';
import type { Speed } from '../../../../doctor/report';
import type { ConnectionReport } from '../../../../models/connection-test';
import type { ModelProfile } from '../../../../models/profiles';
import type { ServerFacts } from '../../../../models/server-facts';
import { impliedApi, rootOf } from '../../../../models/api-address';
import type { FoundServer } from '../../../../models/servers/local-servers';
import type { OwnProfile } from '../own-models';

/** Data of a model that is being added. Nothing is saved before the last step. */
export interface Draft {
  /** Possible addresses of the server, the likeliest first. */
  readonly asked?: {
    readonly label: string;
    readonly baseUrls: readonly string[];
    /** Named by the typed address. */
    readonly api?: Api;
    /** It needs a key. */
    readonly wantsKey?: boolean;
  };
  /** The server whose key is asked for. */
  readonly locked?: {
    readonly label: string;
    readonly baseUrl: string;
    /** The existing key is rejected. */
    readonly isRefused: boolean;
  };
  /** Typed keys by origin; stored keys are not here. */
  readonly key?: { readonly origin: string; readonly text: string };
  /** The servers whose models are offered. */
  readonly found?: readonly FoundServer[];
  readonly chosen?: Chosen;
  /** Result of the test; absent if it was skipped. */
  readonly report?: ConnectionReport;
  /** What the test took; empty if it was too short to tell. */
  readonly replies?: readonly JobReply[];
  /** Result of three steps with the model. */
  readonly tried?: TriedSteps;
  /** `auto` if absent. */
  readonly protocol?: string;
  /** The doctor should find the protocol. */
  readonly isForDoctor?: boolean;
}

/** How many of the steps were right; or why they could not be tried. */
export type TriedSteps =
  { readonly solved: number; readonly of: number; readonly speed: Speed } | { readonly problem: string };

/** The model and its server. */
export interface Chosen {
  readonly provider: 'openai' | 'ollama' | 'vscode';
  readonly label: string;
  /** Using the Chat Completions API; a VS Code model has none. */
  readonly baseUrl?: string;
  readonly model: string;
  readonly facts?: ServerFacts;
}

/** Context window requested from Ollama: enough for the tools and a few files. Its default is 4,096. */
const OLLAMA_WINDOW = 32_768;

/** Ollama's default address; an `ollama` profile can omit it. */
const OLLAMA = 'http://127.0.0.1:11434';

/** The model as a profile with a unique id. */
export function profileOf({ chosen, protocol, asked }: Draft, profiles: readonly ModelProfile[]): OwnProfile {
  if (!chosen) throw new Error('No model was chosen.');
  const { provider, label, baseUrl, model } = chosen;
  const api = provider === 'openai' && baseUrl !== undefined ? (asked?.api ?? impliedApi(baseUrl)) : 'chat';
  const reached = reachedBy(chosen);
  const same = profiles.find((each) => isSame(each, provider, model, reached.baseUrl));
  const { protocol: _, ...known } =
    same ??
    newProfile(
      {
        words: `${label}-${model}`,
        name: `${visibleText(model)} (${label})`,
        provider,
        ...reached,
        ...(api !== 'chat' && { api }),
        model,
      },
      profiles,
    );
  // SAFETY: known servers come from the settings or were built above.
  return { ...known, ...(protocol !== undefined && { protocol }) } as OwnProfile;
}

/** What a new profile says of a model, whether it was chosen from a server or found in another program. */
interface ProfileDescription extends Pick<
  OwnProfile,
  'provider' | 'baseUrl' | 'api' | 'contextWindow' | 'vision'
> {
  /** What its id is made of. */
  readonly words: string;
  readonly name: string;
  readonly model: string;
}

/** A profile with a unique id, without fields that are not known. */
export function newProfile(
  { words, name, provider, baseUrl, api, model, contextWindow, vision }: ProfileDescription,
  profiles: readonly { readonly id: string }[],
): OwnProfile {
  return {
    id: freeId(words, profiles),
    name,
    provider,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(api !== undefined && { api }),
    model,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(vision !== undefined && { vision }),
  };
}

/** Connection of its requests. */
function reachedBy({ provider, baseUrl, facts = {} }: Chosen): Pick<OwnProfile, 'baseUrl' | 'contextWindow'> {
  if (provider !== 'ollama' || baseUrl === undefined) return baseUrl === undefined ? {} : { baseUrl };
  const root = rootOf(baseUrl);
  const { window = 0, trainedWindow = Infinity } = facts;
  return {
    ...(root !== OLLAMA && { baseUrl: root }),
    contextWindow: Math.min(Math.max(window, OLLAMA_WINDOW), trainedWindow),
  };
}

function isSame(
  profile: ModelProfile,
  provider: ModelProfile['provider'],
  model: string,
  baseUrl: string | undefined,
): boolean {
  return profile.provider === provider && profile.model === model && profile.baseUrl === baseUrl;
}

/** Maximum characters of an id. */
const ID = 60;

/** A unique id from these words. */
export function freeId(words: string, profiles: readonly { readonly id: string }[]): string {
  const plain = words
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, ID);
  const wanted = plain === '' || plain === 'demo' ? `model-${plain}`.replace(/-$/, '') : plain;
  const isFree = (id: string): boolean => profiles.every((each) => each.id !== id);
  let id = wanted;
  for (let number = 2; !isFree(id); number++) id = `${wanted}-${number}`;
  return id;
}
