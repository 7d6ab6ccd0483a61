import { parseObject, type JsonObject } from '../../base/json';
import type { Image } from '../../core/words/attachment';
import type { ChatMessage, ModelRequest } from '../../core/words/model';
import type { BodyOptions } from '../body';
import type { EchoRules } from '../echo';
import type { ReasoningRequirements } from '../fact-types';
import { callIdsFor, MESSAGES_IDS } from './call-ids';
import { ownOutput, type AssistantMessage, type OutputPiece } from './own-output';
import { textIn } from './reply-stream';

/** Tokens of a reply, which the API requires, if the profile does not say. */
const REPLY_TOKENS = 8_192;

type Role = 'user' | 'assistant';

interface MessagesTurn {
  readonly role: Role;
  readonly content: readonly JsonObject[];
}

/** The body of a request of Anthropic's Messages API (https://docs.claude.com/en/api/messages). It has no `seed`. */
export function messagesBody(
  options: BodyOptions,
  request: ModelRequest,
  requirements: ReasoningRequirements = {},
): JsonObject {
  const { baseUrl, model, reasoning = 'auto', maxOutputTokens = REPLY_TOKENS, effort } = options;
  const rules: EchoRules = { baseUrl, model, reasoning, requirements };
  const [first, ...others] = request.messages;
  const isLed = first?.role === 'system';
  const isOne = request.tools !== undefined && request.origin.conversation.steps === 'one';
  const stop = (request.stop ?? []).filter((each) => each.trim() !== '');
  return {
    model,
    max_tokens: maxOutputTokens,
    ...(isLed && first.content.trim() !== '' && { system: [textBlock(first.content)] }),
    messages: turnsOf(isLed ? others : request.messages, rules).map(({ role, content }) => ({
      role,
      content,
    })),
    stream: true,
    ...(request.tools && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        ...{ name, description },
        // SAFETY: a schema is JSON.
        input_schema: { type: 'object', ...parameters } as unknown as JsonObject,
      })),
    }),
    ...(isOne && { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...samplingFields(options),
    ...thinkingFields(effort),
    ...options.extraBody,
  };
}

/** With thinking, the API takes no other sampling than its own. */
function samplingFields({ sampling: { temperature, topP } = {}, effort = 'none' }: BodyOptions): JsonObject {
  if (effort !== 'none') return {};
  return {
    // The scale of this API ends at 1.
    ...(temperature !== undefined && { temperature: Math.min(1, temperature) }),
    ...(topP !== undefined && { top_p: topP }),
  };
}

/** Models that know only budgets refuse this, and get one (`quirks/api-quirks.ts`). */
function thinkingFields(effort: BodyOptions['effort']): JsonObject {
  if (effort === undefined) return {};
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  return { thinking: { type: 'adaptive' }, output_config: { effort } };
}

/** Messages of alternating roles that begin with the user's. */
function turnsOf(messages: readonly ChatMessage[], rules: EchoRules): readonly MessagesTurn[] {
  const idFor = callIdsFor(messages, MESSAGES_IDS);
  const turns: { readonly role: Role; content: readonly JsonObject[] }[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(message, rules, idFor);
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content = [...last.content, ...content];
    else turns.push({ role, content });
  }
  const isBegun = turns[0]?.role === 'user';
  return (isBegun ? turns : [{ role: 'user' as const, content: [textBlock(BEGINNING)] }, ...turns]).map(
    ({ role, content }) => ({ role, content: role === 'user' ? resultsFirst(content) : content }),
  );
}

/** The API refuses conversations that a reply begins. */
const BEGINNING = '(The beginning of the conversation is left out.)';

function blocksOf(
  message: ChatMessage,
  rules: EchoRules,
  idFor: (id: string) => string,
): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return texts(message.content);
    case 'user': {
      const { content, images = [] } = message;
      const blocks = [...texts(content), ...images.map(imageBlock)];
      return blocks.length === 0 ? [textBlock(EMPTY)] : blocks;
    }
    case 'tool': {
      const { toolCallId, content } = message;
      const result = content.trim() === '' ? EMPTY : content;
      return [{ type: 'tool_result', tool_use_id: idFor(toolCallId), content: result }];
    }
    case 'assistant':
      return ownBlocks(message, rules) ?? renderedBlocks(message, idFor);
  }
}

/** The API refuses texts of blanks. */
const EMPTY = '(empty)';

function resultsFirst(content: readonly JsonObject[]): readonly JsonObject[] {
  const isResult = (block: JsonObject): boolean => block['type'] === 'tool_result';
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}

/** Its raw blocks, thinking included. */
function ownBlocks(message: AssistantMessage, rules: EchoRules): readonly JsonObject[] | undefined {
  if (rules.requirements.refusesSignatures || rules.requirements.refusesReasoning) return undefined;
  const blocks = ownOutput(message, 'messages', rules, pieceOf)?.filter(isSendable);
  return blocks?.some((block) => !isThinking(block)) ? blocks : undefined;
}

function pieceOf(block: JsonObject): OutputPiece {
  if (block['type'] === 'tool_use') return { callId: textIn(block, 'id') };
  return block['type'] === 'text' ? { text: textIn(block, 'text') } : {};
}

function isThinking({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function isSendable(block: JsonObject): boolean {
  if (block['type'] === 'text') return textIn(block, 'text').trim() !== '';
  return block['type'] !== 'thinking' || textIn(block, 'signature') !== '';
}

function renderedBlocks(
  { content, toolCalls = [] }: AssistantMessage,
  idFor: (id: string) => string,
): readonly JsonObject[] {
  return [
    ...texts(content),
    ...toolCalls.map((call) => ({
      ...{ type: 'tool_use', id: idFor(call.id), name: call.name },
      input: parseObject(call.arguments) ?? {},
    })),
  ];
}

function texts(text: string): readonly JsonObject[] {
  return text.trim() === '' ? [] : [textBlock(text)];
}

function textBlock(text: string): JsonObject {
  return { type: 'text', text };
}

function imageBlock({ mediaType, data, url }: Image): JsonObject {
  const [, type = mediaType, inAddress = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(url ?? '') ?? [];
  const isLink = url !== undefined && inAddress === '';
  const source: JsonObject = isLink
    ? { type: 'url', url }
    : { type: 'base64', media_type: type, data: inAddress || data };
  return { type: 'image', source };
}
