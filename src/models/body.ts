import type OpenAI from 'openai';
import type { JsonObject } from '../base/json';
import type { Image } from '../core/words/attachment';
import type { ChatMessage, ModelRequest } from '../core/words/model';

/** What a request holds besides the conversation. */
export interface BodyOptions {
  readonly model: string;
  /** Tokens. */
  readonly maxOutputTokens?: number;
  /** Merged into the body, over everything else. */
  readonly extraBody?: JsonObject;
}

/** The body of a Chat Completions request (https://platform.openai.com/docs/api-reference/chat/create). */
export function requestBody(
  options: BodyOptions,
  request: ModelRequest,
): OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming {
  return {
    model: options.model,
    messages: request.messages.map(message),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.tools && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        function: { name, description, parameters: { ...parameters } },
      })),
    }),
    ...(request.stop && { stop: [...request.stop] }),
    ...outputLimit(options),
    ...options.extraBody,
  };
}

/** By the older name: servers other than OpenAI's own know no other. */
function outputLimit({ maxOutputTokens }: BodyOptions): Record<string, unknown> {
  return maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens };
}

function message(each: ChatMessage): OpenAI.Chat.Completions.ChatCompletionMessageParam {
  if (each.role === 'tool') return { role: 'tool', tool_call_id: each.toolCallId, content: each.content };
  if (each.role === 'system') return { role: 'system', content: each.content };
  if (each.role === 'user') return { role: 'user', content: userContent(each.content, each.images) };
  return {
    role: 'assistant',
    content: each.content,
    ...(each.toolCalls && {
      tool_calls: each.toolCalls.map((call) => ({
        id: call.id,
        type: 'function' as const,
        function: { name: call.name, arguments: call.arguments },
      })),
    }),
  };
}

/** Plain text where there is nothing else: servers without images know no parts. */
function userContent(
  text: string,
  images: readonly Image[] = [],
): string | OpenAI.Chat.Completions.ChatCompletionContentPart[] {
  if (images.length === 0) return text;
  return [
    { type: 'text', text: text },
    ...images.map(({ mediaType, data }) => ({
      type: 'image_url' as const,
      image_url: { url: `data:${mediaType};base64,${data}` },
    })),
  ];
}
