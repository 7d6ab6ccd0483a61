import type { JsonObject } from '../base/json';
import type { ApiRequest } from './gateway-request';
import { MessagesEvents, messagesError, messagesReply } from './messages-reply';
import { readMessagesRequest } from './messages-request';
import { estimatedTokens } from './relay';
import { answerRelayed, readRequest, type Answer, type Api, type RelayBackend } from './relayed-answer';

const messagesApi: Api<ApiRequest> = {
  idPrefix: 'msg_',
  read: readMessagesRequest,
  writer: (head) => new MessagesEvents(head),
  whole: (head, _, events) => messagesReply(head, events),
  error: messagesError,
  namesEvents: true,
};

/** `POST /v1/messages`. */
export function answerMessages(
  body: JsonObject,
  backend: RelayBackend,
  signal: AbortSignal,
): Promise<Answer> {
  return answerRelayed(messagesApi, body, backend, signal);
}

/** `POST /v1/messages/count_tokens`: an estimate, without images. */
export async function countMessages(body: JsonObject, { upstream }: RelayBackend): Promise<Answer> {
  const request = readRequest(messagesApi, body);
  if ('refused' in request) return request.refused;
  const tokens = estimatedTokens(request, await upstream(request.rest));
  return { type: 'whole', status: 200, body: { input_tokens: tokens } };
}
