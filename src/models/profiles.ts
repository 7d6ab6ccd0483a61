import type { JsonObject } from '../base/json';
import type { ContextWindow } from '../core/context/known-window';
import type { HeldForm } from '../core/words/grammar';
import type { Model, ModelDelta, ModelRequest, PromptForm, Usage } from '../core/words/model';
import type { ReasoningEcho } from './echo';
import type { TimeoutName } from './exchange/timeouts';
import type { FormSupport } from './form/form-probe';
import type { ForcedForm } from './form/forcing';
import type { ServerFacts } from './server-facts';

/** A model the user can pick. */
export interface ModelProfile {
  readonly id: string;
  readonly name?: string | undefined;
  readonly provider: 'openai' | 'ollama' | 'vscode' | 'demo';
  /** Of the Chat Completions API, usually ending in `/v1`; for `ollama` that of the server, this machine's if not given. */
  readonly baseUrl?: string | undefined;
  /** As the endpoint knows it; for `vscode` the vendor, a slash, and the id or family. */
  readonly model?: string | undefined;
  readonly protocol?: string | undefined;
  /** Tokens. */
  readonly contextWindow?: number | undefined;
  /** Tokens. */
  readonly maxOutputTokens?: number | undefined;
  /** The model takes images. */
  readonly vision?: boolean | undefined;
  /** Whether thoughts are sent back with the conversation; `auto` if not given. */
  readonly reasoning?: ReasoningEcho | undefined;
  /** How the model is told about its tools; `auto` if not given: in short where the window is small, or nothing else fits. */
  readonly prompt?: PromptForm | 'auto' | undefined;
  /** Whether the server is asked to hold replies to the form of the protocol; `auto` if not given. */
  readonly forcedForm?: ForcedForm | undefined;
  /** Other extensions may use it, as a model of VS Code. */
  readonly publish?: boolean | undefined;
  /** Sent with every request; `${secret:NAME}` in a value stands for a secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Merged into every request body. */
  readonly extraBody?: JsonObject | undefined;
  /** A command whose output is the key, for `expiresIn` seconds or until the key is refused. */
  readonly apiKeyCommand?:
    string | { readonly command: string; readonly expiresIn?: number | undefined } | undefined;
  /** In seconds, 0 for none; what is not there is as usual for the place of the server. */
  readonly timeouts?: { readonly [Name in TimeoutName]?: number | undefined } | undefined;
  readonly price?: Price | undefined;
  /** What its server says. In no setting: added where it is known. */
  readonly facts?: ServerFacts | undefined;
  /** What was found out about holding its replies to a form. In no setting, either. */
  readonly forms?: KnownForms | undefined;
}

/** Whether a server can hold replies to a grammar, and to a schema, as far as that was tried. */
export type KnownForms = { readonly [Type in HeldForm['type']]?: FormSupport };

/** Where Ollama listens unless told otherwise. */
const OLLAMA = 'http://127.0.0.1:11434';

/** The profile, whose server has an address also where only its provider says so. */
export function withAddress(profile: ModelProfile): ModelProfile {
  const { provider, baseUrl } = profile;
  return provider === 'ollama' && baseUrl === undefined ? { ...profile, baseUrl: OLLAMA } : profile;
}

/** The profile with what its server says, unless it says otherwise itself. */
export function withFacts(profile: ModelProfile, facts: ServerFacts | undefined): ModelProfile {
  if (!facts) return profile;
  const { provider, vision = facts.vision } = profile;
  const tokens = profile.contextWindow ?? facts.window;
  // Ollama loads a model with no more than it was trained for.
  const most = provider === 'ollama' ? facts.trainedWindow : undefined;
  const window = tokens !== undefined && most !== undefined ? Math.min(tokens, most) : tokens;
  return { ...profile, contextWindow: window, vision, facts };
}

/** The server loads the model with the window that it likes; the provider `ollama` asks for the one that its profile says. */
export function decidesAlone({ provider, contextWindow: tokens }: ModelProfile): boolean {
  return provider !== 'ollama' || tokens === undefined;
}

/** The window as the server says it, where it is smaller than the profile says. */
export function smallerWindow(profile: ModelProfile): number | undefined {
  if (!decidesAlone(profile)) return undefined;
  const { contextWindow: tokens, facts: { window } = {} } = profile;
  return tokens !== undefined && window !== undefined && window < tokens ? window : undefined;
}

/** Always there, so that Parley can be tried without a key or a network. */
export const demoProfile: ModelProfile = { id: 'demo', name: 'Demo (scripted)', provider: 'demo' };

const VSCODE = 'vscode:';

/** Of a model of VS Code that stands in no setting: `vendor/id`. */
export function vsCodeProfile(model: string): ModelProfile {
  return { id: VSCODE + model, provider: 'vscode', model };
}

/** Models of VS Code need no profile: their ids say which they are. */
export function findProfile(profiles: readonly ModelProfile[], id: string): ModelProfile | undefined {
  const found = [demoProfile, ...profiles].find((profile) => profile.id === id);
  return found ?? (id.startsWith(VSCODE) ? vsCodeProfile(id.slice(VSCODE.length)) : undefined);
}

/** Kept free for a reply where the profile does not say how long it may be. */
const REPLY_TOKENS = 4_096;

/** What the model takes in, as far as its profile says. VS Code counts what goes in alone. */
export function contextWindow(
  { provider, contextWindow: tokens, maxOutputTokens }: ModelProfile,
  count: ContextWindow['count'],
): ContextWindow {
  if (provider === 'vscode') return { tokens, reply: 0, count };
  const reply = maxOutputTokens ?? Math.min(REPLY_TOKENS, Math.floor((tokens ?? Infinity) / 4));
  return { tokens, reply, isReplyAsked: maxOutputTokens !== undefined, count };
}

/** Where the descriptions of the tools would take a good part of the window, in tokens. */
const SMALL_WINDOW = 16_384;

/** The form in which a model is told about its tools. */
export function promptForm({ prompt = 'auto', contextWindow = Infinity }: ModelProfile): PromptForm {
  if (prompt !== 'auto') return prompt;
  return contextWindow < SMALL_WINDOW ? 'short' : 'full';
}

/** Whether the profile has the last word on that form. */
export function isFormChosen({ prompt = 'auto' }: ModelProfile): boolean {
  return prompt === 'full' || prompt === 'short';
}

/** Dollars for a million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
}

export function dollarsFor(
  { inputTokens, outputTokens }: Pick<Usage, 'inputTokens' | 'outputTokens'>,
  price: Price,
): number {
  return (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
}

/** The model, whose usage says what it has cost. */
export function priced(model: Model, price: Price): Model {
  return { name: model.name, stream: (request, signal) => stream(model, price, request, signal) };
}

async function* stream(
  model: Model,
  price: Price,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, void, undefined> {
  for await (const delta of model.stream(request, signal)) {
    if (delta.type !== 'usage') {
      yield delta;
      continue;
    }
    yield { type: 'usage', usage: { ...delta.usage, cost: dollarsFor(delta.usage, price) } };
  }
}
