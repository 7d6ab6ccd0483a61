import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import type { EndReason, ModelFailure, Usage } from '../core/words/model';
import { wellFormedSchema } from '../core/words/schema';
import type { ToolSpec } from '../core/words/tool';
import { standingReply, type Api, type ReplyHead, type ReplyWriter } from './api';
import {
  apiToolCall,
  conversationOf,
  holdsCalls,
  type ApiContent,
  type ApiMessage,
  type ApiPart,
} from './api-messages';
import { BadRequest, chosenTools, listOf, type ApiRequest, type ToolChoice } from './gateway-request';
import type { ClientEvent } from './relay';

/** The Chat Completions API. */
export const chatApi: Api<ChatRequest> = {
  idPrefix: 'chatcmpl-',
  read: readChatRequest,
  writer: (head, { endsWithUsage }) => new ChatChunks(head, endsWithUsage),
  whole: (head, _, events) => chatReply(head, events),
  error: (failure) => ({ error: errorFields(failure) }),
  namesEvents: false,
  last: '[DONE]',
};

/** A request of the Chat Completions API (https://platform.openai.com/docs/api-reference/chat/create). */
export interface ChatRequest extends ApiRequest {
  /** The stream ends with a chunk that contains the usage. */
  readonly endsWithUsage: boolean;
}

/** Whether the request involves tools, so that a protocol has to translate; all others are forwarded unchanged. */
export function usesTools({ tools, messages }: JsonObject): boolean {
  return listOf(tools).length > 0 || holdsCalls(listOf(messages).filter(isJsonObject));
}

/** Throws `BadRequest`. */
export function readChatRequest(body: JsonObject): ChatRequest {
  const {
    messages,
    // The upstream has a different name for the model.
    model: _,
    tools,
    tool_choice: choice,
    parallel_tool_calls: parallel,
    stream,
    stream_options: options,
    stop,
    ...rest
  } = body;
  if (typeof rest['n'] === 'number' && rest['n'] > 1)
    throw new BadRequest('With tools, each request gets one reply: leave out "n".');
  if (messages === undefined || !isJsonList(messages) || messages.length === 0)
    throw new BadRequest('"messages" must be a list of messages.');
  const offered = listOf(tools).map(toolSpec);
  const usage = isJsonObject(options) ? options['include_usage'] : false;
  return {
    ...conversationOf(messages.map(apiMessage)),
    ...chosenTools(offered, toolChoice(choice)),
    isSingle: parallel === false,
    stop: stopsOf(stop),
    isStreamed: stream === true,
    endsWithUsage: usage === true,
    rest,
  };
}

function stopsOf(stop: Json | undefined): readonly string[] {
  if (typeof stop === 'string') return [stop];
  return listOf(stop).filter((each) => typeof each === 'string');
}

function toolChoice(choice: Json | undefined): ToolChoice {
  switch (choice) {
    case undefined:
    case null:
    case 'auto':
      return 'auto';
    case 'none':
      return 'none';
    case 'required':
    case 'any':
      return 'needed';
    default:
      return {
        name:
          isJsonObject(choice) && isJsonObject(choice['function']) ? choice['function']['name'] : undefined,
      };
  }
}

function toolSpec(tool: Json, at: number): ToolSpec {
  const given = isJsonObject(tool) && isJsonObject(tool['function']) ? tool['function'] : tool;
  const { name, description, parameters } = isJsonObject(given) ? given : {};
  if (typeof name !== 'string' || name === '')
    throw new BadRequest(`"tools[${at}]" must be a function with a name.`);
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: wellFormedSchema(parameters ?? {}),
  };
}

function apiMessage(message: Json, at: number): ApiMessage {
  const where = `messages[${at}]`;
  if (!isJsonObject(message)) throw new BadRequest(`"${where}" must be an object.`);
  const { role, content = null, tool_calls: calls, tool_call_id: id } = message;
  switch (role) {
    case 'system':
    case 'developer':
    case 'user':
      return { role, content: apiContent(content, where) };
    case 'assistant':
      return {
        role,
        content: apiContent(content, where),
        tool_calls: listOf(calls).map((call) => apiCall(call, where)),
      };
    case 'tool':
      if (typeof id !== 'string') throw new BadRequest(`"${where}.tool_call_id" is missing.`);
      return { role, tool_call_id: id, content: apiContent(content, where) };
    default:
      throw new BadRequest(`"${where}.role" must be system, developer, user, assistant or tool.`);
  }
}

function apiContent(content: Json, where: string): ApiContent {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  if (isJsonList(content)) return content.map((part) => apiPart(part, where));
  throw new BadRequest(`"${where}.content" must be text or a list of parts.`);
}

function apiPart(part: Json, where: string): ApiPart {
  const { type, text, refusal, image_url: image } = isJsonObject(part) ? part : {};
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type === 'refusal' && typeof refusal === 'string') return { type, text: refusal };
  if (type === 'image_url' && isJsonObject(image) && typeof image['url'] === 'string') {
    const { url, detail } = image;
    return { type, image_url: { url, ...(typeof detail === 'string' && { detail }) } };
  }
  throw new BadRequest(
    `A part of "${where}.content" is neither text nor an image, which is not supported with tools.`,
  );
}

function apiCall(
  call: Json,
  where: string,
): NonNullable<(ApiMessage & { role: 'assistant' })['tool_calls']>[number] {
  const { id, function: given } = isJsonObject(call) ? call : {};
  const { name, arguments: args = '' } = isJsonObject(given) ? given : {};
  if (typeof id !== 'string' || typeof name !== 'string' || typeof args !== 'string')
    throw new BadRequest(
      `A call of "${where}" needs "id", "function.name" and "function.arguments" as text.`,
    );
  return { id, type: 'function', function: { name, arguments: args } };
}

/**
 * A reply as chunks (https://platform.openai.com/docs/api-reference/chat-streaming). A failure has a different shape.
 */
export class ChatChunks implements ReplyWriter {
  private hasBegun = false;
  private calls = 0;
  private usage: Usage | undefined;

  constructor(
    private readonly head: ReplyHead,
    private readonly endsWithUsage: boolean,
  ) {}

  of(event: ClientEvent): readonly JsonObject[] {
    switch (event.type) {
      case 'text':
        return [this.delta({ content: event.text })];
      case 'reasoning':
        return [this.delta({ reasoning_content: event.text })];
      case 'call':
        return [this.delta({ tool_calls: [{ index: this.calls++, ...apiToolCall(event.call) }] })];
      case 'usage':
        this.usage = event.usage;
        return [];
      case 'end':
        return [this.delta({}, endReason(event.reason)), ...this.lastChunk()];
      case 'failure':
        return [{ error: errorFields(event.failure) }];
      case 'reasoning-end':
        return [];
    }
  }

  /** After the end, as clients expect it. */
  private lastChunk(): readonly JsonObject[] {
    if (!this.endsWithUsage || !this.usage) return [];
    return [{ ...this.chunk(), choices: [], usage: usageFields(this.usage) }];
  }

  private delta(delta: JsonObject, reason: string | null = null): JsonObject {
    const role = this.hasBegun ? {} : { role: 'assistant' };
    this.hasBegun = true;
    return {
      ...this.chunk(),
      choices: [{ index: 0, delta: { ...role, ...delta }, logprobs: null, finish_reason: reason }],
    };
  }

  private chunk(): JsonObject {
    return { ...this.head, object: 'chat.completion.chunk' };
  }
}

/** A complete reply that did not fail (https://platform.openai.com/docs/api-reference/chat/object). */
export function chatReply(head: ReplyHead, all: readonly ClientEvent[]): JsonObject {
  const events = standingReply(all);
  const textOf = (type: 'text' | 'reasoning'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  const text = textOf('text');
  const thoughts = textOf('reasoning');
  const calls = events.flatMap((event) => (event.type === 'call' ? [apiToolCall(event.call)] : []));
  const usage = events.find((event) => event.type === 'usage')?.usage;
  const message: JsonObject = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(thoughts !== '' && { reasoning_content: thoughts }),
    // SAFETY: calls are plain data.
    ...(calls.length > 0 && { tool_calls: calls as unknown as readonly JsonObject[] }),
  };
  const reason = events.find((event) => event.type === 'end')?.reason ?? 'stop';
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: endReason(reason) }],
    ...(usage && { usage: usageFields(usage) }),
  };
}

function endReason(reason: EndReason): string {
  return reason.replace('-', '_');
}

function usageFields({ inputTokens, outputTokens, cachedTokens }: Usage): JsonObject {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
  };
}

/** An error in the API's form. */
export function errorFields({
  code,
  message,
}: Pick<ModelFailure, 'message'> & { readonly code: string }): JsonObject {
  return { message, type: TYPES[code] ?? 'server_error', param: null, code };
}

const TYPES: Readonly<Record<string, string>> = {
  unauthorized: 'authentication_error',
  forbidden: 'permission_error',
  'not-found': 'not_found_error',
  rejected: 'invalid_request_error',
  'too-long': 'invalid_request_error',
  'rate-limited': 'rate_limit_error',
};
