import { visibleText } from '../../../base/text';
import type { SettingValue } from '../../../manifest/settings';
import type { ConnectionReport } from '../../../models/connection-test';
import type { ModelProfile } from '../../../models/profiles';
import type { ServerFacts } from '../../../models/server-facts';
import { rootOf } from '../../../models/servers/ask';
import type { FoundServer } from '../../../models/servers/local-servers';

export type OwnProfile = SettingValue<'models'>[number];

/** What has been entered of a model that is being added. Nothing of it is kept before the last step. */
export interface Draft {
  /** Where the server may be: the likeliest address first. */
  readonly asked?: {
    readonly label: string;
    readonly baseUrls: readonly string[];
    /** It gives nothing away without one. */
    readonly wantsKey?: boolean;
  };
  /** For which server a key is to be entered. */
  readonly locked?: {
    readonly label: string;
    readonly baseUrl: string;
    /** The one that there is does not open it. */
    readonly isRefused: boolean;
  };
  /** Typed in, for one origin; those that are stored are not here. */
  readonly key?: { readonly origin: string; readonly text: string };
  /** Whose models are offered. */
  readonly found?: readonly FoundServer[];
  readonly chosen?: Chosen;
  /** Of the test; not there where it was skipped. */
  readonly report?: ConnectionReport;
  /** `auto` where it is not there. */
  readonly protocol?: string;
  /** The doctor is to find out the protocol. */
  readonly isForDoctor?: boolean;
}

/** The model and its server. */
export interface Chosen {
  readonly provider: 'openai' | 'ollama' | 'vscode';
  readonly label: string;
  /** Of the Chat Completions API; a model of VS Code has none. */
  readonly baseUrl?: string;
  readonly model: string;
  readonly facts?: ServerFacts;
}

/** Tokens that Ollama is asked for: what the tools and a few files take. By itself it loads models with 4,096. */
const OLLAMA_WINDOW = 32_768;

/** Where Ollama listens; a profile of its own provider need not say it. */
const OLLAMA = 'http://127.0.0.1:11434';

/** The model as a profile whose id no other one has. */
export function profileOf({ chosen, protocol }: Draft, profiles: readonly ModelProfile[]): OwnProfile {
  if (!chosen) throw new Error('No model was chosen.');
  const { provider, label, baseUrl, model } = chosen;
  const reached = reachedBy(chosen);
  const same = profiles.find((each) => isSame(each, provider, model, reached.baseUrl));
  const { protocol: _, ...known } = same ?? {
    id: freeId(`${label}-${model}`, profiles),
    name: `${visibleText(model)} (${label})`,
    provider,
    ...(baseUrl !== undefined && reached),
    model,
  };
  // SAFETY: what is known comes from the settings or was put together above.
  return { ...known, ...(protocol !== undefined && { protocol }) } as OwnProfile;
}

/** How its requests get there. */
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

/** Characters of an id. */
const ID = 60;

/** An id from these words that none of the profiles has. */
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
