import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { readJson } from '../base/json-reader';
import type { Attachment, Image } from '../core/words/attachment';
import {
  notRun,
  type Diagnostic,
  type ReplyPart,
  type ToolCall,
  type ToolResult,
  type Turn,
} from '../core/words/messages';
import type { JsonSchema } from '../core/words/schema';
import type { ToolSpec } from '../core/words/tool';

/** A message of the OpenAI Chat Completions API, as clients store it. */
export type ApiMessage =
  | { readonly role: 'system' | 'developer' | 'user'; readonly content: ApiContent }
  | {
      readonly role: 'assistant';
      readonly content?: ApiContent | null;
      readonly tool_calls?: readonly ApiToolCall[];
    }
  | {
      readonly role: 'tool';
      readonly tool_call_id: string;
      readonly content: ApiContent;
      /** Set for a failed tool by Anthropic's API; OpenAI's API has no such field. */
      readonly is_error?: boolean;
    };

export type ApiContent = string | readonly ApiPart[];

/** Text, an image, or a `note` in place of what cannot be shown. */
export interface ApiPart {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string; readonly detail?: string };
}

export interface ApiToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    /** A JSON object as text. */
    readonly arguments: string;
  };
}

/** A tool as in the API, or only its function. */
export type ApiTool = { readonly type: 'function'; readonly function: ApiFunction } | ApiFunction;

interface ApiFunction {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonSchema;
}

export function apiToolSpec(tool: ApiTool): ToolSpec {
  const { name, description = '', parameters = {} } = 'function' in tool ? tool.function : tool;
  return { name, description, parameters };
}

/** The arguments of a stored call as text: clients also store the object, or nothing for a tool without arguments. */
export function argumentsText(args: Json | undefined): string {
  if (args === undefined || args === null) return '';
  return typeof args === 'string' ? args : JSON.stringify(args);
}

export function apiToolCall({
  id,
  name,
  arguments: args,
}: Pick<ToolCall, 'id' | 'name' | 'arguments'>): ApiToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

/**
 * A conversation in Parley's form. System messages at the beginning become the instructions. Later ones stay in place
 * as user messages: otherwise the request would no longer begin like the previous one, and would be read again. Every
 * call has one result, in the order of the calls; a result without a call stays separate.
 */
export function conversationOf(messages: readonly ApiMessage[]): { instructions: string; turns: Turn[] } {
  const begin = messages.findIndex((message) => !isSystem(message));
  const leading = messages.slice(0, begin < 0 ? messages.length : begin);
  const turns: Turn[] = [];
  let asked: readonly ApiToolCall[] = [];
  let results: ToolResult[] = [];
  const settle = (): void => {
    if (asked.length + results.length > 0) turns.push({ type: 'results', results: inOrder(asked, results) });
    [asked, results] = [[], []];
  };
  for (const message of messages.slice(leading.length)) {
    if (message.role === 'tool') {
      results.push(resultOf(message, asked));
      continue;
    }
    settle();
    if (message.role === 'assistant') {
      asked = message.tool_calls ?? [];
      turns.push({ type: 'reply', parts: partsOf(contentText(message.content, 'assistant'), asked) });
    } else {
      turns.push(userTurn(message.content));
    }
  }
  settle();
  const instructions = leading.map(({ content, role }) => contentText(content, role));
  return { instructions: instructions.filter(Boolean).join('\n\n'), turns };
}

export function apiCalls(messages: readonly ApiMessage[]): ApiToolCall[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
}

function isSystem(message: ApiMessage): message is ApiMessage & { readonly role: 'system' | 'developer' } {
  return message.role === 'system' || message.role === 'developer';
}

/**
 * Parts of a reply are pieces of one text; in Anthropic's API, a citation splits a sentence. Other parts are texts of
 * their own, such as a client's reminder before the user's words, and get lines of their own, as servers do it.
 */
function contentText(content: ApiContent | null | undefined, role: ApiMessage['role']): string {
  if (typeof content === 'string') return content;
  let all = '';
  let isAfterNote = false;
  for (const { type, text = '' } of content ?? []) {
    if (text === '') continue;
    const isNote = type === 'note';
    const isApart = role !== 'assistant' || isNote || isAfterNote;
    const needsBreak = isApart && all !== '' && !all.endsWith('\n') && !text.startsWith('\n');
    all += needsBreak ? `\n${text}` : text;
    isAfterNote = isNote;
  }
  return all;
}

function userTurn(content: ApiContent): Turn {
  const attachments = imagesOf(content).map((image): Attachment => ({
    type: 'image',
    label: 'image',
    image,
  }));
  return { type: 'user', text: contentText(content, 'user'), ...(attachments.length > 0 && { attachments }) };
}

function imagesOf(content: ApiContent): readonly Image[] {
  if (typeof content === 'string') return [];
  return content.flatMap(({ image_url: image }) => (image ? [imageOf(image)] : []));
}

const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,/;

/** An image without data in a known form is referred to by URL, including data URLs of other types. */
function imageOf({ url, detail }: NonNullable<ApiPart['image_url']>): Image {
  const [head, mediaType] = DATA_URL.exec(url) ?? [];
  const shown = detail === undefined ? {} : { detail };
  if (head === undefined) return { mediaType: 'image/png', data: '', url, ...shown };
  // SAFETY: the pattern names the types.
  return { mediaType: mediaType as Image['mediaType'], data: url.slice(head.length), ...shown };
}

function partsOf(text: string, calls: readonly ApiToolCall[]): ReplyPart[] {
  const written = calls.map(callPart);
  return text === '' ? written : [{ type: 'text', text }, ...written];
}

/** A stored call. If its arguments are not an object, only its result is shown, as in every history. */
function callPart({ id, function: { name, arguments: text } }: ApiToolCall): ReplyPart {
  const read = readJson(text.trim() === '' ? '{}' : text);
  if (!read.ok || !isJsonObject(read.value))
    return { type: 'malformed', malformed: { id, name, diagnostic: NO_OBJECT } };
  return {
    type: 'call',
    call: { id, name, arguments: read.value, start: 0, end: 0, notes: [], mark: 'clean' },
  };
}

const NO_OBJECT: Diagnostic = {
  code: 'invalid-json',
  level: 'error',
  message: 'The arguments are invalid.',
  hint: 'Send them as one JSON object.',
  start: 0,
  end: 0,
};

function resultOf(
  { tool_call_id: id, content, is_error: isError = false }: ApiMessage & { role: 'tool' },
  asked: readonly ApiToolCall[],
): ToolResult {
  const name = asked.find((call) => call.id === id)?.function.name ?? '';
  const images = imagesOf(content);
  const status = isError ? 'error' : 'success';
  const head = { requestId: id, toolName: name, status, durationMs: 0 } as const;
  return { ...head, result: contentText(content, 'tool'), ...(images.length > 0 && { images }) };
}

function inOrder(asked: readonly ApiToolCall[], results: readonly ToolResult[]): readonly ToolResult[] {
  const left = [...results];
  const answers = asked.map(({ id, function: { name } }) => {
    const at = left.findIndex(({ requestId }) => requestId === id);
    const [found] = at < 0 ? [] : left.splice(at, 1);
    return found ?? notRun(id, name, 'The call was interrupted; its effect is unknown.');
  });
  return [...answers, ...left];
}

/** Whether a conversation contains calls or results, which servers without tools would refuse. */
export function holdsCalls(messages: readonly JsonObject[]): boolean {
  return messages.some(
    ({ role, tool_calls: calls, function_call: call }) =>
      role === 'tool' ||
      role === 'function' ||
      isJsonObject(call) ||
      (Array.isArray(calls) && calls.length > 0),
  );
}
