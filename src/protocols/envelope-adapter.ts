import { CallIds } from '../core/call-ids';
import type { Diagnostic } from '../core/diagnostic';
import type { ToolCall } from '../core/messages';
import type { ReplyEvent } from '../core/protocol';
import {
  callsOf,
  conversationOf,
  specOf,
  type ApiMessage,
  type ApiTool,
  type ApiToolCall,
} from './api-messages';
import { envelope } from './envelope';
import { answerText } from './service-answer';

/** What a service that knows no tools is sent. */
export interface TextMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/**
 * Sends messages and resolves to whatever the service answers: text, an object that holds text, or an envelope that
 * is parsed already. If the service can be asked for JSON (`response_format`), ask here.
 */
export type Complete = (messages: readonly TextMessage[]) => Promise<unknown>;

export interface AdapterOptions {
  /** Gives out the ids of new calls. If not given, ids that stand in `messages` are not given again. */
  readonly ids?: CallIds;
}

/** A reply as the API has it, and what the API has no room for. */
export interface GeneratedReply {
  /** The answer; beside calls, why they are made. Empty where the reply broke off: half an answer is none. */
  readonly content: string;
  readonly tool_calls: readonly ApiToolCall[];
  /** What was meant as calls and cannot run. Tell the model `message` and `hint`. */
  readonly errors: readonly ReplyProblem[];
  /** What was mended, guessed or left out, for a log. */
  readonly notes: readonly ReplyProblem[];
}

export interface ReplyProblem extends Pick<Diagnostic, 'code' | 'message' | 'hint'> {
  /** The tool it is about, as the model wrote it; empty where that is not known. */
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
  const specs = tools.map(specOf);
  const { ids = new CallIds(callsOf(messages).map(({ id }) => id)) } = options;
  const request = envelope.request({ ...conversationOf(messages), tools: specs });
  const text = answerText(await complete(request.messages.flatMap(textMessage)));
  if (text === undefined) return { content: '', tool_calls: [], errors: [UNREADABLE], notes: [] };
  const parser = envelope.createParser({ tools: specs, ids });
  return gather([...parser.push({ type: 'text', text }), ...parser.end('stop')]);
}

/** The role `tool` is not among those a text protocol uses, which the type cannot say. */
function textMessage({ role, content }: { role: string; content: string }): TextMessage[] {
  return role === 'system' || role === 'user' || role === 'assistant' ? [{ role, content }] : [];
}

function gather(events: readonly ReplyEvent[]): GeneratedReply {
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
  message: 'The service answered with something that is neither text nor JSON.',
  hint: 'Answer with one JSON object.',
};
