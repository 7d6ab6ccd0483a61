import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import {
  argumentsText,
  type ApiContent,
  type ApiMessage,
  type ApiPart,
  type ApiToolCall,
} from './api-messages';
import { builtInResult, builtInTools } from './built-in-tools';
import { readContent } from './content';
import { BadRequest, listOf } from './gateway-request';
import { FREE_TEXT, type OfferedTools } from './offered-tools';

/** The conversation in the `input` of a request. Throws `BadRequest`. */
export function inputMessages(input: Json | undefined, offered: OfferedTools): readonly ApiMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (input === undefined || !isJsonList(input) || input.length === 0)
    throw new BadRequest('"input" must be text or a list of items.');
  return input.reduce<ApiMessage[]>(
    (before, item, at) => withItem(before, item, { where: `input[${at}]`, offered }),
    [],
  );
}

/** Where an item is in the request, and the tools that it may name. */
interface ItemContext {
  readonly where: string;
  readonly offered: OfferedTools;
}

/** An assistant's text and calls from one reply are several items. Items that do not belong to a chat are left out. */
function withItem(before: readonly ApiMessage[], item: Json, { where, offered }: ItemContext): ApiMessage[] {
  if (!isJsonObject(item)) throw new BadRequest(`"${where}" must be an object.`);
  const { type = 'message', role, content, call_id: id, name, namespace, output } = item;
  switch (type) {
    case 'message':
      if (role === 'assistant') return withSaid(before, readContent(content, where));
      if (role !== 'system' && role !== 'developer' && role !== 'user')
        throw new BadRequest(`"${where}.role" must be system, developer, user or assistant.`);
      return [...before, { role, content: readContent(content, where) }];
    case 'function_call':
    case 'custom_tool_call': {
      if (typeof id !== 'string' || typeof name !== 'string')
        throw new BadRequest(`"${where}" must be a call with "call_id" and "name".`);
      const args = type === 'function_call' ? item['arguments'] : { [FREE_TEXT]: item['input'] ?? '' };
      return withCall(before, { id, name: offered.nameOf(name, namespace), args });
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      if (typeof id !== 'string') throw new BadRequest(`"${where}.call_id" is missing.`);
      return [...before, { role: 'tool', tool_call_id: id, content: readContent(output, where) }];
    case 'item_reference':
      throw new BadRequest(`"${where}" names a stored item, but this gateway stores nothing.`);
    default:
      return withBuiltIn(before, item, { where, offered });
  }
}

/** A call or result of a tool that the API defines. Those that ran at the service have no id. */
function withBuiltIn(
  before: readonly ApiMessage[],
  item: JsonObject,
  { where, offered }: ItemContext,
): ApiMessage[] {
  const { type, call_id: id = item['id'] } = item;
  const tool = builtInTools.find(({ call, output }) => type === call || type === output);
  if (!tool || typeof id !== 'string') return [...before];
  if (type === tool.call) return withCall(before, { id, name: tool.type, args: tool.fromItem(item) });
  const content = readContent(
    builtInResult(tool, item, (name, namespace) => offered.nameOf(name, namespace)),
    where,
  );
  return [...before, { role: 'tool', tool_call_id: id, content }];
}

function withSaid(before: readonly ApiMessage[], said: ApiContent): ApiMessage[] {
  const last = before.at(-1);
  if (last?.role !== 'assistant') return [...before, { role: 'assistant', content: said }];
  const content = [...partsOf(last.content ?? ''), ...partsOf(said)];
  return [...before.slice(0, -1), { ...last, content }];
}

interface StoredCall {
  readonly id: string;
  readonly name: string;
  readonly args: Json | undefined;
}

function withCall(before: readonly ApiMessage[], { id, name, args }: StoredCall): ApiMessage[] {
  const call: ApiToolCall = { id, type: 'function', function: { name, arguments: argumentsText(args) } };
  const last = before.at(-1);
  if (last?.role !== 'assistant') return [...before, { role: 'assistant', tool_calls: [call] }];
  return [...before.slice(0, -1), { ...last, tool_calls: [...(last.tool_calls ?? []), call] }];
}

function partsOf(content: ApiContent): readonly ApiPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Lists of tools that came during the conversation: they can be called from then on. */
export function loadedTools(input: Json | undefined): readonly (Json | undefined)[] {
  return listOf(input).map((item) => {
    const { type, tools } = isJsonObject(item) ? item : {};
    return type === 'tool_search_output' || type === 'additional_tools' ? loaded(tools) : undefined;
  });
}

/** They have been found. */
function loaded(tools: Json | undefined): Json | undefined {
  if (tools === undefined || !isJsonList(tools)) return tools;
  return tools.map((tool) => {
    if (!isJsonObject(tool)) return tool;
    const inner = loaded(tool['tools']);
    return { ...tool, defer_loading: false, ...(inner !== undefined && { tools: inner }) };
  });
}
