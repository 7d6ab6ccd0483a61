import type { JsonObject } from '../base/json';
import type { EndReason, ModelFailure, Usage } from '../core/words/model';
import { apiToolCall } from './api-messages';
import { standingReply, type ReplyHead, type ReplyWriter } from './relayed-answer';
import type { ClientEvent } from './relay';

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
