import type { JsonObject } from '../base/json';
import { answerChat, type Backend } from './chat-endpoint';
import { answerMessages, countMessages } from './messages-endpoint';
import type { Answer } from './relayed-answer';
import { answerResponses } from './responses-endpoint';

type Route<Passed> = (body: JsonObject, signal: AbortSignal) => Promise<Answer | Passed>;

/** All routes of the gateway, by method and path. */
export function gatewayRoutes<Passed extends { readonly type: 'passed' }>(
  backend: Backend<Passed>,
): Readonly<Record<string, Route<Passed>>> {
  const model = { id: backend.model, object: 'model', created: 0, owned_by: 'parley' };
  return {
    'GET /v1/models': async () => ({ type: 'whole', status: 200, body: { object: 'list', data: [model] } }),
    'POST /v1/chat/completions': (body, signal) => answerChat(body, backend, signal),
    'POST /v1/responses': (body, signal) => answerResponses(body, backend, signal),
    'POST /v1/messages': (body, signal) => answerMessages(body, backend, signal),
    'POST /v1/messages/count_tokens': (body) => countMessages(body, backend),
  };
}
