import { isJsonObject, type JsonObject } from '../base/json';
import type { ToolCall } from '../core/words/messages';
import type { EndReason, ModelFailure } from '../core/words/model';
import { responseFormatField } from './answer-form';
import {
  hiddenAttempts,
  standingReply,
  type Api,
  type ApiRequest,
  type ReplyHead,
  type ReplyWriter,
} from './api';
import { conversationOf, type ApiMessage } from './api-messages';
import { errorFields } from './chat-api';
import { BadRequest, renamed, same } from './gateway-request';
import { FREE_TEXT, readTools } from './offered-tools';
import type { ClientEvent, ReportedUsage } from './relay';
import { inputMessages, loadedTools } from './responses-input';
import { chosenTools } from './tool-choice';

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
  /** Fields of the request that its response repeats. */
  readonly echo: JsonObject;
}

/** Throws `BadRequest`. */
export function readResponsesRequest(body: JsonObject): ResponsesRequest {
  for (const field of ['previous_response_id', 'conversation', 'prompt']) {
    if (body[field] !== undefined && body[field] !== null)
      throw new BadRequest(
        `"${field}" names something stored, but this gateway stores nothing. Send the whole conversation as "input".`,
      );
  }
  const { instructions, input, tool_choice: choice, stream, parallel_tool_calls: parallel } = body;
  const leading: readonly ApiMessage[] =
    typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : [];
  const offered = readTools(body['tools'], ...loadedTools(input));
  return {
    ...conversationOf([...leading, ...inputMessages(input, offered)]),
    ...chosenTools(offered, choice),
    offered,
    leftOut: offered.leftOut,
    isSingle: parallel === false,
    stop: [],
    isStreamed: stream === true,
    rest: restOf(body),
    echo: echoOf(body),
  };
}

/**
 * With the names of the Chat Completions API. The reasoning effort is left out: clients always send it, and servers
 * that do not know the field refuse the request.
 */
function restOf(body: JsonObject): JsonObject {
  const { text } = body;
  return {
    ...renamed(body, { max_output_tokens: 'max_tokens', ...same('temperature', 'top_p', 'seed') }),
    ...responseFormatField(isJsonObject(text) ? text['format'] : undefined),
  };
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
  private usage: ReportedUsage | undefined;

  constructor(
    private readonly head: ReplyHead,
    private readonly request: Pick<ResponsesRequest, 'offered' | 'echo'>,
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
        this.usage = event;
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
    const tool = this.request.offered.find(name);
    const head = { call_id: callId, status: 'completed' };
    if (tool?.builtIn) {
      const { call: type, toItem } = tool.builtIn;
      return this.callItem({ id: this.itemId('bc'), type, ...head, ...toItem(args) });
    }
    const input = tool?.isCustom ? args[FREE_TEXT] : undefined;
    const named = {
      name: tool?.name ?? name,
      ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
    };
    return typeof input === 'string'
      ? this.writtenCall({ id: this.itemId('ctc'), type: 'custom_tool_call', ...head, ...named, input })
      : this.writtenCall({
          ...{ id: this.itemId('fc'), type: 'function_call', ...head, ...named },
          arguments: JSON.stringify(args),
        });
  }

  /** A call whose text comes before it is done. */
  private writtenCall(item: JsonObject & { readonly id: string }): readonly JsonObject[] {
    const { id, name = null } = item;
    const isCustom = item['input'] !== undefined;
    const field = isCustom ? 'input' : 'arguments';
    const text = item[field] ?? '';
    const event = isCustom ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
    const place = { item_id: id, output_index: this.output.length };
    return [
      this.item('response.output_item.added', { ...item, status: 'in_progress', [field]: '' }),
      this.event(`${event}.delta`, { ...place, delta: text }),
      this.event(`${event}.done`, { ...place, ...(!isCustom && { name }), [field]: text }),
      this.done(item),
    ];
  }

  private callItem(item: JsonObject): readonly JsonObject[] {
    return [this.item('response.output_item.added', { ...item, status: 'in_progress' }), this.done(item)];
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
  request: Pick<ResponsesRequest, 'offered' | 'echo'>,
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

function usageOf(reported: ReportedUsage): JsonObject {
  const { inputTokens, outputTokens, cachedTokens = 0 } = reported.usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
    ...hiddenAttempts(reported),
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
