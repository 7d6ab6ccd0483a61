import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import { CONTINUE, listOf } from './gateway-request';

/**
 * A Chat Completions request without tools, as it is passed on: servers refuse an empty list of tools and a choice of
 * none, and templates refuse other orders of roles than those of `conversationOf`. Nothing else changes.
 */
export function plainRequest({
  tools: _tools,
  tool_choice: _choice,
  parallel_tool_calls: _parallel,
  functions: _functions,
  function_call: _call,
  ...body
}: JsonObject): JsonObject {
  const { messages } = body;
  if (messages === undefined || !isJsonList(messages) || !messages.every(isJsonObject)) return body;
  const ordered = inOrder(messages);
  return { ...body, messages: continuesReply(body) ? ordered : answerable(ordered) };
}

/** One system message at the beginning; later ones are the user's; roles alternate. */
function inOrder(messages: readonly JsonObject[]): readonly JsonObject[] {
  const begin = messages.findIndex((message) => !isSystem(message));
  const leading = begin < 0 ? messages.length : begin;
  return messages
    .map((message, at) =>
      isSystem(message) ? { ...message, role: at < leading ? 'system' : 'user' } : message,
    )
    .reduce<JsonObject[]>((before, message) => {
      const last = before.at(-1);
      const both = last && joined(last, message);
      return both ? [...before.slice(0, -1), both] : [...before, message];
    }, []);
}

function isSystem({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer';
}

/** Two messages of one role as one; nothing if they have other roles, or anything else to say. */
function joined(first: JsonObject, second: JsonObject): JsonObject | undefined {
  if (first['role'] !== second['role'] || ![first, second].every(isPlain)) return undefined;
  const [one, other] = [first['content'] ?? '', second['content'] ?? ''];
  if (typeof one === 'string' && typeof other === 'string')
    return { ...first, content: [one, other].filter(Boolean).join('\n\n') };
  return { ...first, content: [...partsOf(one), ...partsOf(other)] };
}

/** Names and other fields belong to one message. */
function isPlain(message: JsonObject): boolean {
  return Object.keys(message).every((name) => name === 'role' || name === 'content');
}

function partsOf(content: Json): readonly Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
}

/** Whether the client asks for the rest of a reply that it has begun, as vLLM and Mistral name that. */
function continuesReply({ messages, continue_final_message: isContinued }: JsonObject): boolean {
  const last = listOf(messages).at(-1);
  return isContinued === true || (isJsonObject(last) && last['prefix'] === true);
}

/** Templates and servers refuse a conversation that ends with a reply, or in which nobody asks. */
function answerable(messages: readonly JsonObject[]): readonly JsonObject[] {
  const { role } = messages.at(-1) ?? {};
  return role === 'assistant' || role === 'system'
    ? [...messages, { role: 'user', content: CONTINUE }]
    : messages;
}
