import type OpenAI from 'openai';
import type { JsonObject } from '../base/json';
import type { Image } from '../core/words/attachment';
import type { ChatMessage, ModelRequest } from '../core/words/model';
import type { Effort } from './apis/api-name';
import { echoOf, type EchoRules, type ReasoningEcho } from './echo';
import { formFields } from './form/form-fields';
import type { ReasoningRequirements } from './fact-types';
import type { ServerKind } from './server-facts';

/** Parameters of a request besides the conversation. */
export interface BodyOptions {
  readonly baseUrl: string;
  readonly model: string;
  /** Whether the model's reasoning is sent back with the history; `auto` if not given. */
  readonly reasoning?: ReasoningEcho;
  /** Read for every request: the software of the server, once known. */
  readonly server?: () => ServerKind | undefined;
  /** Tokens. */
  readonly maxOutputTokens?: number;
  readonly sampling?: Sampling;
  /** How much the model should think; the endpoint decides if not given. */
  readonly effort?: Effort | undefined;
  /** Merged into the body, over everything else. */
  readonly extraBody?: JsonObject;
}

/** How the words of a reply are drawn; the server decides about what is missing. */
export interface Sampling {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly seed?: number | undefined;
}

/** The body of a Chat Completions request (https://platform.openai.com/docs/api-reference/chat/create). */
export function requestBody(
  options: BodyOptions,
  request: ModelRequest,
  requirements: ReasoningRequirements = {},
): OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming {
  const { baseUrl, model, reasoning = 'auto' } = options;
  const rules: EchoRules = { baseUrl, model, reasoning, requirements };
  return {
    model,
    messages: request.messages.map((each) => message(each, rules)),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.tools && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        function: { name, description, parameters: { ...parameters } },
      })),
    }),
    ...oneCall(options, request),
    ...(request.stop && { stop: [...request.stop] }),
    ...outputLimit(options),
    ...samplingFields(options.sampling),
    ...(options.effort !== undefined && { reasoning_effort: options.effort }),
    ...specialTokens(options, request),
    ...formFields(request.responseFormat, options.server?.()),
    ...options.extraBody,
    ...(request.isVaried && variation(options)),
  };
}

/** Unknown servers may refuse the field; calls behind the first are dropped anyway. */
function oneCall({ server }: BodyOptions, { tools, origin }: ModelRequest): Record<string, unknown> {
  const isOne = tools !== undefined && origin.conversation.steps === 'one';
  return isOne && server?.() !== undefined ? { parallel_tool_calls: false } : {};
}

/** Names of the penalty for repeated tokens on other servers; the API's own penalty uses another scale. */
const PENALTIES: Readonly<Partial<Record<ServerKind, string>>> = {
  llamacpp: 'repeat_penalty',
  lmstudio: 'repeat_penalty',
  localai: 'repeat_penalty',
  koboldcpp: 'rep_pen',
  ollama: 'repeat_penalty',
  tabbyapi: 'repetition_penalty',
  sglang: 'repetition_penalty',
  vllm: 'repetition_penalty',
};
const PENALTY = 1.15;

/** Defaults. */
const TEMPERATURE = 0.7;
const WARMER = 0.3;

/**
 * Sampling for another attempt, if the server is known to accept it: models of the API's own makers refuse such
 * fields.
 */
function variation({ server, extraBody = {}, sampling }: BodyOptions): Record<string, unknown> {
  const { temperature = sampling?.temperature } = extraBody;
  const kind = server?.();
  if (kind === undefined && typeof temperature !== 'number') return {};
  const penalty = kind && PENALTIES[kind];
  return {
    temperature: (typeof temperature === 'number' ? temperature : TEMPERATURE) + WARMER,
    ...(penalty !== undefined && { [penalty]: PENALTY }),
  };
}

function samplingFields({ temperature, topP, seed }: Sampling = {}): Record<string, unknown> {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(seed !== undefined && { seed }),
  };
}

/** The older name: servers other than OpenAI's own know no other. */
function outputLimit({ maxOutputTokens }: BodyOptions): Record<string, unknown> {
  return maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens };
}

/** Servers that strip special tokens from the text; with tools of the API they keep them anyway. */
const LEAVES_OUT_SPECIAL_TOKENS: readonly (ServerKind | undefined)[] = ['vllm', 'sglang'];

/** Marks of many forms are special tokens of the models trained on them. Other servers may not know the field. */
function specialTokens({ server }: BodyOptions, { origin }: ModelRequest): Record<string, unknown> {
  const isText = origin.protocol !== 'native' && origin.conversation.tools.length > 0;
  return isText && LEAVES_OUT_SPECIAL_TOKENS.includes(server?.()) ? { skip_special_tokens: false } : {};
}

function message(each: ChatMessage, rules: EchoRules): OpenAI.Chat.Completions.ChatCompletionMessageParam {
  if (each.role === 'tool') return { role: 'tool', tool_call_id: each.toolCallId, content: each.content };
  if (each.role === 'system') return { role: 'system', content: each.content };
  if (each.role === 'user') return { role: 'user', content: userContent(each.content, each.images) };
  const echo = echoOf(each, rules);
  const sent = {
    role: 'assistant',
    content: echo.content,
    ...echo.fields,
    ...(each.toolCalls && {
      tool_calls: each.toolCalls.map((call, number) => ({
        id: call.id,
        type: 'function' as const,
        function: { name: call.name, arguments: call.arguments },
        ...echo.calls[number],
      })),
    }),
  };
  // SAFETY: an API message with fields of other vendors, which the library's types do not know.
  return sent as OpenAI.Chat.Completions.ChatCompletionAssistantMessageParam;
}

/** Plain text if possible: servers without images do not know parts. */
function userContent(
  text: string,
  images: readonly Image[] = [],
): string | OpenAI.Chat.Completions.ChatCompletionContentPart[] {
  if (images.length === 0) return text;
  return [{ type: 'text', text: text }, ...images.map(imagePart)];
}

function imagePart({
  mediaType,
  data,
  url = `data:${mediaType};base64,${data}`,
  detail,
}: Image): OpenAI.Chat.Completions.ChatCompletionContentPart {
  // SAFETY: a client's message is passed on unchanged.
  const how = detail as 'auto' | undefined;
  return { type: 'image_url', image_url: { url, ...(how !== undefined && { detail: how }) } };
}
