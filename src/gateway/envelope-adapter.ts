import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import { readJson } from '../base/json-reader';
import { CallIds } from '../core/reply/call-ids';
import { standingEvents } from '../core/reply/parse-reply';
import type { Diagnostic, ToolCall } from '../core/words/messages';
import type { ReplyEvent } from '../core/words/protocol';
import { argumentText } from '../protocols/prompt/describe';
import {
  apiCalls,
  conversationOf,
  apiToolSpec,
  type ApiMessage,
  type ApiTool,
  type ApiToolCall,
} from './api-messages';
import { envelope } from '../protocols/envelope/envelope';
import { KEYS } from '../protocols/envelope/read-envelope';

/** A message for a service without tools. */
export interface TextMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/**
 * Sends messages and resolves to the service's answer: text, an object that contains text, or a parsed envelope. If the
 * service supports JSON answers (`response_format`), request them here.
 */
type Complete = (messages: readonly TextMessage[]) => Promise<unknown>;

interface AdapterOptions {
  /** Provides the ids of new calls. By default, ids in `messages` are not reused. */
  readonly ids?: CallIds;
}

/** A reply in the API's form, and what the API has no fields for. */
export interface GeneratedReply {
  /** The answer; with calls, the reason for them. Empty if the reply broke off, because half an answer is useless. */
  readonly content: string;
  readonly tool_calls: readonly ApiToolCall[];
  /** Malformed calls, which cannot run. Tell the model `message` and `hint`. */
  readonly errors: readonly ReplyProblem[];
  /** What was repaired, guessed or left out, for a log. */
  readonly notes: readonly ReplyProblem[];
}

interface ReplyProblem extends Pick<Diagnostic, 'code' | 'message' | 'hint'> {
  /** The tool it is about, as the model wrote it; empty if unknown. */
  readonly name: string;
}

/**
 * The API's tools over a service that only returns text. Describes the tools in the system message, shows earlier
 * calls and results as text and reads the reply as the envelope protocol does.
 *
 * ```ts
 * for (;;) {
 *   const { content, tool_calls, errors } = await generateWithTools(complete, messages, tools);
 *   if (tool_calls.length === 0 && errors.length === 0) return content;
 *   messages.push({ role: 'assistant', content, tool_calls });
 *   for (const { id, function: call } of tool_calls) {
 *     const result = await run(call.name, JSON.parse(call.arguments));
 *     messages.push({ role: 'tool', tool_call_id: id, content: result });
 *   }
 *   for (const { message, hint } of errors) messages.push({ role: 'user', content: `${message} ${hint}` });
 * }
 * ```
 *
 * A call that comes back is whole, names one of the tools and fits its schema. Rejects only if `complete` does.
 */
export async function generateWithTools(
  complete: Complete,
  messages: readonly ApiMessage[],
  tools: readonly ApiTool[],
  options: AdapterOptions = {},
): Promise<GeneratedReply> {
  const specs = tools.map(apiToolSpec);
  const { ids = new CallIds(apiCalls(messages).map(({ id }) => id)) } = options;
  const request = envelope.request({ ...conversationOf(messages), tools: specs });
  const text = answerText(await complete(request.messages.flatMap(textMessage)));
  if (text === undefined) return { content: '', tool_calls: [], errors: [UNREADABLE], notes: [] };
  const parser = envelope.createParser({ tools: specs, ids });
  return gather([...parser.push({ type: 'text', text }), ...parser.end('stop')]);
}

/** Text protocols never use the role `tool`, which the type cannot express. */
function textMessage({ role, content }: { role: string; content: string }): TextMessage[] {
  return role === 'system' || role === 'user' || role === 'assistant' ? [{ role, content }] : [];
}

function gather(all: readonly ReplyEvent[]): GeneratedReply {
  const events = standingEvents(all);
  const calls = events.flatMap((event) => (event.type === 'call-end' ? [event.call] : []));
  const errors = events.flatMap((event) =>
    event.type === 'malformed' ? [problem(event.malformed.name, event.malformed.diagnostic)] : [],
  );
  const warnings = events.flatMap((event) =>
    event.type === 'warning' ? [problem('', event.diagnostic)] : [],
  );
  const ofCalls = calls.flatMap(({ name, notes }) => notes.map((note) => problem(name, note)));
  return {
    content: contentOf(events, errors),
    tool_calls: calls.map(toolCall),
    errors,
    notes: [...warnings, ...ofCalls],
  };
}

function contentOf(events: readonly ReplyEvent[], errors: readonly ReplyProblem[]): string {
  if (errors.some(({ code }) => code === 'unfinished')) return '';
  const textOf = (type: 'text' | 'reasoning'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  const text = textOf('text');
  const asksForCalls = events.some(({ type }) => type === 'call-end' || type === 'malformed');
  return asksForCalls && text.trim() === '' ? textOf('reasoning') : text;
}

function toolCall({ id, name, arguments: args }: ToolCall): ApiToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

function problem(name: string, { code, message, hint }: Diagnostic): ReplyProblem {
  return { name, code, message, hint };
}

const UNREADABLE: ReplyProblem = {
  name: '',
  code: 'unreadable-answer',
  message: 'The answer of the service is neither text nor JSON.',
  hint: 'Answer with one JSON object.',
};

/** Fields in which services put their text, in search order. */
const TEXT_FIELDS = ['response', 'result', 'text', 'content', 'message'];
/** Maximum depth of nested answers. */
const DEPTH = 8;

/**
 * A service's answer as the text a model wrote: text unchanged, the text in the fields of an object, a parsed envelope
 * as JSON again. `undefined` for anything that is not JSON. Never throws.
 */
function answerText(answer: unknown): string | undefined {
  if (typeof answer === 'string') return answer;
  if (answer === undefined || answer === null) return '';
  const data = plainData(answer);
  return data === undefined ? undefined : textIn(data, DEPTH);
}

/** The answer without circles, getters and functions. */
function plainData(answer: unknown): Json | undefined {
  try {
    // SAFETY: the declared type leaves out the result for functions and symbols.
    const text = JSON.stringify(answer) as string | undefined;
    const read = text === undefined ? undefined : readJson(text);
    return read?.ok ? read.value : undefined;
  } catch {
    // A circle, a bigint, or an error from a getter of a third-party object: there is nothing to read.
    return undefined;
  }
}

function textIn(value: Json, depth: number): string {
  if (isJsonList(value)) return textInList(value, depth);
  if (!isJsonObject(value)) return value === null ? '' : argumentText(value);
  if (depth === 0 || isEnvelope(value)) return envelopeText(value);
  const inner = [...TEXT_FIELDS.map((field) => value[field]), firstChoice(value)].find(isFilled);
  return inner === undefined ? envelopeText(value) : textIn(inner, depth - 1);
}

/** Some services send text in parts. Any other list is data. */
function textInList(list: readonly Json[], depth: number): string {
  const parts = list.map((part) => (isJsonObject(part) ? part['text'] : undefined));
  if (depth === 0 || !parts.some(isFilled)) return JSON.stringify(list);
  return parts.filter((part) => typeof part === 'string').join('');
}

/** A complete answer of the API. */
function firstChoice({ choices }: JsonObject): Json | undefined {
  return choices !== undefined && isJsonList(choices) ? choices[0] : undefined;
}

function isFilled(value: Json | undefined): value is Json {
  return value !== undefined && value !== null && value !== '';
}

/** Whether the object has an action. One without may contain an envelope in its text. */
function isEnvelope(value: JsonObject): boolean {
  const calls = value['tool_calls'];
  return (
    typeof value['action'] === 'string' || (calls !== undefined && isJsonList(calls) && calls.length > 0)
  );
}

/** An envelope is recognized by its first key, which external objects may have in any position. */
function envelopeText(value: JsonObject): string {
  const fields = KEYS.flatMap((key) => (isFilled(value[key]) ? [[key, value[key]] as const] : []));
  if (fields.length > 0) return JSON.stringify(Object.fromEntries(fields));
  const isEmpty = Object.keys(value).every((key) => KEYS.includes(key) || TEXT_FIELDS.includes(key));
  return isEmpty ? '' : JSON.stringify(value);
}
