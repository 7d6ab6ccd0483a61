import type { JsonObject } from '../../base/json';
import type { ModelRequest } from '../../core/words/model';
import { requestBody, type BodyOptions } from '../body';
import { ChatReply } from './chat-reply';
import type { ReasoningRequirements } from '../fact-types';
import type { Api } from './api-name';
import { messagesBody } from './messages-body';
import { MessagesStream } from './messages-stream';
import type { ReplyStream } from './reply-stream';
import { responsesBody } from './responses-body';
import { ResponsesStream } from './responses-stream';

/** What differs between the APIs of endpoints. */
export interface Wire {
  /** Behind the base address. */
  readonly path: string;
  readonly body: (
    options: BodyOptions,
    request: ModelRequest,
    requirements?: ReasoningRequirements,
  ) => JsonObject;
  /** For one reply. */
  readonly stream: () => ReplyStream;
}

export const wires: Readonly<Record<Api, Wire>> = {
  chat: {
    path: '/chat/completions',
    // SAFETY: a body is JSON.
    body: (...args) => requestBody(...args) as unknown as JsonObject,
    stream: () => new ChatReply(),
  },
  responses: { path: '/responses', body: responsesBody, stream: () => new ResponsesStream() },
  messages: { path: '/messages', body: messagesBody, stream: () => new MessagesStream() },
};
