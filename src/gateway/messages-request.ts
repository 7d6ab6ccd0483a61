import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import { wellFormedSchema } from '../core/words/schema';
import type { ToolSpec } from '../core/words/tool';
import { conversationOf, type ApiMessage, type ApiPart } from './api-messages';
import {
  BadRequest,
  chosenTools,
  listOf,
  renamed,
  same,
  type ApiRequest,
  type ToolChoice,
} from './gateway-request';

/** Reads a request of Anthropic's Messages API (https://docs.claude.com/en/api/messages). Throws `BadRequest`. */
export function readMessagesRequest(body: JsonObject): ApiRequest {
  const { system, messages, tools, tool_choice: choice, stop_sequences: stop, stream } = body;
  if (messages === undefined || !isJsonList(messages) || messages.length === 0)
    throw new BadRequest('"messages" must be a list of messages.');
  const read = messages.flatMap((message, at) => messagesOf(message, `messages[${at}]`));
  return {
    ...conversationOf([...systemOf(system), ...read]),
    ...chosenTools(listOf(tools).flatMap(toolSpec), toolChoice(choice)),
    isSingle: isJsonObject(choice) && choice['disable_parallel_tool_use'] === true,
    stop: listOf(stop).filter((each) => typeof each === 'string'),
    isStreamed: stream === true,
    rest: renamed(body, same('max_tokens', 'temperature', 'top_p')),
  };
}

/**
 * Claude Code begins with a line for Anthropic's accounts. It differs in every request, so it would prevent servers
 * from reusing their cache.
 */
const ACCOUNTING = /^x-anthropic-billing-header:[^\n]*\n*/;

function systemOf(system: Json | undefined): readonly ApiMessage[] {
  const texts = typeof system === 'string' ? [system] : listOf(system).map((block) => textOf(block) ?? '');
  return texts.map((text) => ({ role: 'system', content: text.replace(ACCOUNTING, '') }));
}

/** Tools that run at Anthropic have no schema and are left out. */
function toolSpec(tool: Json, at: number): ToolSpec[] {
  const { type = 'custom', name, description, input_schema: schema } = isJsonObject(tool) ? tool : {};
  if (type !== 'custom' && schema === undefined) return [];
  if (typeof name !== 'string' || name === '') throw new BadRequest(`"tools[${at}]" has no name.`);
  return [
    {
      name,
      description: typeof description === 'string' ? description : '',
      parameters: wellFormedSchema(schema ?? {}),
    },
  ];
}

function toolChoice(choice: Json | undefined): ToolChoice {
  const { type = 'auto', name = null } = isJsonObject(choice) ? choice : {};
  switch (type) {
    case 'auto':
    case 'none':
      return type;
    case 'any':
      return 'needed';
    default:
      return { name };
  }
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
          content: blocks.flatMap((block) => partsOf(block, where)),
          tool_calls: blocks.flatMap((block) => callsOf(block, where)),
        },
      ];
    case 'user':
    case 'system': {
      const said = blocks.flatMap((block) => partsOf(block, where));
      const results = blocks.flatMap((block) => resultsOf(block, where));
      return said.length > 0 || results.length === 0 ? [...results, { role, content: said }] : results;
    }
    default:
      throw new BadRequest(`"${where}.role" must be user or assistant.`);
  }
}

/** The content of a block. Reasoning is not sent back, and calls and results are read separately. */
function partsOf(block: Json, where: string): readonly ApiPart[] {
  const { type, source } = isJsonObject(block) ? block : {};
  const text = textOf(block);
  if (text !== undefined) return [{ type: 'text', text }];
  switch (type) {
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
    case 'tool_result':
      return [];
    case 'image': {
      const url = isJsonObject(source) ? addressOf(source) : undefined;
      if (url !== undefined) return [{ type: 'image_url', image_url: { url } }];
    }
  }
  throw new BadRequest(`A block of "${where}" must be text or an image with a URL or data.`);
}

function textOf(block: Json): string | undefined {
  const { type, text, source } = isJsonObject(block) ? block : {};
  if (type === 'text' && typeof text === 'string') return text;
  if (type !== 'document' || !isJsonObject(source) || source['type'] !== 'text') return undefined;
  return typeof source['data'] === 'string' ? source['data'] : undefined;
}

function addressOf({ type, media_type: media, data, url }: JsonObject): string | undefined {
  if (type === 'url') return typeof url === 'string' ? url : undefined;
  return typeof media === 'string' && typeof data === 'string' ? `data:${media};base64,${data}` : undefined;
}

function callsOf(
  block: Json,
  where: string,
): NonNullable<(ApiMessage & { role: 'assistant' })['tool_calls']> {
  const { type, id, name, input = {} } = isJsonObject(block) ? block : {};
  if (type !== 'tool_use') return [];
  if (typeof id !== 'string' || typeof name !== 'string')
    throw new BadRequest(`A call of "${where}" needs "id" and "name".`);
  return [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }];
}

function resultsOf(block: Json, where: string): readonly ApiMessage[] {
  const { type, tool_use_id: id, content = '', is_error: isError } = isJsonObject(block) ? block : {};
  if (type !== 'tool_result') return [];
  if (typeof id !== 'string') throw new BadRequest(`A result of "${where}" has no "tool_use_id".`);
  return [
    {
      role: 'tool',
      tool_call_id: id,
      content:
        typeof content === 'string' ? content : listOf(content).flatMap((part) => partsOf(part, where)),
      ...(isError === true && { is_error: true }),
    },
  ];
}
