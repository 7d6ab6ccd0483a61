import OpenAI from 'openai';
import type { ClientOptions } from 'openai';
import type { JsonObject } from '../base/json';
import { plainFetch, type Fetch } from '../base/transport';
import type { Model, ModelDelta, ModelFailure, ModelRequest, PromptProgress } from '../core/words/model';
import { Addresses, keysIn } from './api-address';
import type { Api } from './apis/api-name';
import { withCacheMarks, type CacheMarks } from './apis/cache-marks';
import { wires } from './apis/wire';
import type { BodyOptions } from './body';
import { timedOut } from './exchange/connection-failure';
import {
  explain,
  notAStream,
  reported,
  shownAddress,
  type Circumstances,
  type Endpoint,
} from './exchange/endpoint-failure';
import { streamEvents } from './exchange/event-stream';
import { Exchange, statusOf } from './exchange/exchange';
import type { FilledHeaders } from './headers';
import { keyHeaders } from './key-headers';
import type { Quirks, ReasoningRequirements } from './fact-types';
import { adaptedBody } from './quirks/quirks';
import type { KeyProblem } from './refresh-key';
import { timeoutsFor, type TimeoutName, type Timeouts } from './exchange/timeouts';
import { Watchdog } from './exchange/watchdog';

export interface OpenAiOptions extends Endpoint, BodyOptions {
  readonly name: string;
  /** `chat` if not given. */
  readonly api?: Api;
  readonly cache?: CacheMarks | undefined;
  /** Those that the base URL may mean, the likeliest first; only itself if not given. */
  readonly addresses?: readonly string[];
  /** Called for every request, so that no key is stored here. Local servers need none. */
  readonly apiKey: (signal: AbortSignal) => Promise<string | KeyProblem | undefined>;
  /** Called for every request, too: they may contain secrets. */
  readonly headers?: () => Promise<FilledHeaders>;
  /** What the endpoint requires about reasoning, as far as it is known now. */
  readonly requirements?: () => ReasoningRequirements;
  /** What the endpoint refuses in requests, as far as it is known now. */
  readonly quirks?: () => Quirks;
  /** Called once the endpoint has taken the key as a bearer token after refusing it in the header of its API. */
  readonly onBearer?: () => void;
  /** In seconds; missing ones have the default for the location of the server. */
  readonly timeouts?: { readonly [Name in keyof Timeouts]?: number | undefined } | undefined;
  /** How requests are sent; the platform's `fetch` if not given. */
  readonly fetch?: Fetch;
  /** The server is llama.cpp, which reports the progress of the prompt on request. */
  readonly asksProgress?: () => boolean;
  /** Called with every body that is sent. Headers, which contain the key, are excluded. */
  readonly onSend?: OnSend;
}

export type OnSend = (body: object, request: ModelRequest) => void;

/** Any endpoint that speaks one of the APIs, through the client's transport. */
export function openAiModel(options: OpenAiOptions): Model {
  const addresses = new Addresses(options);
  return { name: options.name, stream: (request, signal) => stream(options, addresses, request, signal) };
}

/** The body of a request before anything is left out that the endpoint refuses. */
export function wholeBody(options: OpenAiOptions, request: ModelRequest): JsonObject {
  const { api = 'chat' } = options;
  const body = {
    ...(api === 'chat' && options.asksProgress?.() && { return_progress: true }),
    ...wires[api].body(options, request, options.requirements?.()),
  };
  return withCacheMarks(body, { ...options, api });
}

async function* stream(
  options: OpenAiOptions,
  addresses: Addresses,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, void, undefined> {
  const isStopped = (): boolean => signal.aborted;
  const key = await options.apiKey(signal);
  if (isStopped()) return;
  if (typeof key === 'object') {
    yield failure('not-configured', key.problem);
    return;
  }
  const filled = await options.headers?.();
  if (filled?.type === 'missing') {
    yield failure('not-configured', secretMissing(options, filled.name));
    return;
  }
  const timeouts = timeoutsFor(options.baseUrl, options.timeouts);
  const watchdog = new Watchdog(signal, timeouts);
  const exchange = new Exchange(options.fetch ?? plainFetch, watchdog);
  let hasBegun = false;
  const { api = 'chat' } = options;
  const wire = wires[api];
  const reply = wire.stream();
  const circumstances = (): Circumstances => ({
    endpoint: options,
    secrets: [
      ...[key, ...keysIn(options.baseUrl)],
      ...(filled?.secrets ?? []),
      ...Object.values(filled?.headers ?? {}),
    ],
    timeouts,
    progress: exchange.progress,
    hasBegun,
  });
  const expired = (why: TimeoutName): ModelDelta => {
    const way = { address: shownAddress(options), baseUrl: options.baseUrl, progress: exchange.progress };
    return { type: 'failure', failure: timedOut(why, timeouts, way) };
  };
  const known = options.quirks?.() ?? {};
  const sent = adaptedBody(wholeBody(options, request), known, api);
  const { headers: own = {} } = filled ?? {};
  const sendWith = (baseURL: string, isBearer: boolean): Promise<Response> => {
    const client = clientOf({
      baseURL,
      // The client requires a key; without one its header is removed again.
      apiKey: key ?? 'none',
      organization: null,
      project: null,
      logLevel: 'off',
      // `retrying` does that, where the user can see and stop it.
      maxRetries: 0,
      // The watchdog does that.
      timeout: LONGEST,
      fetch: exchange.fetch,
      // A key is sent only to the address it was entered for.
      fetchOptions: { redirect: 'manual' },
      defaultHeaders: { ...keyHeaders(api, key, { own, isBearer }), ...own },
    });
    // Its own reader gives up at the first event that is not JSON.
    return client.post(wire.path, { body: sent, stream: true, signal: watchdog.signal }).asResponse();
  };
  const send = async (baseURL: string): Promise<Response> => {
    const isBearer = known.isBearer === true;
    try {
      return await sendWith(baseURL, isBearer);
    } catch (error) {
      if (api !== 'messages' || key === undefined || isBearer || statusOf(error) !== 401) throw error;
      const response = await sendWith(baseURL, true);
      options.onBearer?.();
      return response;
    }
  };
  try {
    options.onSend?.(sent, request);
    const { body, headers } = await addresses.find(send, statusOf);
    if (headers.get('content-type')?.includes('text/html')) {
      await body?.cancel();
      yield failure('not-a-stream', notAStream(`${shownAddress(options)} answered with a web page`));
      return;
    }
    yield { type: 'progress', stage: 'taken' };
    for await (const events of body ? streamEvents(body) : []) {
      for (const event of events) {
        for (const part of reply.push(event)) {
          if (part.type === 'error') {
            yield { type: 'failure', failure: reported(part.said, circumstances()) };
            return;
          }
          const { chunk, deltas } = part;
          const prompt = promptProgress(chunk);
          if (prompt) yield { type: 'progress', stage: 'reading', prompt };
          if (deltas.length > 0) watchdog.began();
          hasBegun ||= deltas.length > 0 || 'choices' in chunk;
          // Not `yield*`, which waits for each several times.
          for (const delta of deltas) yield delta;
        }
      }
      if (reply.isOver) watchdog.finished(CLOSED_WITHIN);
      else if (reply.hasEnded) watchdog.finished(USAGE_WITHIN);
    }
  } catch (error) {
    if (isStopped()) return;
    // What happens to the connection after the reply does not matter.
    if (!reply.hasEnded && !reply.isOver) {
      if (watchdog.expired) yield expired(watchdog.expired);
      else yield { type: 'failure', failure: explain(error, circumstances()) };
      return;
    }
  } finally {
    watchdog.stop();
  }
  if (isStopped()) return;
  for (const delta of reply.end()) yield delta;
  const carried = reply.carried(options);
  if (carried) yield { type: 'carried', carried };
  if (!hasBegun) {
    yield failure(
      'not-a-stream',
      notAStream(`${shownAddress(options)} answered with nothing that is a streamed reply`),
    );
  }
}

/** Seconds for the numbers that follow a reply, and for a server to close the stream after its last event. */
const USAGE_WITHIN = 5;
const CLOSED_WITHIN = 1;

/** Maximum milliseconds of a JavaScript timer. */
const LONGEST = 2 ** 31 - 1;

/**
 * The client would read headers for every endpoint from the environment, over those of the profile; a key in there is
 * for another server.
 */
function clientOf(options: ClientOptions): OpenAI {
  const { OPENAI_CUSTOM_HEADERS: kept } = process.env;
  delete process.env['OPENAI_CUSTOM_HEADERS'];
  try {
    return new OpenAI(options);
  } finally {
    if (kept !== undefined) process.env['OPENAI_CUSTOM_HEADERS'] = kept;
  }
}

function secretMissing({ name }: OpenAiOptions, secret: string): string {
  return `A header of ${name} needs the secret "${secret}", which is not set for this address. Set it with "Parley: Set API Key".`;
}

function failure(code: ModelFailure['code'], message: string): ModelDelta {
  return { type: 'failure', failure: { code, message } };
}

/**
 * Progress of prompt processing, in an event that llama.cpp sends on request (`return_progress`,
 * tools/server/README.md: `prompt_progress { total, cache, processed, time_ms }`, in tokens, `processed` including
 * cached ones).
 */
function promptProgress(event: unknown): PromptProgress | undefined {
  const { total, cache, processed } = fields(fields(event)['prompt_progress']);
  if (!isCount(total) || !isCount(processed)) return undefined;
  const all = total;
  return { all, read: Math.min(processed, all), cached: isCount(cache) ? Math.min(cache, all) : 0 };
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  // SAFETY: any object can be read by name; the values are unknown.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
