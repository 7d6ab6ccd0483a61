import { isJsonObject, type JsonObject } from '../base/json';
import { readJson } from '../base/json-reader';
import type { ReplyPart, ToolResult, Turn } from '../core/words/messages';
import type { JsonSchema } from '../core/words/schema';
import type { ToolSpec } from '../core/words/tool';

/** A message of the OpenAI Chat Completions API, as programs keep them. */
export type ApiMessage =
  | { readonly role: 'system' | 'developer' | 'user'; readonly content: ApiContent }
  | {
      readonly role: 'assistant';
      readonly content?: ApiContent | null;
      readonly tool_calls?: readonly ApiToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: ApiContent };

/** Text, or text in parts. Parts that are no text are left out: there is nothing to show them in. */
type ApiContent = string | readonly { readonly type: string; readonly text?: string }[];

export interface ApiToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    /** A JSON object as text. */
    readonly arguments: string;
  };
}

/** A tool as the API takes it, or its function alone. */
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

/** A conversation in Parley's own form. System messages become the instructions, wherever they stood. */
export function conversationOf(messages: readonly ApiMessage[]): { instructions: string; turns: Turn[] } {
  const instructions = messages.flatMap((message) =>
    isSystem(message) ? [contentText(message.content)] : [],
  );
  const names = new Map(apiCalls(messages).map((call) => [call.id, call.function.name]));
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      turns.push({ type: 'user', text: contentText(message.content) });
    } else if (message.role === 'assistant') {
      turns.push({ type: 'reply', parts: partsOf(contentText(message.content), message.tool_calls) });
    } else if (message.role === 'tool') {
      const { tool_call_id: id, content } = message;
      addResult(turns, resultOf(id, names.get(id) ?? '', contentText(content)));
    }
  }
  return { instructions: instructions.filter(Boolean).join('\n\n'), turns };
}

export function apiCalls(messages: readonly ApiMessage[]): ApiToolCall[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
}

function isSystem(message: ApiMessage): message is ApiMessage & { readonly role: 'system' | 'developer' } {
  return message.role === 'system' || message.role === 'developer';
}

function contentText(content: ApiContent | null | undefined): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('');
}

function partsOf(text: string, calls: readonly ApiToolCall[] = []): ReplyPart[] {
  const written: ReplyPart[] = calls.flatMap(({ id, function: { name, arguments: text } }): ReplyPart[] => {
    const args = readArguments(text);
    // A call that cannot be read is shown by its result alone, as in every history.
    if (!args) return [];
    return [
      { type: 'call', call: { id, name, arguments: args, start: 0, end: 0, notes: [], mark: 'clean' } },
    ];
  });
  return text === '' ? written : [{ type: 'text', text }, ...written];
}

function readArguments(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  const read = readJson(text);
  return read.ok && isJsonObject(read.value) ? read.value : undefined;
}

/** The API has one message for each result, Parley one turn for all that answer a reply. It says nothing of failures. */
function addResult(turns: Turn[], result: ToolResult): void {
  const last = turns.at(-1);
  if (last?.type === 'results') turns[turns.length - 1] = { ...last, results: [...last.results, result] };
  else turns.push({ type: 'results', results: [result] });
}

function resultOf(requestId: string, toolName: string, result: string): ToolResult {
  return { requestId, toolName, status: 'success', result, durationMs: 0 };
}
