import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import type { ToolCall } from '../core/words/messages';
import type { EndReason, Usage } from '../core/words/model';
import {
  hiddenAttempts,
  standingReply,
  type Api,
  type ApiRequest,
  type ReplyHead,
  type ReplyWriter,
  type RequestFailure,
} from './api';
import { responseFormatField } from './answer-form';
import { argumentsText, conversationOf, type ApiMessage, type ApiPart } from './api-messages';
import { readContent, readPart } from './content';
import { BadRequest, listOf, renamed, same } from './gateway-request';
import { readTools, toolList } from './offered-tools';
import type { ClientEvent, ReportedUsage } from './relay';
import { chosenTools } from './tool-choice';

/** The Messages API. */
export const messagesApi: Api<ApiRequest> = {
  idPrefix: 'msg_',
  read: readMessagesRequest,
  writer: (head) => new MessagesEvents(head),
  whole: (head, _, events) => messagesReply(head, events),
  error: messagesError,
  namesEvents: true,
};

/** Reads a request of Anthropic's Messages API (https://docs.claude.com/en/api/messages). Throws `BadRequest`. */
export function readMessagesRequest(body: JsonObject): ApiRequest {
  const { system, messages, tool_choice: choice, stop_sequences: stop, stream, output_config: output } = body;
  if (messages === undefined || !isJsonList(messages) || messages.length === 0)
    throw new BadRequest('"messages" must be a list of messages.');
  const read = messages.flatMap((message, at) => messagesOf(message, `messages[${at}]`));
  const found = foundTools(messages);
  const offered = readTools(toolList(body['tools']).map((tool) => asFunction(tool, found)));
  return {
    ...conversationOf([...systemOf(system), ...read]),
    ...chosenTools(offered, choice),
    offered,
    leftOut: offered.leftOut,
    isSingle: isJsonObject(choice) && choice['disable_parallel_tool_use'] === true,
    stop: listOf(stop).filter((each) => typeof each === 'string'),
    isStreamed: stream === true,
    rest: {
      ...renamed(body, same('max_tokens', 'temperature', 'top_p')),
      ...responseFormatField(isJsonObject(output) ? output['format'] : body['output_format']),
    },
  };
}

/** In this API, custom tools are those of the client, with a schema like all others. */
function asFunction(tool: Json, found: ReadonlySet<Json>): Json {
  if (!isJsonObject(tool)) return tool;
  const { type = 'custom', name = null } = tool;
  return {
    ...tool,
    type: type === 'custom' ? 'function' : type,
    ...(found.has(name) && { defer_loading: false }),
  };
}

/** The tools to which results refer: the model has searched for them (https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool). */
function foundTools(messages: readonly Json[]): ReadonlySet<Json> {
  const inside = (value: Json): readonly Json[] => listOf(isJsonObject(value) ? value['content'] : undefined);
  const blocks = messages.flatMap(inside);
  return new Set(
    [...blocks, ...blocks.flatMap(inside)].flatMap((block) =>
      isJsonObject(block) && block['type'] === 'tool_reference' ? [block['tool_name'] ?? null] : [],
    ),
  );
}

/**
 * Claude Code begins with a line for Anthropic's accounts. It differs in every request, so it would prevent servers
 * from reusing their cache.
 */
const ACCOUNTING = /^x-anthropic-billing-header:[^\n]*\n*/;

function systemOf(system: Json | undefined): readonly ApiMessage[] {
  const blocks = typeof system === 'string' ? [system] : listOf(system);
  return blocks.flatMap(readPart).map(({ text = '' }) => ({
    role: 'system',
    content: text.replace(ACCOUNTING, ''),
  }));
}

/** A message may contain the results of several tools, which are separate messages elsewhere. */
function messagesOf(message: Json, where: string): readonly ApiMessage[] {
  const { role, content = '' } = isJsonObject(message) ? message : {};
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  switch (role) {
    case 'assistant':
      return [
        {
          role,
          content: blocks.flatMap((block) => partsOf(block)),
          tool_calls: blocks.flatMap((block) => callsOf(block, where)),
        },
      ];
    case 'user':
    case 'system': {
      const said = blocks.flatMap((block) => partsOf(block));
      const results = blocks.flatMap((block) => resultsOf(block, where));
      return said.length > 0 || results.length === 0 ? [...results, { role, content: said }] : results;
    }
    default:
      throw new BadRequest(`"${where}.role" must be user or assistant.`);
  }
}

/** Calls and results are read separately. */
function partsOf(block: Json): readonly ApiPart[] {
  const type = isJsonObject(block) ? block['type'] : undefined;
  return type === 'tool_use' || type === 'tool_result' ? [] : readPart(block);
}

function callsOf(
  block: Json,
  where: string,
): NonNullable<(ApiMessage & { role: 'assistant' })['tool_calls']> {
  const { type, id, name, input } = isJsonObject(block) ? block : {};
  if (type !== 'tool_use') return [];
  if (typeof id !== 'string' || typeof name !== 'string')
    throw new BadRequest(`A call of "${where}" needs "id" and "name".`);
  return [{ id, type: 'function', function: { name, arguments: argumentsText(input) } }];
}

function resultsOf(block: Json, where: string): readonly ApiMessage[] {
  const { type, tool_use_id: id, content, is_error: isError } = isJsonObject(block) ? block : {};
  if (type !== 'tool_result') return [];
  if (typeof id !== 'string') throw new BadRequest(`A result of "${where}" has no "tool_use_id".`);
  return [
    {
      role: 'tool',
      tool_call_id: id,
      content: readContent(content, `${where}.content`),
      ...(isError === true && { is_error: true }),
    },
  ];
}

/** A reply as events of the Messages API (https://docs.claude.com/en/docs/build-with-claude/streaming). */
export class MessagesEvents implements ReplyWriter {
  private hasBegun = false;
  /** Number of blocks, including the open one. */
  private blocks = 0;
  private open: 'text' | 'thinking' | undefined;
  private usage: ReportedUsage | undefined;

  constructor(private readonly head: ReplyHead) {}

  of(event: ClientEvent): readonly JsonObject[] {
    const begun = this.hasBegun ? [] : [this.start(), { type: 'ping' }];
    return [...begun, ...this.said(event)];
  }

  private said(event: ClientEvent): readonly JsonObject[] {
    switch (event.type) {
      case 'text':
        return this.write('text', { type: 'text_delta', text: event.text });
      case 'reasoning':
        return this.write('thinking', { type: 'thinking_delta', thinking: event.text });
      case 'call': {
        const { id, name, arguments: args } = event.call;
        return [
          ...this.close(),
          this.begin({ type: 'tool_use', id, name, input: {} }),
          this.delta({ type: 'input_json_delta', partial_json: JSON.stringify(args) }),
          this.stop(),
        ];
      }
      case 'usage':
        this.usage = event;
        return [];
      case 'end':
        return [
          ...this.close(),
          {
            type: 'message_delta',
            delta: { stop_reason: STOP_REASONS[event.reason], stop_sequence: null },
            usage: usageOf(this.usage),
          },
          { type: 'message_stop' },
        ];
      case 'failure':
        return [messagesError(event.failure)];
      case 'reasoning-end':
        return [];
    }
  }

  private start(): JsonObject {
    this.hasBegun = true;
    const message = { ...messageOf(this.head), content: [], stop_reason: null, usage: usageOf(undefined) };
    return { type: 'message_start', message };
  }

  private write(type: 'text' | 'thinking', delta: JsonObject): readonly JsonObject[] {
    if (this.open === type) return [this.delta(delta)];
    const ends = this.close();
    this.open = type;
    const block = type === 'text' ? { type, text: '' } : { type, thinking: '', signature: '' };
    return [...ends, this.begin(block), this.delta(delta)];
  }

  private close(): readonly JsonObject[] {
    if (this.open === undefined) return [];
    this.open = undefined;
    return [this.stop()];
  }

  private begin(block: JsonObject): JsonObject {
    return { type: 'content_block_start', index: this.blocks++, content_block: block };
  }

  private delta(delta: JsonObject): JsonObject {
    return { type: 'content_block_delta', index: this.blocks - 1, delta };
  }

  private stop(): JsonObject {
    return { type: 'content_block_stop', index: this.blocks - 1 };
  }
}

/** A complete message of a reply that did not fail. */
export function messagesReply(head: ReplyHead, events: readonly ClientEvent[]): JsonObject {
  const reason = events.find((event) => event.type === 'end')?.reason ?? 'stop';
  return {
    ...messageOf(head),
    content: standingReply(events).reduce(withEvent, []).flatMap(blockOf),
    stop_reason: STOP_REASONS[reason],
    usage: usageOf(events.find((event) => event.type === 'usage')),
  };
}

/** Adds an event and joins pieces of one text, even if other events came between them. */
function withEvent(before: readonly ClientEvent[], event: ClientEvent): readonly ClientEvent[] {
  const last = before.at(-1);
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return last?.type === event.type
        ? [...before.slice(0, -1), { ...event, text: last.text + event.text }]
        : [...before, event];
    case 'call':
      return [...before, event];
    default:
      return before;
  }
}

function blockOf(event: ClientEvent): readonly JsonObject[] {
  switch (event.type) {
    case 'text':
      return [{ type: 'text', text: event.text }];
    case 'reasoning':
      return [{ type: 'thinking', thinking: event.text, signature: '' }];
    case 'call':
      return [toolUse(event.call)];
    default:
      return [];
  }
}

function toolUse({ id, name, arguments: input }: ToolCall): JsonObject {
  return { type: 'tool_use', id, name, input };
}

function messageOf({ id, model }: ReplyHead): JsonObject {
  return { id, type: 'message', role: 'assistant', model, stop_sequence: null };
}

const STOP_REASONS: Readonly<Record<EndReason, string>> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
};

/** The input is counted without cached tokens. */
function usageOf(reported: Pick<ReportedUsage, 'usage' | 'hidden'> = { usage: NOTHING }): JsonObject {
  const { inputTokens, outputTokens, cachedTokens = 0 } = reported.usage;
  return {
    input_tokens: Math.max(0, inputTokens - cachedTokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens,
    ...hiddenAttempts(reported),
  };
}

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0 };

/** An error in the API's form, as an event or a complete answer. */
export function messagesError({ code, message, figures, status }: RequestFailure): JsonObject {
  const type = status === 529 ? 'overloaded_error' : (TYPES[code] ?? 'api_error');
  return {
    type: 'error',
    error: { type, message: code === 'too-long' ? tooLong(message, figures) : message },
  };
}

/** Claude Code summarizes the conversation when it reads this wording. */
function tooLong(message: string, { prompt, window }: RequestFailure['figures'] & object = {}): string {
  const counted = prompt !== undefined && window !== undefined;
  return `prompt is too long: ${counted ? `${prompt} tokens > ${window} maximum. ` : ''}${message}`;
}

const TYPES: Readonly<Partial<Record<RequestFailure['code'], string>>> = {
  unauthorized: 'authentication_error',
  forbidden: 'permission_error',
  'not-found': 'not_found_error',
  rejected: 'invalid_request_error',
  'too-long': 'invalid_request_error',
  'too-large': 'request_too_large',
  'rate-limited': 'rate_limit_error',
  'timed-out': 'timeout_error',
};
