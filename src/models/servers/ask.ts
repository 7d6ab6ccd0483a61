import type { Fetch } from '../../base/transport';
import { fetchWhole } from '../bounded';
import { isNear } from '../place';
import { mergeFacts, type ServerFacts } from '../server-facts';
import {
  readLiteLlm,
  readLmStudio,
  readLocalAi,
  readModelList,
  readOldLmStudio,
  readOllamaLoaded,
  readOllamaModel,
  readProps,
  readSglang,
  readVersion,
  type ListedModel,
} from './answers';

/** How a server is reached. */
export interface ServerAddress {
  /** Of the Chat Completions API, usually ending in `/v1`. */
  readonly baseUrl: string;
  /** Goes to this address's own origin only, which every question here has. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Where the user has said what it is. */
  readonly kind?: 'ollama' | undefined;
  /** How questions go out; the platform's `fetch` if not given. */
  readonly fetch?: Fetch;
}

/** What came of a look at a server. */
export type ServerLook =
  | { readonly type: 'found'; readonly models: readonly ListedModel[] }
  /** It wants a key, or another one. */
  | { readonly type: 'locked' }
  | { readonly type: 'loading' }
  /** Nobody answers, or nothing that lists its models; `status` is that of an answer. */
  | { readonly type: 'none'; readonly status?: number };

/** Milliseconds for one question: a server that runs answers these at once, also while it works. */
const ONE_QUESTION = 2_000;

/** Milliseconds for all questions about a model: a run waits for them. */
const ALL_QUESTIONS = 5_000;

/** More cannot be looked through; services that pass on those of others have several hundred. */
const MODELS_SHOWN = 1_000;

/** The models of a server, with what its list says of each. Never rejects. */
export async function lookAt(
  address: ServerAddress,
  signal: AbortSignal,
  limit = ONE_QUESTION,
): Promise<ServerLook> {
  const answer = await getJson(address, `${base(address)}/models`, signal, undefined, limit);
  if (answer.status === 401 || answer.status === 403) return { type: 'locked' };
  if (answer.status === 503) return { type: 'loading' };
  const models = answer.status === 200 ? readModelList(answer.body) : undefined;
  if (models) return { type: 'found', models: models.slice(0, MODELS_SHOWN) };
  return { type: 'none', ...(answer.status !== undefined && { status: answer.status }) };
}

/**
 * What the server says of itself and of one of its models, its list first, then what only
 * its family has. Foreign servers are asked for their list and what gateways tell, and nothing else. Whoever calls this
 * decides whether a server may be asked at all. Nothing where nobody answers. Never rejects.
 */
export async function askServer(
  address: ServerAddress,
  model: string,
  stop: AbortSignal,
): Promise<ServerFacts | undefined> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ALL_QUESTIONS)]);
  const questions = new Questions(address, model, signal);
  if (address.kind === 'ollama') {
    const said = await questions.ollama();
    return said.length === 0 ? undefined : mergeFacts([{ kind: 'ollama' }, ...said]);
  }
  const list = await getJson(address, `${base(address)}/models`, signal);
  // Whoever does not answer this one answers no other in time.
  if (list.status === undefined) return undefined;
  const models = (list.status === 200 ? readModelList(list.body) : undefined) ?? [];
  const listed = models.find(({ id }) => id === model) ?? (models.length === 1 ? models[0] : undefined);
  // A server with one model answers with that one, whatever the name; the others refuse an unknown name.
  const kind = listed?.facts.kind ?? models.find(({ facts }) => facts.kind !== undefined)?.facts.kind;
  const first: ServerFacts = { ...(kind !== undefined && { kind }), ...listed?.facts };
  if (!isNear(address.baseUrl)) {
    return mergeFacts([first, ...(first.window === undefined ? [await questions.liteLlm()] : [])]);
  }
  return mergeFacts([first, ...(await questions.ofKind(first, listed))]);
}

/** The questions that one family each has, at the root of the server. */
class Questions {
  constructor(
    private readonly address: ServerAddress,
    private readonly model: string,
    private readonly signal: AbortSignal,
  ) {}

  async ofKind(known: ServerFacts, listed: ListedModel | undefined): Promise<readonly ServerFacts[]> {
    switch (known.kind) {
      case 'llamacpp':
        return [await this.llamaCpp(listed)];
      case 'ollama':
        return this.ollama();
      case 'sglang':
        return [await this.sglang()];
      case 'lmstudio':
        return this.lmStudio();
      case 'vllm':
        return [readVersion(await this.read('/version'))];
      // Their list says all there is.
      case 'openrouter':
      case 'mistral':
        return [];
      default:
        return this.ofUnknown(listed);
    }
  }

  /** Until one says what it is; the order is that of how many people run them. */
  private async ofUnknown(listed: ListedModel | undefined): Promise<readonly ServerFacts[]> {
    for (const ask of [
      () => this.lmStudio(),
      // Before Ollama, whose API it has, too.
      async () => [await this.localAi()],
      () => this.ollama(),
      async () => [await this.llamaCpp(listed)],
      async () => [await this.sglang()],
      async () => [await this.liteLlm()],
    ]) {
      const said = await ask();
      if (said.some(({ kind, window }) => kind !== undefined || window !== undefined)) return said;
    }
    return [];
  }

  private async llamaCpp(listed: ListedModel | undefined): Promise<ServerFacts> {
    const ofMany = listed?.status !== undefined;
    // Asking for a model that is not there would load it.
    const query = ofMany ? `?model=${encodeURIComponent(listed.id)}&autoload=false` : '';
    const facts = readProps(await this.read(`/props${query}`));
    if (!facts || !ofMany || listed.facts.isLoaded === true) return facts ?? {};
    return { kind: 'llamacpp' };
  }

  private async lmStudio(): Promise<readonly ServerFacts[]> {
    const now = readLmStudio(await this.read('/api/v1/models'), this.model);
    if (now) return [now];
    return [readOldLmStudio(await this.read('/api/v0/models'), this.model) ?? {}];
  }

  /** What is loaded counts; what a model is made with, where none is. */
  async ollama(): Promise<readonly ServerFacts[]> {
    const loaded = readOllamaLoaded(await this.read('/api/ps'), this.model);
    if (!loaded) return [];
    const model = readOllamaModel(await this.read('/api/show', { model: this.model })) ?? {};
    return [loaded, model, readVersion(await this.read('/api/version'))];
  }

  private async sglang(): Promise<ServerFacts> {
    return readSglang(await this.read('/get_server_info')) ?? {};
  }

  async liteLlm(): Promise<ServerFacts> {
    return readLiteLlm(await this.read('/model/info'), this.model) ?? {};
  }

  private async localAi(): Promise<ServerFacts> {
    return readLocalAi(await this.read('/v1/models/capabilities'), this.model) ?? {};
  }

  private async read(path: string, body?: object): Promise<unknown> {
    const { status, body: answer } = await getJson(
      this.address,
      rootOf(this.address.baseUrl) + path,
      this.signal,
      body,
    );
    return status === 200 ? answer : undefined;
  }
}

interface Answer {
  /** Nothing where no answer came. */
  readonly status?: number;
  /** Nothing where it was no JSON. */
  readonly body?: unknown;
}

/** Asks one question; with a body it is a POST. Never rejects. */
export async function getJson(
  { key, headers, fetch }: ServerAddress,
  url: string,
  signal: AbortSignal,
  body?: object,
  limit = ONE_QUESTION,
): Promise<Answer> {
  let status: number | undefined;
  try {
    const init = {
      // No redirect is followed: a key goes to the address it was entered for and to no other.
      signal: AbortSignal.any([signal, AbortSignal.timeout(limit)]),
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    };
    const response = await fetchWhole(url, init, fetch);
    ({ status } = response);
    return { status, body: await response.json() };
  } catch {
    // Nobody listens, too slow, or no JSON: whatever the reason, it says nothing.
    return status === undefined ? {} : { status };
  }
}

function base({ baseUrl }: ServerAddress): string {
  return baseUrl.replace(/\/+$/, '');
}

/** Where servers have what is theirs alone: the address without the version of the API. */
export function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/(?:api\/)?v\d+$/, '');
}

/** Milliseconds for a load: large models come from slow disks. */
const LOAD = 280_000;

/**
 * Has Ollama load a model as its next request over `/v1` would, without a prompt. Whether it is loaded now.
 * https://docs.ollama.com/faq#how-can-i-preload-a-model-into-ollama-to-get-faster-response-times
 */
export async function loadIntoOllama(
  address: ServerAddress,
  model: string,
  signal: AbortSignal,
): Promise<boolean> {
  const url = `${rootOf(address.baseUrl)}/api/generate`;
  return (await getJson(address, url, signal, { model, stream: false }, LOAD)).status === 200;
}
