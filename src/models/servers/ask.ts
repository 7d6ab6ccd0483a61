import { impliedApi } from '../api-address';
import type { Api } from '../apis/api-name';
import { sentHeaders } from '../key-headers';
import { pause } from '../../base/async';
import type { Fetch } from '../../base/transport';
import { baseAddresses, isElsewhere, requestAddress, rootOf } from '../api-address';
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

/** Connection to a server. */
export interface ServerAddress {
  /** Of its API, usually ending in `/v1`. */
  readonly baseUrl: string;
  /** Sent only to this address's own origin, which all requests here have. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** As its address implies if not given. */
  readonly api?: Api;
  /** The kind of server, if the user has chosen one. */
  readonly kind?: 'ollama' | undefined;
  /** How requests are sent; the platform's `fetch` if not given. */
  readonly fetch?: Fetch;
}

/** Result of looking for a server. */
export type ServerLook =
  | { readonly type: 'found'; readonly models: readonly ListedModel[] }
  /** It wants a key, or another one. */
  | { readonly type: 'locked' }
  | { readonly type: 'loading' }
  /** No answer, or one that lists no models; `status` is that of the answer. */
  | { readonly type: 'none'; readonly status?: number };

/** Status of llama.cpp and others while they load a model. */
const LOADING = 503;

/** Milliseconds for one request: a running server answers these at once, unless the model takes the whole machine. */
const ONE_QUESTION = 5_000;

/** Milliseconds for all requests about a model, because a run waits for them. */
const ALL_QUESTIONS = 10_000;

/** Maximum number of models; aggregating services have several hundred. */
const MODELS_SHOWN = 1_000;

/** Models of a server, with the facts in its list. Never rejects. */
export async function lookAt(
  address: ServerAddress,
  signal: AbortSignal,
  limit = ONE_QUESTION,
): Promise<ServerLook> {
  const url = requestAddress(address.baseUrl, '/models');
  const answer = await getJson(address, url, signal, undefined, limit);
  if (answer.status === 401 || answer.status === 403) return { type: 'locked' };
  if (answer.status === LOADING) return { type: 'loading' };
  const models = answer.status === 200 ? readModelList(answer.body) : undefined;
  if (models) return { type: 'found', models: models.slice(0, MODELS_SHOWN) };
  return { type: 'none', ...(answer.status !== undefined && { status: answer.status }) };
}

/**
 * Facts about the server and one of its models: its list first, then requests specific to its family. Remote servers
 * get only the list request and those for gateways. The caller decides whether a server may be asked at all. Nothing
 * without an answer, or while the server loads its model. Never rejects.
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
  const list = await listModels(address, signal);
  // A server that does not answer this request answers no other in time.
  if (list.status === undefined || list.status === LOADING) return undefined;
  const models = (list.status === 200 ? readModelList(list.body) : undefined) ?? [];
  const listed = models.find(({ id }) => id === model) ?? (models.length === 1 ? models[0] : undefined);
  // A server with one model answers for that one, whatever the name; others refuse an unknown name.
  const kind = listed?.facts.kind ?? models.find(({ facts }) => facts.kind !== undefined)?.facts.kind;
  const first: ServerFacts = { ...(kind !== undefined && { kind }), ...listed?.facts };
  if (!isNear(address.baseUrl)) {
    return mergeFacts([first, ...(first.window === undefined ? [await questions.liteLlm()] : [])]);
  }
  return mergeFacts([first, ...(await questions.ofKind(first, listed))]);
}

/** The answer of the first address that has such a list. */
async function listModels(address: ServerAddress, signal: AbortSignal): Promise<ServerAnswer> {
  const [first = '', ...others] = baseAddresses(address.baseUrl);
  const ask = (base: string): Promise<ServerAnswer> =>
    getJson(address, requestAddress(base, '/models'), signal);
  const answer = await ask(first);
  for (const other of isElsewhere(answer.status) ? others : []) {
    const next = await ask(other);
    if (!isElsewhere(next.status)) return next;
  }
  return answer;
}

/**
 * Waits until a server has loaded its model, at most two minutes, and says whether it had to. `tell` is called once if it
 * takes a while.
 */
export async function untilLoaded(
  address: ServerAddress,
  signal: AbortSignal,
  tell: () => void,
): Promise<boolean> {
  const end = performance.now() + MOST_LOADING;
  for (let isFirst = true; !signal.aborted && performance.now() < end; isFirst = false) {
    const { status } = await listModels(address, signal);
    if (status !== LOADING) return !isFirst;
    if (isFirst) tell();
    await pause(LOADING_PAUSE, signal);
  }
  return true;
}

const MOST_LOADING = 120_000;
const LOADING_PAUSE = 500;

/** Requests specific to each family, at the root of the server. */
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
      // Their list contains all facts.
      case 'openrouter':
      case 'mistral':
        return [];
      default:
        return this.ofUnknown(listed);
    }
  }

  /** Until one identifies itself; ordered by popularity. */
  private async ofUnknown(listed: ListedModel | undefined): Promise<readonly ServerFacts[]> {
    for (const ask of [
      () => this.lmStudio(),
      // Before Ollama, whose API it also supports.
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
    // Asking about an unloaded model would load it.
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

  /** The window of the loaded model counts; if none is loaded, the one it was created with. */
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

interface ServerAnswer {
  /** Nothing without an answer. */
  readonly status?: number;
  /** Nothing if it was not JSON. */
  readonly body?: unknown;
}

/** Sends one request; with a body it is a POST. Never rejects. */
export async function getJson(
  { key, headers = {}, api, fetch }: ServerAddress,
  url: string,
  signal: AbortSignal,
  body?: object,
  limit = ONE_QUESTION,
): Promise<ServerAnswer> {
  let status: number | undefined;
  try {
    const init = {
      // Redirects are not followed: a key is sent only to the address it was entered for.
      signal: AbortSignal.any([signal, AbortSignal.timeout(limit)]),
      headers: {
        ...sentHeaders(api ?? impliedApi(url), key, headers),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    };
    const response = await fetchWhole(url, init, fetch);
    ({ status } = response);
    return { status, body: await response.json() };
  } catch {
    // No listener, too slow, or not JSON: there are no facts in any case.
    return status === undefined ? {} : { status };
  }
}

/** Milliseconds for a load: large models come from slow disks. */
const LOAD = 280_000;

/**
 * Makes Ollama load a model as its next request over `/v1` would, without a prompt. Returns whether it is loaded now.
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
