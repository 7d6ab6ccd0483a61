import type { JsonObject } from '../base/json';
import type { ContextWindow } from '../core/context/known-window';
import type { Steps } from '../core/words/grammar';
import type { PromptForm, Usage } from '../core/words/model';
import type { Api, Effort } from './apis/api-name';
import type { CacheMarks } from './apis/cache-marks';
import type { ReasoningEcho } from './echo';
import type { TimeoutName } from './exchange/timeouts';
import type { ConstrainMode } from './form/constrained-output';
import type { FormSupports, WorkFacts } from './fact-types';
import { headerSecrets } from './headers';
import { mapDeltas, type Layer } from './layer';
import type { ServerFacts } from './server-facts';

/** A model the user can pick. */
export interface ModelProfile {
  readonly id: string;
  readonly name?: string | undefined;
  readonly provider: 'openai' | 'ollama' | 'vscode' | 'demo';
  /**
   * Base URL of its API, usually ending in `/v1`; for `ollama` that of the server, this machine's if
   * not given.
   */
  readonly baseUrl?: string | undefined;
  /** Name on the endpoint; for `vscode` the vendor, a slash, and the id or family. */
  readonly model?: string | undefined;
  readonly protocol?: string | undefined;
  /** The API of an `openai` endpoint; `chat` if not given. */
  readonly api?: Api | undefined;
  /** How much the model should think; the endpoint decides if not given. */
  readonly effort?: Effort | undefined;
  /** Whether parts of a request are marked for the cache of the server; `auto` if not given: for Claude. */
  readonly cache?: CacheMarks | undefined;
  /** Tokens. */
  readonly contextWindow?: number | undefined;
  /** Tokens. */
  readonly maxOutputTokens?: number | undefined;
  /** The model takes images. */
  readonly vision?: boolean | undefined;
  /** Whether reasoning is sent back with the conversation; `auto` if not given. */
  readonly reasoning?: ReasoningEcho | undefined;
  /**
   * How tools are described to the model; `auto` if not given: briefly if the window is small, or nothing else fits.
   */
  readonly prompt?: PromptForm | 'auto' | undefined;
  /** Whether the server enforces the form of the protocol; `auto` if not given. */
  readonly forcedForm?: ConstrainMode | undefined;
  /** Other extensions may use it as a VS Code model. */
  readonly publish?: boolean | undefined;
  /** Sent with every request; `${secret:NAME}` in a value is replaced by a secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How many calls a reply may have; `auto` if not given: as the doctor recommends, otherwise one for small models. */
  readonly steps?: Steps | 'auto' | undefined;
  /** Sampling; sent only where given, or where a way of working sets it. */
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly seed?: number | undefined;
  /** Merged into every request body, over everything else. */
  readonly extraBody?: JsonObject | undefined;
  /** A command whose output is the key, for `expiresIn` seconds or until the key is refused. */
  readonly apiKeyCommand?:
    string | { readonly command: string; readonly expiresIn?: number | undefined } | undefined;
  /** In seconds, 0 for no limit; missing ones have the default for the location of the server. */
  readonly timeouts?: { readonly [Name in TimeoutName]?: number | undefined } | undefined;
  readonly price?: Price | undefined;
  /** Ids of profiles that are asked in order if this model cannot be reached. */
  readonly fallback?: readonly string[] | undefined;
  /** Shown to the server, which demands a certificate of its clients. */
  readonly tls?: ClientTls | undefined;
  /** Facts reported by its server. Not in settings: added once known. */
  readonly facts?: ServerFacts | undefined;
  /** Known support for enforced forms. Not in settings, either. */
  readonly forms?: FormSupports | undefined;
  /** Protocols whose markers its server drops. Not in settings, either. */
  readonly lostProtocols?: readonly string[] | undefined;
  /** What small jobs showed of it. Not in settings, either. */
  readonly work?: WorkFacts | undefined;
  /** The protocol in which it was seen to call. Not in settings, either. */
  readonly spokenProtocol?: string | undefined;
}

/** Absolute paths of PEM files outside of the workspace. */
export interface ClientTls {
  readonly cert: string;
  readonly key: string;
  /** Authorities that are trusted in place of the usual ones. */
  readonly ca?: string | undefined;
  /** Of the key; may be `${secret:NAME}`. */
  readonly passphrase?: string | undefined;
}

/** Names of the secrets that a profile refers to. */
export function profileSecrets({ headers, tls }: Pick<ModelProfile, 'headers' | 'tls'>): readonly string[] {
  return headerSecrets({ ...headers, ...(tls?.passphrase !== undefined && { passphrase: tls.passphrase }) });
}

/** Default address of Ollama. */
const OLLAMA = 'http://127.0.0.1:11434';

/** The address of its server, even if only implied by its provider. */
export function addressOf({
  provider,
  baseUrl,
}: Pick<ModelProfile, 'provider' | 'baseUrl'>): string | undefined {
  return baseUrl ?? (provider === 'ollama' ? OLLAMA : undefined);
}

/** Under which a model's facts are stored. */
export function modelKey(profile: Pick<ModelProfile, 'provider' | 'baseUrl' | 'model' | 'api'>): string {
  const { provider, model = '' } = profile;
  const api = apiOf(profile);
  return JSON.stringify([provider, addressOf(profile) ?? '', model, ...(api === 'chat' ? [] : [api])]);
}

/** Other providers have only one API. */
export function apiOf({ provider, api = 'chat' }: Pick<ModelProfile, 'provider' | 'api'>): Api {
  return provider === 'openai' ? api : 'chat';
}

/** The profile with that address. */
export function withAddress(profile: ModelProfile): ModelProfile {
  const baseUrl = addressOf(profile);
  return baseUrl === profile.baseUrl ? profile : { ...profile, baseUrl };
}

/** The profile with facts of its server, unless it overrides them. */
export function withFacts(profile: ModelProfile, facts: ServerFacts | undefined): ModelProfile {
  if (!facts) return profile;
  const { provider, vision = facts.vision } = profile;
  const tokens = profile.contextWindow ?? facts.window;
  // Ollama loads a model with no more than its trained window.
  const most = provider === 'ollama' ? facts.trainedWindow : undefined;
  const window = tokens !== undefined && most !== undefined ? Math.min(tokens, most) : tokens;
  return { ...profile, contextWindow: window, vision, facts };
}

/** The server chooses the window of the model; the provider `ollama` requests the one in its profile. */
function decidesAlone({ provider, contextWindow: tokens }: ModelProfile): boolean {
  return provider !== 'ollama' || tokens === undefined;
}

/** Ollama chooses the window, and reports it only once the model is loaded. */
export function hidesWindow(profile: ModelProfile): boolean {
  const { kind, isLoaded, window } = profile.facts ?? {};
  return decidesAlone(profile) && kind === 'ollama' && isLoaded === false && window === undefined;
}

/** The window reported by the server, if it is smaller than the profile's. */
export function smallerWindow(profile: ModelProfile): number | undefined {
  if (!decidesAlone(profile)) return undefined;
  const { contextWindow: tokens, facts: { window } = {} } = profile;
  return tokens !== undefined && window !== undefined && window < tokens ? window : undefined;
}

/** Always available, so that Parley can be tried without a key or a network. */
export const demoProfile: ModelProfile = { id: 'demo', name: 'Demo (scripted)', provider: 'demo' };

const VSCODE = 'vscode:';

/** Id of a VS Code model without a profile: `vendor/id`. */
export function vsCodeProfile(model: string): ModelProfile {
  return { id: VSCODE + model, provider: 'vscode', model };
}

/** VS Code models need no profile: their ids identify them. */
export function findProfile(profiles: readonly ModelProfile[], id: string): ModelProfile | undefined {
  const found = [demoProfile, ...profiles].find((profile) => profile.id === id);
  return found ?? (id.startsWith(VSCODE) ? vsCodeProfile(id.slice(VSCODE.length)) : undefined);
}

/** The profiles that a profile falls back to, without itself and unknown ones. Theirs do not count. */
export function fallbacksOf(
  { id, fallback = [] }: ModelProfile,
  profiles: readonly ModelProfile[],
): readonly ModelProfile[] {
  const ids = [...new Set(fallback)].filter((each) => each !== id);
  return ids.flatMap((each) => findProfile(profiles, each) ?? []);
}

/** Tokens reserved for a reply if the profile has no limit. */
const REPLY_TOKENS = 4_096;

/** Input tokens of the model, as far as its profile says. VS Code counts only the input. */
export function contextWindow(
  { provider, contextWindow: tokens, maxOutputTokens }: ModelProfile,
  count: ContextWindow['count'],
): ContextWindow {
  if (provider === 'vscode') return { tokens, reply: 0, count };
  const reply = maxOutputTokens ?? Math.min(REPLY_TOKENS, Math.floor((tokens ?? Infinity) / 4));
  return { tokens, reply, isReplyAsked: maxOutputTokens !== undefined, count };
}

/** Window in tokens below which tool descriptions would take a large part of it. */
const SMALL_WINDOW = 16_384;

/** The length of tool descriptions for the model. */
export function promptForm({ prompt = 'auto', contextWindow = Infinity }: ModelProfile): PromptForm {
  if (prompt !== 'auto') return prompt;
  return contextWindow < SMALL_WINDOW ? 'short' : 'full';
}

/** Whether the profile determines that length. */
export function isFormChosen({ prompt = 'auto' }: ModelProfile): boolean {
  return prompt === 'full' || prompt === 'short';
}

/** Dollars per million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
  /** Of input that comes from the cache, or goes into it; `input` if not given. */
  readonly cachedInput?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

export function dollarsFor(
  { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 }: Omit<Usage, 'cost'>,
  { input, output, cachedInput = input, cacheWrite = input }: Price,
): number {
  const fresh = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const sum =
    fresh * input + cachedTokens * cachedInput + cacheWriteTokens * cacheWrite + outputTokens * output;
  return sum / 1_000_000;
}

/** Adds the cost to the usage, unless the service reports it. */
export function priced(price: Price): Layer {
  return mapDeltas(() => (delta) => {
    if (delta.type !== 'usage' || delta.usage.cost !== undefined) return delta;
    return { type: 'usage', usage: { ...delta.usage, cost: dollarsFor(delta.usage, price) } };
  });
}

/** Aids for the model that a profile does not use yet. */
export function helpsFor(profile: ModelProfile): readonly ('short' | 'example' | 'cool')[] {
  const { temperature, extraBody = {} } = profile;
  const form = promptForm(profile);
  return [
    ...(form === 'short' ? [] : (['short'] as const)),
    ...(form === 'example' ? [] : (['example'] as const)),
    ...(temperature !== undefined || Object.hasOwn(extraBody, 'temperature') ? [] : (['cool'] as const)),
  ];
}

/** The profile of a model with unstable replies. */
export function withTemperature(profile: ModelProfile, temperature: number): ModelProfile {
  return { ...profile, temperature };
}
