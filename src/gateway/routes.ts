import type { JsonObject } from '../base/json';
import type { ModelFailure } from '../core/words/model';
import { withAnswerForm } from './answer-form';
import type { Answer, Api, ApiRequest, RelayBackend, ReplyHead, ReplyWriter, ServerSentEvent } from './api';
import { chatApi, usesTools } from './chat-api';
import { BadRequest } from './gateway-request';
import { messagesApi } from './messages-api';
import { plainRequest } from './plain-request';
import { estimatedTokens, isClientEvent, relay, type ClientEvent, type GatewayEvent } from './relay';
import { responsesApi } from './responses-api';

interface FailedPass {
  readonly type: 'failure';
  readonly failure: ModelFailure;
}

interface Backend<Passed extends { readonly type: 'passed' }> extends RelayBackend {
  /** Forwards a request without tools unchanged; absent if the model is not a server. */
  readonly pass?: (body: JsonObject, signal: AbortSignal) => Promise<Passed | FailedPass>;
}

type Route<Passed> = (
  body: JsonObject,
  signal: AbortSignal,
  address: RequestAddress,
) => Promise<Answer | Passed>;

/** What an address says besides its route: what stands in place of the star, and the query. */
interface RequestAddress {
  readonly rest: string;
  readonly query: ReadonlyMap<string, string>;
}

/** All routes of the gateway, by method and path; a star at the end matches what is there. */
export function gatewayRoutes<Passed extends { readonly type: 'passed' }>(
  backend: Backend<Passed>,
): Readonly<Record<string, Route<Passed>>> {
  return {
    'GET /v1/models': async (_body, _signal, { query }) => ok(modelList(backend.model, query)),
    // Requests may name any model, so all of them exist.
    'GET /v1/models/*': async (_body, _signal, { rest }) => ok(modelEntry(rest)),
    'POST /v1/chat/completions': (body, signal) => answerChat(body, backend, signal),
    'POST /v1/responses': (body, signal) => answerRelayed(responsesApi, body, backend, signal),
    'POST /v1/messages': (body, signal) => answerRelayed(messagesApi, body, backend, signal),
    'POST /v1/messages/count_tokens': (body) => countMessages(body, backend),
  };
}

function ok(body: JsonObject): Answer {
  return { type: 'whole', status: 200, body };
}

/** `POST /v1/chat/completions`. */
async function answerChat<Passed extends { readonly type: 'passed' }>(
  body: JsonObject,
  backend: Backend<Passed>,
  signal: AbortSignal,
): Promise<Answer | Passed> {
  if (!backend.pass || usesTools(body)) return answerRelayed(chatApi, body, backend, signal);
  const passed = await backend.pass({ ...plainRequest(body), model: backend.model }, signal);
  return passed.type === 'failure' ? failureAnswer(chatApi, passed.failure) : passed;
}

/** `POST /v1/messages/count_tokens`: an estimate, without images. */
async function countMessages(body: JsonObject, { upstream }: RelayBackend): Promise<Answer> {
  const request = readRequest(messagesApi, body);
  if ('refused' in request) return request.refused;
  const tokens = estimatedTokens(request, await upstream(request.rest, request.stop));
  return ok({ input_tokens: tokens });
}

/** Answers with the result of `relay` for the request. */
async function answerRelayed<Request extends ApiRequest>(
  api: Api<Request>,
  body: JsonObject,
  backend: RelayBackend,
  signal: AbortSignal,
): Promise<Answer> {
  const request = readRequest(api, body);
  if ('refused' in request) return request.refused;
  const { upstream, watch = same, longWait } = backend;
  const events = clientEvents(watch(relay(request, await upstream(request.rest, request.stop), signal)));
  const head: ReplyHead = {
    id: api.idPrefix + backend.newId(),
    created: Math.floor(backend.now() / 1000),
    model: backend.model,
  };
  if (!request.isStreamed) {
    const all: ClientEvent[] = [];
    for await (const event of events) all.push(event);
    const failed = all.find((event) => event.type === 'failure');
    return failed ? failureAnswer(api, failed.failure) : ok(api.whole(head, request, all));
  }
  // An early failure gets its own status, if it comes before any event and soon: clients give up on a silent server.
  const first = events.next();
  const soon = await soonOf(first, longWait, signal);
  if (soon?.done === false && soon.value.type === 'failure') return failureAnswer(api, soon.value.failure);
  return { type: 'stream', events: streamed(api, first, events, api.writer(head, request)) };
}

/** The request, or the answer that refuses it. */
function readRequest<Request extends ApiRequest>(
  api: Pick<Api<Request>, 'read' | 'error'>,
  body: JsonObject,
): Request | { readonly refused: Answer } {
  try {
    return withAnswerForm(api.read(body));
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return { refused: failureAnswer(api, { code: 'rejected', message: error.message, status: 400 }) };
  }
}

/** With the upstream's status, if it sent one. */
function failureAnswer({ error }: Pick<Api<ApiRequest>, 'error'>, failure: ModelFailure): Answer {
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

/** A model as both OpenAI's and Anthropic's clients read it. */
function modelEntry(id: string): JsonObject {
  return {
    id,
    ...{ object: 'model', created: 0, owned_by: 'parley' },
    ...{ type: 'model', display_name: id, created_at: '1970-01-01T00:00:00Z' },
  };
}

/**
 * The answer to `GET /v1/models`. Codex, which sends its version, reports an error without `models`. An entry there
 * would replace its instructions and tools for the model, so the list is empty: it then uses its own.
 */
function modelList(id: string, query: ReadonlyMap<string, string>): JsonObject {
  const list = { object: 'list', data: [modelEntry(id)], has_more: false, first_id: id, last_id: id };
  return query.has('client_version') ? { ...list, models: [] } : list;
}
