import type { JsonObject } from '../base/json';
import type { ModelFailure } from '../core/words/model';
import { ChatChunks, chatReply, errorFields, type ReplyHead } from './chat-reply';
import { BadRequest, readChatRequest, usesTools } from './chat-request';
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
  /** Server-sent events, without their frames. */
  | { readonly type: 'stream'; readonly data: AsyncIterable<string> };

interface FailedPass {
  readonly type: 'failure';
  readonly failure: ModelFailure;
}

/** Who is behind the gateway. */
export interface Backend<Passed extends { readonly type: 'passed' }> {
  /** As the upstream knows it. */
  readonly model: string;
  /** Answers a request whose other fields are these. */
  readonly upstream: (rest: JsonObject) => Upstream;
  /** Sends a request without tools as it is; not where the model is no server. */
  readonly pass?: (body: JsonObject, signal: AbortSignal) => Promise<Passed | FailedPass>;
  readonly now: () => number;
  readonly newId: () => string;
  /** For logs: what happened to each request. */
  readonly onEvent?: (event: GatewayEvent) => void;
}

/** `POST /v1/chat/completions`. */
export async function answerChat<Passed extends { readonly type: 'passed' }>(
  body: JsonObject,
  backend: Backend<Passed>,
  signal: AbortSignal,
): Promise<Answer | Passed> {
  if (backend.pass && !usesTools(body)) {
    const passed = await backend.pass({ ...body, model: backend.model }, signal);
    return passed.type === 'failure' ? failed(passed.failure) : passed;
  }
  let request;
  try {
    request = readChatRequest(body);
  } catch (error) {
    if (error instanceof BadRequest) return refusal(400, 'invalid_request_error', error.message);
    throw error;
  }
  const { model: _, ...rest } = request.rest;
  const events = noted(relay(request, backend.upstream(rest), signal), backend.onEvent);
  const head: ReplyHead = {
    id: `chatcmpl-${backend.newId()}`,
    created: Math.floor(backend.now() / 1000),
    model: backend.model,
  };
  if (!request.isStreamed) {
    const all: GatewayEvent[] = [];
    for await (const event of events) all.push(event);
    const result = chatReply(head, all);
    return 'reply' in result ? { type: 'whole', status: 200, body: result.reply } : failed(result.failure);
  }
  // A failure before anything else has a status of its own.
  const first = await events.next();
  if (!first.done && first.value.type === 'failure') return failed(first.value.failure);
  const chunks = new ChatChunks(head, request.endsWithUsage);
  return { type: 'stream', data: streamed(first, events, chunks) };
}

async function* streamed(
  first: IteratorResult<GatewayEvent, void>,
  events: AsyncGenerator<GatewayEvent, void, undefined>,
  chunks: ChatChunks,
): AsyncGenerator<string, void, undefined> {
  let hasFailed = false;
  for (let next = first; !next.done; next = await events.next()) {
    hasFailed ||= next.value.type === 'failure';
    for (const chunk of chunks.of(next.value)) yield JSON.stringify(chunk);
  }
  // What failed has no polite end.
  if (!hasFailed) yield '[DONE]';
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

export function refusal(status: number, type: string, message: string): Answer {
  return { type: 'whole', status, body: { error: { message, type, param: null, code: null } } };
}

/** With the status of the upstream, where it has given one. */
function failed(failure: ModelFailure): Answer {
  const { code, status = STATUSES[code] ?? 502, retry: { afterMs } = {} } = failure;
  return {
    type: 'whole',
    status,
    body: { error: errorFields(failure) },
    ...(afterMs !== undefined && { retryAfterMs: afterMs }),
  };
}

const STATUSES: Readonly<Partial<Record<ModelFailure['code'], number>>> = {
  'too-long': 400,
  'timed-out': 504,
  'not-configured': 500,
};
