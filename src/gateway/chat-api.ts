import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import type { ToolCall } from '../core/words/messages';
import type { EndReason, ModelFailure } from '../core/words/model';
import {
  hiddenAttempts,
  standingReply,
  type Api,
  type ApiRequest,
  type ReplyHead,
  type ReplyWriter,
} from './api';
import {
  apiToolCall,
  argumentsText,
  conversationOf,
  holdsCalls,
  type ApiMessage,
  type ApiToolCall,
} from './api-messages';
import { readContent } from './content';
import { BadRequest, listOf } from './gateway-request';
import { FREE_TEXT, readTools, toolList, type OfferedTools } from './offered-tools';
import type { ClientEvent, ReportedUsage } from './relay';
import { chosenTools } from './tool-choice';

/** The Chat Completions API. */
export const chatApi: Api<ChatRequest> = {
  idPrefix: 'chatcmpl-',
  read: readChatRequest,
  writer: (head, request) => new ChatChunks(head, request),
  whole: chatReply,
  error: (failure) => ({ error: errorFields(failure) }),
  namesEvents: false,
  last: '[DONE]',
};

/** A request of the Chat Completions API (https://platform.openai.com/docs/api-reference/chat/create). */
export interface ChatRequest extends ApiRequest {
  /** The stream ends with a chunk that contains the usage. */
  readonly endsWithUsage: boolean;
  /** The client uses the older fields for tools, in which a reply has at most one call. */
  readonly isOlder: boolean;
}

/** Whether the request involves tools, so that a protocol has to translate; all others are forwarded. */
export function usesTools({ tools = null, functions = null, messages }: JsonObject): boolean {
  const isUsed = (list: Json): boolean => list !== null && !(isJsonList(list) && list.length === 0);
  return isUsed(tools) || isUsed(functions) || holdsCalls(listOf(messages).filter(isJsonObject));
}

/** Throws `BadRequest`. */
export function readChatRequest(body: JsonObject): ChatRequest {
  const {
    messages,
    // The upstream has a different name for the model.
    model: _,
    tools,
    functions,
    function_call: olderChoice,
    tool_choice: choice = olderChoice,
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
  const offered = readTools(tools, functions);
  const isOlder = toolList(functions).length > 0;
  const usage = isJsonObject(options) ? options['include_usage'] : false;
  return {
    ...conversationOf(readMessages(messages)),
    ...chosenTools(offered, choice),
    offered,
    leftOut: offered.leftOut,
    isSingle: isOlder || parallel === false,
    stop: stopsOf(stop),
    isStreamed: stream === true,
    endsWithUsage: usage === true,
    isOlder,
    rest,
  };
}

function stopsOf(stop: Json | undefined): readonly string[] {
  if (typeof stop === 'string') return [stop];
  return listOf(stop).filter((each) => typeof each === 'string');
}

function readMessages(messages: readonly Json[]): readonly ApiMessage[] {
  /** Ids of the older API's calls, which have none, by the name that their results repeat. */
  const ids = new Map<string, string>();
  return messages.map((message, at) => {
    const where = `messages[${at}]`;
    if (!isJsonObject(message)) throw new BadRequest(`"${where}" must be an object.`);
    const { function_call: call, name } = message;
    if (isJsonObject(call)) ids.set(textOf(call['name']), `function_${at}`);
    return apiMessage(message, where, ids.get(textOf(isJsonObject(call) ? call['name'] : name)));
  });
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** With the id of a call or result that has none. */
function apiMessage(message: JsonObject, where: string, id = ''): ApiMessage {
  const { role, tool_calls: calls, function_call: call, tool_call_id: result } = message;
  const content = readContent(message['content'], `${where}.content`);
  switch (role) {
    case 'system':
    case 'developer':
    case 'user':
      return { role, content };
    case 'assistant':
      return {
        role,
        content,
        tool_calls: [
          ...listOf(calls).map((each) => apiCall(each, where)),
          ...(isJsonObject(call) ? [apiCall({ id, function: call }, where)] : []),
        ],
      };
    case 'tool':
      if (typeof result !== 'string') throw new BadRequest(`"${where}.tool_call_id" is missing.`);
      return { role, tool_call_id: result, content };
    case 'function':
      return { role: 'tool', tool_call_id: id, content };
    default:
      throw new BadRequest(`"${where}.role" must be system, developer, user, assistant or tool.`);
  }
}

function apiCall(call: Json, where: string): ApiToolCall {
  const { id, function: given, custom } = isJsonObject(call) ? call : {};
  const { name, arguments: args, input } = [given, custom].find(isJsonObject) ?? {};
  if (typeof id !== 'string' || typeof name !== 'string')
    throw new BadRequest(`A call of "${where}" needs "id" and "function.name".`);
  const text = isJsonObject(custom) ? JSON.stringify({ [FREE_TEXT]: textOf(input) }) : argumentsText(args);
  return { id, type: 'function', function: { name, arguments: text } };
}

/** A call in the client's form. */
function callFields(call: ToolCall, offered: OfferedTools): JsonObject {
  const input = offered.find(call.name)?.isCustom ? call.arguments[FREE_TEXT] : undefined;
  if (typeof input === 'string') return { id: call.id, type: 'custom', custom: { name: call.name, input } };
  // SAFETY: calls are plain data.
  return apiToolCall(call) as unknown as JsonObject;
}

/** The call in the fields that `tool_calls` replaced. */
function olderCall(call: ToolCall): JsonObject {
  const { name, arguments: args } = apiToolCall(call).function;
  return { function_call: { name, arguments: args } };
}

/**
 * A reply as chunks (https://platform.openai.com/docs/api-reference/chat-streaming). A failure has a different shape.
 */
export class ChatChunks implements ReplyWriter {
  private hasBegun = false;
  private calls = 0;
  private usage: ReportedUsage | undefined;

  constructor(
    private readonly head: ReplyHead,
    private readonly request: Pick<ChatRequest, 'endsWithUsage' | 'offered' | 'isOlder'>,
  ) {}

  of(event: ClientEvent): readonly JsonObject[] {
    switch (event.type) {
      case 'text':
        return [this.delta({ content: event.text })];
      case 'reasoning':
        return [this.delta({ reasoning_content: event.text })];
      case 'call':
        return [this.delta(this.call(event.call))];
      case 'usage':
        this.usage = event;
        return [];
      case 'end':
        return [this.delta({}, endReason(event.reason, this.request.isOlder)), ...this.lastChunk()];
      case 'failure':
        return [{ error: errorFields(event.failure) }];
      case 'reasoning-end':
        return [];
    }
  }

  private call(call: ToolCall): JsonObject {
    const { offered, isOlder } = this.request;
    if (isOlder) return olderCall(call);
    return { tool_calls: [{ index: this.calls++, ...callFields(call, offered) }] };
  }

  /** After the end, as clients expect it. */
  private lastChunk(): readonly JsonObject[] {
    if (!this.request.endsWithUsage || !this.usage) return [];
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
export function chatReply(
  head: ReplyHead,
  { offered, isOlder }: Pick<ChatRequest, 'offered' | 'isOlder'>,
  all: readonly ClientEvent[],
): JsonObject {
  const events = standingReply(all);
  const textOf = (type: 'text' | 'reasoning'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  const text = textOf('text');
  const thoughts = textOf('reasoning');
  const calls = events.flatMap((event) => (event.type === 'call' ? [event.call] : []));
  const usage = events.find((event) => event.type === 'usage');
  const message: JsonObject = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(thoughts !== '' && { reasoning_content: thoughts }),
    ...(isOlder
      ? calls.map(olderCall)[0]
      : calls.length > 0 && { tool_calls: calls.map((call) => callFields(call, offered)) }),
  };
  const reason = events.find((event) => event.type === 'end')?.reason ?? 'stop';
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: endReason(reason, isOlder) }],
    ...(usage && { usage: usageFields(usage) }),
  };
}

function endReason(reason: EndReason, isOlder: boolean): string {
  if (isOlder && reason === 'tool-calls') return 'function_call';
  return reason.replace('-', '_');
}

function usageFields(reported: ReportedUsage): JsonObject {
  const { inputTokens, outputTokens, cachedTokens } = reported.usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...hiddenAttempts(reported),
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
