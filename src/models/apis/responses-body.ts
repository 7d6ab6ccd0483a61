import { parseContainer, isJsonObject, type JsonObject } from '../../base/json';
import type { Image } from '../../core/words/attachment';
import type { ChatMessage, ModelRequest } from '../../core/words/model';
import type { BodyOptions } from '../body';
import type { EchoRules } from '../echo';
import type { ReasoningRequirements } from '../fact-types';
import { callIdsFor, RESPONSES_IDS } from './call-ids';
import { ownOutput, type AssistantMessage, type OutputPiece } from './own-output';
import { objectsIn, textIn } from './reply-stream';

/**
 * The body of a Responses request (https://platform.openai.com/docs/api-reference/responses/create). The server stores
 * nothing: every request has the whole history, with encrypted reasoning. The API has no `stop` and no `seed`.
 */
export function responsesBody(
  options: BodyOptions,
  request: ModelRequest,
  requirements: ReasoningRequirements = {},
): JsonObject {
  const { baseUrl, model, reasoning = 'auto', maxOutputTokens, sampling = {}, effort } = options;
  const rules: EchoRules = { baseUrl, model, reasoning, requirements };
  const [first, ...others] = request.messages;
  const isLed = first?.role === 'system';
  const { temperature, topP } = sampling;
  const isOne = request.tools !== undefined && request.origin.conversation.steps === 'one';
  return {
    model,
    ...(isLed && { instructions: first.content }),
    input: inputItems(isLed ? others : request.messages, rules),
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(request.tools && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        // Strict schemas allow no optional parameters.
        ...{ type: 'function', name, description, strict: false },
        // SAFETY: a schema is JSON.
        parameters: { ...parameters } as unknown as JsonObject,
      })),
    }),
    ...(isOne && { parallel_tool_calls: false }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(effort !== undefined && {
      reasoning: { effort, ...(effort !== 'none' && { summary: 'auto' }) },
    }),
    ...options.extraBody,
  };
}

function inputItems(messages: readonly ChatMessage[], rules: EchoRules): readonly JsonObject[] {
  const idFor = callIdsFor(messages, RESPONSES_IDS);
  return messages.flatMap((message): readonly JsonObject[] => {
    switch (message.role) {
      case 'system':
        return [{ type: 'message', role: 'developer', content: [inputText(message.content)] }];
      case 'user': {
        const { content, images = [] } = message;
        return [{ type: 'message', role: 'user', content: [inputText(content), ...images.map(inputImage)] }];
      }
      case 'tool': {
        const { toolCallId, content } = message;
        return [{ type: 'function_call_output', call_id: idFor(toolCallId), output: content }];
      }
      case 'assistant':
        return ownItems(message, rules) ?? renderedItems(message, idFor);
    }
  });
}

/** Its raw items; nothing if the endpoint would refuse them. */
function ownItems(message: AssistantMessage, rules: EchoRules): readonly JsonObject[] | undefined {
  const items = ownOutput(message, 'responses', rules, pieceOf);
  if (!items || items.some(isUnreadableCall)) return undefined;
  const sent = items.filter(
    (item, at) => item['type'] !== 'reasoning' || (isReadable(item) && items.slice(at + 1).some(isAnswer)),
  );
  if (sent.length === items.length) return items;
  // The ids tie the items to the reasoning, and the endpoint refuses them without it.
  return sent.map(({ id: _, ...item }) => item);
}

function pieceOf(item: JsonObject): OutputPiece {
  if (item['type'] === 'function_call') return { callId: textIn(item, 'call_id') };
  if (item['type'] !== 'message') return {};
  const texts = objectsIn(item, 'content').map((part) => textIn(part, 'text') || textIn(part, 'refusal'));
  return { text: texts.join('') };
}

/** Reasoning is followed by what it led to. */
function isAnswer({ type }: JsonObject): boolean {
  return type !== 'reasoning';
}

/** Without a stored copy, the endpoint reads reasoning only from the item itself. */
function isReadable(item: JsonObject): boolean {
  return textIn(item, 'encrypted_content') !== '' || objectsIn(item, 'content').length > 0;
}

function isUnreadableCall(item: JsonObject): boolean {
  return item['type'] === 'function_call' && !isJsonObject(parseContainer(textIn(item, 'arguments')));
}

function renderedItems(
  { content, toolCalls = [] }: AssistantMessage,
  idFor: (id: string) => string,
): readonly JsonObject[] {
  const text = { type: 'output_text', text: content };
  return [
    ...(content.trim() === '' ? [] : [{ type: 'message', role: 'assistant', content: [text] }]),
    ...toolCalls.map((call) => ({
      ...{ type: 'function_call', call_id: idFor(call.id), name: call.name, arguments: call.arguments },
    })),
  ];
}

function inputText(text: string): JsonObject {
  return { type: 'input_text', text };
}

function inputImage({
  mediaType,
  data,
  url = `data:${mediaType};base64,${data}`,
  detail = 'auto',
}: Image): JsonObject {
  return { type: 'input_image', image_url: url, detail };
}
