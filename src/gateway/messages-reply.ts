import type { JsonObject } from '../base/json';
import type { ToolCall } from '../core/words/messages';
import type { EndReason, Usage } from '../core/words/model';
import type { ClientEvent } from './relay';
import { standingReply, type ReplyHead, type ReplyWriter, type RequestFailure } from './relayed-answer';

/** A reply as events of the Messages API (https://docs.claude.com/en/docs/build-with-claude/streaming). */
export class MessagesEvents implements ReplyWriter {
  private hasBegun = false;
  /** Number of blocks, including the open one. */
  private blocks = 0;
  private open: 'text' | 'thinking' | undefined;
  private usage: Usage | undefined;

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
        this.usage = event.usage;
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
    usage: usageOf(events.find((event) => event.type === 'usage')?.usage),
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
function usageOf({ inputTokens, outputTokens, cachedTokens = 0 }: Usage = NOTHING): JsonObject {
  return {
    input_tokens: Math.max(0, inputTokens - cachedTokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens,
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
