import type { JsonObject } from '../base/json';
import type { ModelFailure } from '../core/words/model';
import { ChatChunks, chatReply, errorFields } from './chat-reply';
import { readChatRequest, usesTools, type ChatRequest } from './chat-request';
import { answerRelayed, failureAnswer, type Answer, type Api, type RelayBackend } from './relayed-answer';

interface FailedPass {
  readonly type: 'failure';
  readonly failure: ModelFailure;
}

export interface Backend<Passed extends { readonly type: 'passed' }> extends RelayBackend {
  /** Forwards a request without tools unchanged; absent if the model is not a server. */
  readonly pass?: (body: JsonObject, signal: AbortSignal) => Promise<Passed | FailedPass>;
}

const chatApi: Api<ChatRequest> = {
  idPrefix: 'chatcmpl-',
  read: readChatRequest,
  writer: (head, { endsWithUsage }) => new ChatChunks(head, endsWithUsage),
  whole: (head, _, events) => chatReply(head, events),
  error: (failure) => ({ error: errorFields(failure) }),
  namesEvents: false,
  last: '[DONE]',
};

/** `POST /v1/chat/completions`. */
export async function answerChat<Passed extends { readonly type: 'passed' }>(
  body: JsonObject,
  backend: Backend<Passed>,
  signal: AbortSignal,
): Promise<Answer | Passed> {
  if (!backend.pass || usesTools(body)) return answerRelayed(chatApi, body, backend, signal);
  const passed = await backend.pass({ ...body, model: backend.model }, signal);
  return passed.type === 'failure' ? failureAnswer(chatApi, passed.failure) : passed;
}
