import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import type { ToolCall } from '../core/words/messages';
import type { EndReason, ModelFailure, Usage } from '../core/words/model';
import { wellFormedSchema } from '../core/words/schema';
import type { ToolSpec } from '../core/words/tool';
import { standingReply, type Api, type ReplyHead, type ReplyWriter } from './api';
import { conversationOf, type ApiContent, type ApiMessage, type ApiPart } from './api-messages';
import { errorFields } from './chat-api';
import {
  BadRequest,
  chosenTools,
  listOf,
  renamed,
  same,
  type ApiRequest,
  type GatewayRequest,
  type ToolChoice,
} from './gateway-request';
import type { ClientEvent } from './relay';

/** The Responses API. */
export const responsesApi: Api<ResponsesRequest> = {
  idPrefix: 'resp_',
  read: readResponsesRequest,
  writer: (head, request) => new ResponsesEvents(head, request),
  whole: responsesReply,
  error: (failure) => ({ error: errorFields(failure) }),
  namesEvents: true,
};

/** A request of the Responses API (https://platform.openai.com/docs/api-reference/responses/create). */
export interface ResponsesRequest extends ApiRequest {
  /** Names of tools with free-text input: they are offered as functions with one argument. */
  readonly customTools: ReadonlySet<string>;
  /** Fields of the request that its response repeats. */
  readonly echo: JsonObject;
}

/** The only argument of a custom tool. */
const INPUT = 'input';

/** Throws `BadRequest`. */
export function readResponsesRequest(body: JsonObject): ResponsesRequest {
  for (const field of ['previous_response_id', 'conversation', 'prompt']) {
    if (body[field] !== undefined && body[field] !== null)
      throw new BadRequest(
        `"${field}" names something stored, but this gateway stores nothing. Send the whole conversation as "input".`,
      );
  }
  const { instructions, input, tools, tool_choice: choice, stream, parallel_tool_calls: parallel } = body;
  const leading: readonly ApiMessage[] =
    typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : [];
  const offered = listOf(tools).flatMap(toolSpec);
  return {
    ...conversationOf([...leading, ...messagesOf(input)]),
    ...chosen(offered, choice),
    isSingle: parallel === false,
    stop: [],
    isStreamed: stream === true,
    rest: restOf(body),
    customTools: new Set(listOf(tools).flatMap(customName)),
    echo: echoOf(body),
  };
}

/**
 * With the names of the Chat Completions API. The reasoning effort is left out: clients always send it, and servers
 * that do not know the field refuse the request.
 */
function restOf(body: JsonObject): JsonObject {
  const { text } = body;
  const format =
    isJsonObject(text) && isJsonObject(text['format']) ? responseFormat(text['format']) : undefined;
  return {
    ...renamed(body, { max_output_tokens: 'max_tokens', ...same('temperature', 'top_p', 'seed') }),
    ...(format && { response_format: format }),
  };
}

/** Plain text is the default. */
function responseFormat({ type, ...schema }: JsonObject): JsonObject | undefined {
  if (type === 'json_schema') return { type, json_schema: schema };
  return type === 'json_object' ? { type } : undefined;
}

/** With the defaults of a response for missing fields. */
function echoOf(body: JsonObject): JsonObject {
  const { instructions, metadata, temperature, top_p, max_output_tokens, tools, tool_choice } = body;
  return {
    instructions: instructions ?? null,
    max_output_tokens: max_output_tokens ?? null,
    metadata: metadata ?? {},
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    previous_response_id: null,
    store: false,
    temperature: temperature ?? null,
    tool_choice: tool_choice ?? 'auto',
    tools: tools ?? [],
    top_p: top_p ?? null,
  };
}

/** Tools that run at OpenAI, or have another form, are left out. */
function toolSpec(tool: Json, at: number): ToolSpec[] {
  const { type, name, description, parameters } = isJsonObject(tool) ? tool : {};
  if (type !== 'function' && type !== 'custom') return [];
  if (typeof name !== 'string' || name === '') throw new BadRequest(`"tools[${at}]" has no name.`);
  const said = typeof description === 'string' ? description : '';
  if (type === 'function') return [{ name, description: said, parameters: wellFormedSchema(parameters) }];
  return [
    {
      name,
      description: [said, grammarOf(tool)].filter(Boolean).join('\n\n'),
      parameters: {
        type: 'object',
        properties: { [INPUT]: { type: 'string', description: 'The whole input, verbatim.' } },
        required: [INPUT],
        additionalProperties: false,
      },
    },
  ];
}

/** A custom tool's grammar is not enforced, so it is described. */
function grammarOf(tool: Json): string {
  const format = isJsonObject(tool) ? tool['format'] : undefined;
  const { type, syntax, definition } = isJsonObject(format) ? format : {};
  if (type !== 'grammar' || typeof syntax !== 'string' || typeof definition !== 'string') return '';
  return `The input has this form (${syntax}):\n${definition}`;
}

function customName(tool: Json): string[] {
  const { type, name } = isJsonObject(tool) ? tool : {};
  return type === 'custom' && typeof name === 'string' ? [name] : [];
}

function chosen(
  tools: readonly ToolSpec[],
  choice: Json | undefined,
): Pick<GatewayRequest, 'tools' | 'needsCall'> {
  if (!isJsonObject(choice)) return chosenTools(tools, mode(choice));
  if (choice['type'] !== 'allowed_tools') return chosenTools(tools, { name: choice['name'] });
  const names = listOf(choice['tools']).map((tool) => (isJsonObject(tool) ? tool['name'] : undefined));
  const allowed = tools.filter(({ name }) => names.includes(name));
  return chosenTools(allowed, mode(choice['mode']));
}

function mode(choice: Json | undefined): ToolChoice {
  if (choice === 'none') return 'none';
  return choice === 'required' ? 'needed' : 'auto';
}

function messagesOf(input: Json | undefined): readonly ApiMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (input === undefined || !isJsonList(input) || input.length === 0)
    throw new BadRequest('"input" must be text or a list of items.');
  return input.reduce<ApiMessage[]>((before, item, at) => withItem(before, item, `input[${at}]`), []);
}

/** An assistant's text and calls from one reply are several items. Items that do not belong to a chat are left out. */
function withItem(before: readonly ApiMessage[], item: Json, where: string): ApiMessage[] {
  if (!isJsonObject(item)) throw new BadRequest(`"${where}" must be an object.`);
  const { type = 'message', role, content = null, call_id: id, name, output = null } = item;
  switch (type) {
    case 'message':
      if (role === 'assistant') return withSaid(before, contentOf(content, where));
      if (role !== 'system' && role !== 'developer' && role !== 'user')
        throw new BadRequest(`"${where}.role" must be system, developer, user or assistant.`);
      return [...before, { role, content: contentOf(content, where) }];
    case 'function_call':
    case 'custom_tool_call': {
      const args = type === 'function_call' ? item['arguments'] : item['input'];
      if (typeof id !== 'string' || typeof name !== 'string' || typeof args !== 'string')
        throw new BadRequest(`"${where}" must be a call with "call_id", "name" and text.`);
      const text = type === 'function_call' ? args : JSON.stringify({ [INPUT]: args });
      return withCall(before, { id, type: 'function', function: { name, arguments: text } });
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      if (typeof id !== 'string') throw new BadRequest(`"${where}.call_id" is missing.`);
      return [...before, { role: 'tool', tool_call_id: id, content: contentOf(output, where) }];
    case 'item_reference':
      throw new BadRequest(`"${where}" names a stored item, but this gateway stores nothing.`);
    default:
      return [...before];
  }
}

type Assistant = ApiMessage & { readonly role: 'assistant' };

function withSaid(before: readonly ApiMessage[], said: ApiContent): ApiMessage[] {
  const last = before.at(-1);
  if (last?.role !== 'assistant') return [...before, { role: 'assistant', content: said }];
  const content = [...partsOf(last.content ?? ''), ...partsOf(said)];
  return [...before.slice(0, -1), { ...last, content }];
}

function withCall(
  before: readonly ApiMessage[],
  call: NonNullable<Assistant['tool_calls']>[number],
): ApiMessage[] {
  const last = before.at(-1);
  if (last?.role !== 'assistant') return [...before, { role: 'assistant', tool_calls: [call] }];
  return [...before.slice(0, -1), { ...last, tool_calls: [...(last.tool_calls ?? []), call] }];
}

function partsOf(content: ApiContent): readonly ApiPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function contentOf(content: Json, where: string): ApiContent {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  if (isJsonList(content)) return content.map((part) => partOf(part, where));
  throw new BadRequest(`"${where}" needs text or a list of parts.`);
}

function partOf(part: Json, where: string): ApiPart {
  const { type, text, refusal, image_url: url, detail } = isJsonObject(part) ? part : {};
  const said = type === 'refusal' ? refusal : text;
  if (typeof said === 'string') return { type: 'text', text: said };
  if (type === 'input_image' && typeof url === 'string')
    return { type: 'image_url', image_url: { url, ...(typeof detail === 'string' && { detail }) } };
  throw new BadRequest(`A part of "${where}" must be text or an image with a URL or data.`);
}

/** The item being written: text or reasoning, until something else comes. */
interface OpenItem {
  readonly type: 'message' | 'reasoning';
  readonly id: string;
  text: string;
}

/** A reply as events of the Responses API (https://platform.openai.com/docs/api-reference/responses-streaming). */
export class ResponsesEvents implements ReplyWriter {
  private sequence = 0;
  private hasBegun = false;
  private readonly output: JsonObject[] = [];
  private open: OpenItem | undefined;
  private usage: Usage | undefined;

  constructor(
    private readonly head: ReplyHead,
    private readonly request: Pick<ResponsesRequest, 'customTools' | 'echo'>,
  ) {}

  of(event: ClientEvent): readonly JsonObject[] {
    const begun = this.hasBegun ? [] : [this.created(), this.state('response.in_progress', 'in_progress')];
    return [...begun, ...this.said(event)];
  }

  private said(event: ClientEvent): readonly JsonObject[] {
    switch (event.type) {
      case 'text':
        return this.write('message', event.text);
      case 'reasoning':
        return this.write('reasoning', event.text);
      case 'call':
        return [...this.close('completed'), ...this.call(event.call)];
      case 'usage':
        this.usage = event.usage;
        return [];
      case 'end':
        return this.end(event.reason);
      case 'failure':
        return [this.state('response.failed', 'failed', { error: errorOf(event.failure) })];
      case 'reasoning-end':
        return [];
    }
  }

  private created(): JsonObject {
    this.hasBegun = true;
    return this.state('response.created', 'in_progress');
  }

  private write(type: OpenItem['type'], text: string): readonly JsonObject[] {
    const events: JsonObject[] = [];
    if (this.open?.type !== type) events.push(...this.close('completed'), ...this.begin(type));
    // SAFETY: it was opened above.
    const open = this.open!;
    open.text += text;
    events.push(
      type === 'message'
        ? this.part('response.output_text.delta', { content_index: 0, delta: text, logprobs: [] })
        : this.part('response.reasoning_summary_text.delta', { summary_index: 0, delta: text }),
    );
    return events;
  }

  private begin(type: OpenItem['type']): readonly JsonObject[] {
    const open: OpenItem = { type, id: this.itemId(type === 'message' ? 'msg' : 'rs'), text: '' };
    this.open = open;
    const added = this.item('response.output_item.added', emptyItem(open));
    return type === 'message'
      ? [added, this.part('response.content_part.added', { content_index: 0, part: textPart('') })]
      : [
          added,
          this.part('response.reasoning_summary_part.added', { summary_index: 0, part: summaryPart('') }),
        ];
  }

  private close(status: 'completed' | 'incomplete'): readonly JsonObject[] {
    const { open } = this;
    if (!open) return [];
    const { type, text } = open;
    const ends =
      type === 'message'
        ? [
            this.part('response.output_text.done', { content_index: 0, text, logprobs: [] }),
            this.part('response.content_part.done', { content_index: 0, part: textPart(text) }),
          ]
        : [
            this.part('response.reasoning_summary_text.done', { summary_index: 0, text }),
            this.part('response.reasoning_summary_part.done', { summary_index: 0, part: summaryPart(text) }),
          ];
    this.open = undefined;
    return [...ends, this.done(doneItem(open, status))];
  }

  private call({ id: callId, name, arguments: args }: ToolCall): readonly JsonObject[] {
    const input = this.request.customTools.has(name) ? args[INPUT] : undefined;
    const isCustom = typeof input === 'string';
    const id = this.itemId(isCustom ? 'ctc' : 'fc');
    const text = isCustom ? input : JSON.stringify(args);
    const item = isCustom
      ? { id, type: 'custom_tool_call', call_id: callId, name }
      : { id, type: 'function_call', call_id: callId, name };
    const field = isCustom ? 'input' : 'arguments';
    const event = isCustom ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
    const place = { item_id: id, output_index: this.output.length };
    return [
      this.item('response.output_item.added', { ...item, status: 'in_progress', [field]: '' }),
      this.event(`${event}.delta`, { ...place, delta: text }),
      this.event(`${event}.done`, { ...place, ...(!isCustom && { name }), [field]: text }),
      this.done({ ...item, status: 'completed', [field]: text }),
    ];
  }

  private end(reason: EndReason): readonly JsonObject[] {
    const why =
      reason === 'length' ? 'max_output_tokens' : reason === 'content-filter' ? 'content_filter' : '';
    const status = why === '' ? 'completed' : 'incomplete';
    return [
      ...this.close(status),
      this.state(`response.${status}`, status, why === '' ? {} : { incomplete_details: { reason: why } }),
    ];
  }

  /** Of the open item. */
  private part(type: string, more: JsonObject): JsonObject {
    return this.event(type, { item_id: this.open?.id ?? '', output_index: this.output.length, ...more });
  }

  private done(item: JsonObject): JsonObject {
    const event = this.item('response.output_item.done', item);
    this.output.push(item);
    return event;
  }

  private item(type: string, item: JsonObject): JsonObject {
    return this.event(type, { output_index: this.output.length, item });
  }

  private state(type: string, status: string, more: JsonObject = {}): JsonObject {
    const { id, created, model } = this.head;
    const response: JsonObject = {
      id,
      object: 'response',
      created_at: created,
      status,
      model,
      output: [...this.output],
      error: null,
      incomplete_details: null,
      ...this.request.echo,
      usage: this.usage ? usageOf(this.usage) : null,
      ...more,
    };
    return this.event(type, { response });
  }

  private event(type: string, more: JsonObject): JsonObject {
    return { type, sequence_number: this.sequence++, ...more };
  }

  private itemId(prefix: string): string {
    return `${prefix}_${this.head.id.replace(/^resp_/, '')}_${this.output.length}`;
  }
}

/** A complete response that did not fail: the one at the end of its events. */
export function responsesReply(
  head: ReplyHead,
  request: Pick<ResponsesRequest, 'customTools' | 'echo'>,
  events: readonly ClientEvent[],
): JsonObject {
  const writer = new ResponsesEvents(head, request);
  const last = standingReply(events)
    .flatMap((event) => writer.of(event))
    .at(-1);
  // SAFETY: a reply ends with a state, which contains the response.
  return last!['response'] as JsonObject;
}

function emptyItem({ type, id }: OpenItem): JsonObject {
  if (type === 'reasoning') return { id, type, summary: [] };
  return { id, type, status: 'in_progress', role: 'assistant', content: [] };
}

function doneItem({ type, id, text }: OpenItem, status: string): JsonObject {
  if (type === 'reasoning') return { id, type, summary: [summaryPart(text)] };
  return { id, type, status, role: 'assistant', content: [textPart(text)] };
}

function textPart(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function summaryPart(text: string): JsonObject {
  return { type: 'summary_text', text };
}

function usageOf({ inputTokens, outputTokens, cachedTokens = 0 }: Usage): JsonObject {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

/** Codex knows these codes: it summarizes, waits or tries again. */
function errorOf({ code, message }: ModelFailure): JsonObject {
  const codes: Partial<Record<ModelFailure['code'], string>> = {
    'too-long': 'context_length_exceeded',
    'rate-limited': 'rate_limit_exceeded',
  };
  return { code: codes[code] ?? 'server_error', message };
}
