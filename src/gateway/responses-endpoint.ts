import type { JsonObject } from '../base/json';
import { errorFields } from './chat-reply';
import { answerRelayed, type Answer, type Api, type RelayBackend } from './relayed-answer';
import { ResponsesEvents, responsesReply } from './responses-reply';
import { readResponsesRequest, type ResponsesRequest } from './responses-request';

const responsesApi: Api<ResponsesRequest> = {
  idPrefix: 'resp_',
  read: readResponsesRequest,
  writer: (head, request) => new ResponsesEvents(head, request),
  whole: responsesReply,
  error: (failure) => ({ error: errorFields(failure) }),
  namesEvents: true,
};

/** `POST /v1/responses`. */
export function answerResponses(
  body: JsonObject,
  backend: RelayBackend,
  signal: AbortSignal,
): Promise<Answer> {
  return answerRelayed(responsesApi, body, backend, signal);
}
