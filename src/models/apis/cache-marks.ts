import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json';
import type { Api } from './api-name';

/** Whether parts of a request are marked for the cache of the server, and for how long: five minutes, or an hour. */
export type CacheMarks = 'auto' | 'off' | '1h';

interface CacheTarget {
  readonly api: Api;
  readonly model: string;
  readonly baseUrl: string;
  /** `auto` if not given. */
  readonly cache?: CacheMarks | undefined;
}

const MARK = 'cache_control';

/**
 * The body with cache breakpoints where the model needs them: behind the tools, the instructions and the last turn
 * (https://docs.claude.com/en/docs/build-with-claude/prompt-caching). Other models cache by themselves.
 */
export function withCacheMarks(
  body: JsonObject,
  { api, model, baseUrl, cache = 'auto' }: CacheTarget,
): JsonObject {
  const isWanted = cache === '1h' || (cache === 'auto' && (api === 'messages' || isClaude(model, baseUrl)));
  if (!isWanted || api === 'responses' || isMarked(body)) return body;
  const mark: JsonObject = { type: 'ephemeral', ...(cache === '1h' && { ttl: '1h' }) };
  return api === 'messages' ? markMessages(body, mark) : markChat(body, mark);
}

/** The body without any, for an endpoint that refuses them. */
export function withoutCacheMarks(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === 'tools' ? unmarkedList(value) : unmarked(value),
    ]),
  );
}

/** The schemas of tools stay as they are. */
function unmarkedList(tools: Json): Json {
  return isJsonList(tools) ? tools.map((tool) => (isJsonObject(tool) ? withoutMark(tool) : tool)) : tools;
}

function unmarked(value: Json): Json {
  // SAFETY: the same value with fewer fields.
  return JSON.parse(
    JSON.stringify(value, (name, inner: unknown) => (name === MARK ? undefined : inner)),
  ) as Json;
}

function withoutMark({ [MARK]: _, ...tool }: JsonObject): JsonObject {
  return tool;
}

/** Whether a body has marks; schemas of tools may have properties of that name, which are no marks. */
export function isMarked({ tools = [], ...others }: JsonObject): boolean {
  const ofTools = isJsonList(tools) && tools.some((tool) => isJsonObject(tool) && tool[MARK] !== undefined);
  return ofTools || JSON.stringify(others).includes(`"${MARK}":{`);
}

function isClaude(model: string, baseUrl: string): boolean {
  return /claude|anthropic/i.test(model) || /anthropic/i.test(new URL(baseUrl).hostname);
}

function markMessages(body: JsonObject, mark: JsonObject): JsonObject {
  const { system, tools, messages } = body;
  return {
    ...body,
    ...(Array.isArray(system) && { system: withMark(system as readonly Json[], mark) }),
    ...(Array.isArray(tools) && { tools: withMark(tools as readonly Json[], mark) }),
    ...(Array.isArray(messages) && { messages: markedLast(messages as readonly Json[], mark) }),
  };
}

/** Behind the instructions, which follow the tools, and the last turn. */
function markChat(body: JsonObject, mark: JsonObject): JsonObject {
  const messages = Array.isArray(body['messages']) ? (body['messages'] as readonly Json[]) : [];
  const [first, ...others] = messages;
  if (first === undefined) return body;
  const isLed = isJsonObject(first) && first['role'] === 'system';
  return {
    ...body,
    messages: isLed ? [marked(first, mark), ...markedLast(others, mark)] : markedLast(messages, mark),
  };
}

function markedLast(messages: readonly Json[], mark: JsonObject): readonly Json[] {
  const last = messages.at(-1);
  const isReply = last !== undefined && isJsonObject(last) && last['role'] === 'assistant';
  return last === undefined || isReply ? messages : [...messages.slice(0, -1), marked(last, mark)];
}

/** Marks are fields of parts. */
function marked(message: Json, mark: JsonObject): Json {
  if (!isJsonObject(message)) return message;
  const { content = '' } = message;
  if (typeof content !== 'string')
    return isJsonList(content) ? { ...message, content: withMark(content, mark) } : message;
  return content.trim() === ''
    ? message
    : { ...message, content: [{ type: 'text', text: content, [MARK]: mark }] };
}

function withMark(list: readonly Json[], mark: JsonObject): readonly Json[] {
  const last = list.at(-1);
  return last !== undefined && isJsonObject(last) ? [...list.slice(0, -1), { ...last, [MARK]: mark }] : list;
}
