import type { JsonObject } from '../base/json';
import type { ModelFailure } from '../core/words/model';
import { BadRequest, type ApiRequest } from './gateway-request';
import { isClientEvent, relay, type GatewayEvent, type ClientEvent, type Upstream } from './relay';

/** The answer to a client. */
export type Answer =
  | {
      readonly type: 'whole';
      readonly status: number;
      readonly body: JsonObject;
      /** Milliseconds after which the client may try again. */
      readonly retryAfterMs?: number;
    }
  | { readonly type: 'stream'; readonly events: AsyncIterable<ServerSentEvent> };

export interface ServerSentEvent {
  readonly name?: string;
  readonly data: string;
}

/** What is behind the gateway. */
export interface RelayBackend {
  /** As the upstream names it. */
  readonly model: string;
  /** Answers a request with these other fields. */
  readonly upstream: (rest: JsonObject) => Upstream | Promise<Upstream>;
  readonly now: () => number;
  readonly newId: () => string;
  /** Observes the events of each request, and passes them on. */
  readonly watch?: (events: AsyncIterable<GatewayEvent>) => AsyncIterable<GatewayEvent>;
  /** Resolves when a client that has received nothing should learn that its request is in progress. */
  readonly longWait: (signal: AbortSignal) => Promise<void>;
}

/** What all events of a reply, and the complete reply, have in common. */
export interface ReplyHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
}

/** Writes one reply in the form of an API, event by event. */
export interface ReplyWriter {
  of(event: ClientEvent): readonly JsonObject[];
}

/** An API that the gateway supports. */
export interface Api<Request extends ApiRequest> {
  /** Prefix of its replies' ids. */
  readonly idPrefix: string;
  /** Throws `BadRequest`. */
  readonly read: (body: JsonObject) => Request;
  readonly writer: (head: ReplyHead, request: Request) => ReplyWriter;
  /** For a reply that did not fail. */
  readonly whole: (head: ReplyHead, request: Request, events: readonly ClientEvent[]) => JsonObject;
  readonly error: (failure: RequestFailure) => JsonObject;
  /** Each event of a stream is named after the type in its data. */
  readonly namesEvents: boolean;
  /** The last data of a stream that has not failed. */
  readonly last?: string;
}

/** A failure of the upstream or of the request. */
export type RequestFailure = Pick<ModelFailure, 'code' | 'message' | 'figures' | 'status'>;

/** Answers with the result of `relay` for the request. */
export async function answerRelayed<Request extends ApiRequest>(
  api: Api<Request>,
  body: JsonObject,
  backend: RelayBackend,
  signal: AbortSignal,
): Promise<Answer> {
  const request = readRequest(api, body);
  if ('refused' in request) return request.refused;
  const { upstream, watch = same, longWait } = backend;
  const events = clientEvents(watch(relay(request, await upstream(request.rest), signal)));
  const head: ReplyHead = {
    id: api.idPrefix + backend.newId(),
    created: Math.floor(backend.now() / 1000),
    model: backend.model,
  };
  if (!request.isStreamed) {
    const all: ClientEvent[] = [];
    for await (const event of events) all.push(event);
    const failed = all.find((event) => event.type === 'failure');
    return failed
      ? failureAnswer(api, failed.failure)
      : { type: 'whole', status: 200, body: api.whole(head, request, all) };
  }
  // An early failure gets its own status, if it comes before any event and soon: clients give up on a silent server.
  const first = events.next();
  const soon = await soonOf(first, longWait, signal);
  if (soon?.done === false && soon.value.type === 'failure') return failureAnswer(api, soon.value.failure);
  return { type: 'stream', events: streamed(api, first, events, api.writer(head, request)) };
}

/** The request, or the answer that refuses it. */
export function readRequest<Request extends ApiRequest>(
  api: Pick<Api<Request>, 'read' | 'error'>,
  body: JsonObject,
): Request | { readonly refused: Answer } {
  try {
    return api.read(body);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return { refused: failureAnswer(api, { code: 'rejected', message: error.message, status: 400 }) };
  }
}

/** With the upstream's status, if it sent one. */
export function failureAnswer({ error }: Pick<Api<ApiRequest>, 'error'>, failure: ModelFailure): Answer {
  const { code, status = STATUSES[code] ?? 502, retry: { afterMs } = {} } = failure;
  return {
    type: 'whole',
    status,
    body: error(failure),
    ...(afterMs !== undefined && { retryAfterMs: afterMs }),
  };
}

const STATUSES: Readonly<Partial<Record<ModelFailure['code'], number>>> = {
  'too-long': 400,
  'timed-out': 504,
  'not-configured': 500,
};

async function* streamed(
  { namesEvents, last }: Pick<Api<ApiRequest>, 'namesEvents' | 'last'>,
  first: Promise<IteratorResult<ClientEvent, void>>,
  events: AsyncGenerator<ClientEvent, void, undefined>,
  writer: ReplyWriter,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let hasFailed = false;
  for (let next = await first; !next.done; next = await events.next()) {
    hasFailed ||= next.value.type === 'failure';
    for (const data of writer.of(next.value)) {
      const name = data['type'];
      yield { ...(namesEvents && typeof name === 'string' && { name }), data: JSON.stringify(data) };
    }
  }
  // A failed stream has no regular end.
  if (!hasFailed && last !== undefined) yield { data: last };
}

async function* clientEvents(
  events: AsyncIterable<GatewayEvent>,
): AsyncGenerator<ClientEvent, void, undefined> {
  for await (const event of events) {
    if (isClientEvent(event)) yield event;
  }
}

function same<Value>(value: Value): Value {
  return value;
}

/** `undefined` if it takes longer than the wait. */
async function soonOf<Value>(
  value: Promise<Value>,
  wait: RelayBackend['longWait'],
  signal: AbortSignal,
): Promise<Value | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([value, wait(AbortSignal.any([signal, over.signal])).then(() => undefined)]);
  } finally {
    over.abort();
  }
}

/** The events of a complete reply, in which text that turned out to be reasoning is marked as such. */
export function standingReply(events: readonly ClientEvent[]): readonly ClientEvent[] {
  const begin = events.findLastIndex(({ type }) => type === 'reasoning-end');
  return events.flatMap((event, at): readonly ClientEvent[] => {
    if (event.type === 'reasoning-end') return [{ type: 'reasoning', text: event.text }];
    return at < begin && (event.type === 'text' || event.type === 'reasoning') ? [] : [event];
  });
}
