import { isJsonObject } from '../../../base/json';
import type {
  InspectedCall,
  InspectedMessage,
  InspectedRequest,
  ReadCall,
  ReplyReading,
} from '../../../contract/inspector';
import { ContextBudget } from '../../../core/context/context-budget';
import type { ParsedReply } from '../../../core/reply/parse-reply';
import { callableTools, describedTools } from '../../../core/run/on-demand';
import { renderRequest } from '../../../core/context/render-request';
import type { RunSetup } from '../../../core/run/agent-options';
import { foldEvents } from '../../../core/transcript/fold-events';
import { entryTurns } from '../../../core/transcript/history';
import { callIdOf, type CallState, type ReplyEntry } from '../../../core/transcript/transcript';
import type { AgentEvent } from '../../../core/words/events';
import type { MalformedCall, ResultsTurn, ToolCall, Turn } from '../../../core/words/messages';
import type { ChatMessage, ModelRequest } from '../../../core/words/model';
import type { Protocol } from '../../../core/words/protocol';
import { FORM_FIELDS } from '../../../models/form/form-fields';

/** Calls parsed from a reply when it arrived. */
export function readingOf({ parts, warnings }: ReplyEntry): ReplyReading {
  const calls = parts.flatMap((part): ReadCall[] => {
    if (part.type !== 'call' || part.state.type === 'streaming') return [];
    return [part.state.type === 'malformed' ? malformed(part.state.malformed) : call(part.state.call)];
  });
  return { calls, warnings };
}

/** Calls parsed from it now. */
export function readingOfParsed({ parts }: ParsedReply): ReplyReading {
  const calls = parts.flatMap((part): ReadCall[] => {
    if (part.type === 'call') return [call(part.call)];
    return part.type === 'malformed' ? [malformed(part.malformed)] : [];
  });
  return { calls, warnings: parts.flatMap((part) => (part.type === 'warning' ? [part.diagnostic] : [])) };
}

function call({ id, name, arguments: args, start, end, mark, notes }: ToolCall): ReadCall {
  return { type: 'call', id, name, arguments: args, start, end, mark, notes };
}

function malformed({ id, name, diagnostic }: MalformedCall): ReadCall {
  const { start, end } = diagnostic;
  return { type: 'malformed', id, name, start, end, reason: diagnostic };
}

/** The parse result with positions adjusted to the raw text without keys. */
export function redactReading(
  reading: ReplyReading,
  raw: string,
  redact: (text: string) => string,
): ReplyReading {
  const clean = redact(raw);
  if (clean === raw) return reading;
  const at = (place: number): number => Math.min(redact(raw.slice(0, place)).length, clean.length);
  const moved = <Stretch extends { readonly start: number; readonly end: number }>(
    each: Stretch,
  ): Stretch => ({
    ...each,
    start: at(each.start),
    end: at(each.end),
  });
  return { calls: reading.calls.map(moved), warnings: reading.warnings.map(moved) };
}

/** Outcomes of the calls. */
export function inspectedCalls({ parts }: ReplyEntry): readonly InspectedCall[] {
  return parts.flatMap((part) => (part.type === 'call' ? inspectedCall(part.state) : []));
}

function inspectedCall(state: CallState): readonly InspectedCall[] {
  const id = callIdOf(state);
  if (id === undefined) return [];
  const approval = 'approval' in state ? state.approval : undefined;
  const request = state.type === 'waiting' ? state.request : approval?.request;
  const result = 'result' in state ? state.result : undefined;
  return [
    {
      id,
      hasBegun: 'title' in state,
      state: result?.status ?? openState(state.type),
      ...(request?.edited && { edited: request.edited }),
      ...(approval && { decision: approval.decision }),
      ...(result && { durationMs: result.durationMs }),
    },
  ];
}

function openState(type: CallState['type']): InspectedCall['state'] {
  if (type === 'waiting' || type === 'asking') return 'waiting';
  return type === 'running' ? 'running' : 'open';
}

/** The body that was sent, or the request it is made from. */
export interface RequestBody {
  readonly messages?: readonly RequestMessage[];
  readonly tools?: readonly {
    readonly name?: string;
    readonly function?: { readonly name: string };
  }[];
}

interface RequestMessage {
  readonly role: string;
  readonly content?: unknown;
}

export function inspectedMessage({ role, content, ...more }: RequestMessage): InspectedMessage {
  const isText = typeof content === 'string';
  const others = isText ? more : { content, ...more };
  const text = isText ? content : '';
  return { role, text, ...(Object.keys(others).length > 0 && { more: prettyJson(others) }) };
}

type InspectedBody = Pick<
  Extract<InspectedRequest, { body: string }>,
  'messages' | 'tools' | 'forms' | 'body'
>;

export function inspectedBody(body: RequestBody): InspectedBody {
  const { messages = [], tools = [], ...others } = body;
  const fields = Object.entries(others);
  const forms = fields.flatMap(([field, value]) => (isForm(field, value) ? [{ field, value }] : []));
  const rest = fields.filter(([name]) => !forms.some(({ field }) => field === name));
  return {
    messages: messages.map(inspectedMessage),
    tools: tools.map((tool) => ({ name: tool.name ?? tool.function?.name ?? '', json: prettyJson(tool) })),
    forms: forms.map(({ field, value }) => ({ field, text: formText(value) })),
    body: prettyJson(Object.fromEntries(rest)),
  };
}

/** Whether it constrains the reply; `{"type": "text"}` allows any reply. */
function isForm(field: string, value: unknown): boolean {
  const isAny = isJsonObject(value) && value['type'] === 'text';
  return FORM_FIELDS.some((each) => each === field) && value !== null && value !== '' && !isAny;
}

/** A grammar as lines, not escaped as in JSON. */
function formText(value: unknown): string {
  const [only, ...others] = isJsonObject(value) ? Object.values(value) : [value];
  return typeof only === 'string' && others.length === 0 ? only : prettyJson(value);
}

export function prettyJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

/**
 * The request for a reply of the conversation, rendered again: from the messages before it, with the protocol it was
 * parsed with, and with the current tools and settings.
 */
export function renderedRequest(
  events: readonly AgentEvent[],
  number: number,
  protocol: Protocol,
  setup: RunSetup,
): ModelRequest {
  const transcript = foldEvents(events.slice(0, startOf(number, events)));
  const config = setup.tools.config();
  const offering = { offer: setup.tools.offer, protocol };
  const described = describedTools(offering, config);
  const contextBudget = new ContextBudget(setup.model.window);
  const { instructions, situation, promptForm = 'full' } = setup.prompt;
  // Decides how much room results have.
  const tools = described.map(({ spec }) => spec);
  const beginning = { instructions, ...(situation !== undefined && { situation }) };
  contextBudget.request(protocol, { ...beginning, tools, promptForm }, transcript);
  const turns = contextBudget.turns(transcript);
  const { loaded } = callableTools(offering, config, turns);
  const prompt = { protocol, ...beginning, promptForm };
  return renderRequest(prompt, { described, loaded }, turns, contextBudget);
}

/** Index at which the reply of that number begins. */
export function startOf(number: number, events: readonly AgentEvent[]): number {
  let left = number;
  return events.findIndex(({ type }) => type === 'round-start' && left-- === 0);
}

/** The results of a reply for the model: as the request `next` contains them, else as the protocol renders them. */
export function renderedResults(
  reply: ReplyEntry,
  protocol: Protocol,
  next: ModelRequest | undefined,
): { readonly isSent: boolean; readonly messages: readonly ChatMessage[] } {
  const [said, results, ...notes] = entryTurns(reply);
  if (!said || results?.type !== 'results') return { isSent: false, messages: [] };
  // The text that was sent may be shorter.
  const sent = next?.origin.conversation.turns.find((turn) => isSame(turn, results));
  const turns = [said, sent ?? results, ...notes];
  const { messages } = protocol.request({ instructions: '', tools: [], turns });
  const from = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'system');
  return { isSent: sent !== undefined, messages: messages.slice(from + 1) };
}

/** Call ids are unique in a conversation. */
function isSame(turn: Turn, { results: [first] }: ResultsTurn): boolean {
  return turn.type === 'results' && turn.results[0]?.requestId === first?.requestId;
}
