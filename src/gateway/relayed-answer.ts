import type { JsonObject } from '../base/json';
import type { ModelFailure } from '../core/words/model';
import { BadRequest, type ApiRequest } from './gateway-request';
import { relay, type GatewayEvent, type Upstream } from './relay';

/** What a client is answered. */
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

/** Who is behind the gateway. */
export interface RelayBackend {
  /** As the upstream knows it. */
  readonly model: string;
  /** Answers a request whose other fields are these. */
  readonly upstream: (rest: JsonObject) => Upstream | Promise<Upstream>;
  readonly now: () => number;
  readonly newId: () => string;
  /** For logs: what happened to each request. */
  readonly onEvent?: (event: GatewayEvent) => void;
}

/** What all events of a reply, and the whole of it, have in common. */
export interface ReplyHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
}

/** Says one reply in the words of an API, event by event. */
export interface ReplyWriter {
  of(event: GatewayEvent): readonly JsonObject[];
}

/** An API that the gateway speaks. */
export interface Api<Request extends ApiRequest> {
  /** What the ids of its replies begin with. */
  readonly idPrefix: string;
  /** Throws `BadRequest`. */
  readonly read: (body: JsonObject) => Request;
  readonly writer: (head: ReplyHead, request: Request) => ReplyWriter;
  /** Of a reply that did not fail. */
  readonly whole: (head: ReplyHead, request: Request, events: readonly GatewayEvent[]) => JsonObject;
  readonly error: (failure: RequestFailure) => JsonObject;
  /** Every event of a stream is named by the type in its data. */
  readonly namesEvents: boolean;
  /** The last data of a stream that has not failed. */
  readonly last?: string;
}

/** Of the upstream, or of what was asked. */
export type RequestFailure = Pick<ModelFailure, 'code' | 'message' | 'figures' | 'status'>;

/** Answers by what `relay` makes of the request. */
export async function answerRelayed<Request extends ApiRequest>(
  api: Api<Request>,
  body: JsonObject,
  backend: RelayBackend,
  signal: AbortSignal,
): Promise<Answer> {
  const request = readRequest(api, body);
  if ('refused' in request) return request.refused;
  const events = noted(relay(request, await backend.upstream(request.rest), signal), backend.onEvent);
  const head: ReplyHead = {
    id: api.idPrefix + backend.newId(),
    created: Math.floor(backend.now() / 1000),
    model: backend.model,
  };
  if (!request.isStreamed) {
    const all: GatewayEvent[] = [];
    for await (const event of events) all.push(event);
    const failed = all.find((event) => event.type === 'failure');
    return failed
      ? failureAnswer(api, failed.failure)
      : { type: 'whole', status: 200, body: api.whole(head, request, all) };
  }
  // A failure before anything else has a status of its own.
  const first = await events.next();
  if (!first.done && first.value.type === 'failure') return failureAnswer(api, first.value.failure);
  return { type: 'stream', events: streamed(api, first, events, api.writer(head, request)) };
}

/** The request, or how it is refused. */
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

/** With the status of the upstream, where it has given one. */
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
  first: IteratorResult<GatewayEvent, void>,
  events: AsyncGenerator<GatewayEvent, void, undefined>,
  writer: ReplyWriter,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let hasFailed = false;
  for (let next = first; !next.done; next = await events.next()) {
    hasFailed ||= next.value.type === 'failure';
    for (const data of writer.of(next.value)) {
      const name = data['type'];
      yield { ...(namesEvents && typeof name === 'string' && { name }), data: JSON.stringify(data) };
    }
  }
  // What failed has no polite end.
  if (!hasFailed && last !== undefined) yield { data: last };
}

async function* noted(
  events: AsyncIterable<GatewayEvent>,
  onEvent: ((event: GatewayEvent) => void) | undefined,
): AsyncGenerator<GatewayEvent, void, undefined> {
  for await (const event of events) {
    onEvent?.(event);
    yield event;
  }
}

/** The events of a whole reply, in which text that turned out to be thoughts is reasoning. */
export function standingReply(events: readonly GatewayEvent[]): readonly GatewayEvent[] {
  const begin = events.findLastIndex(({ type }) => type === 'reasoning-end');
  return events.flatMap((event, at): readonly GatewayEvent[] => {
    if (event.type === 'reasoning-end') return [{ type: 'reasoning', text: event.text }];
    return at < begin && (event.type === 'text' || event.type === 'reasoning') ? [] : [event];
  });
}
