import { isJsonObject } from '../../../base/json';
import type { ShownPart } from '../../../contract/lab-parse';
import type { InspectedCall, InspectedMessage, InspectedRequest } from '../../../contract/lab-requests';
import { ContextBudget } from '../../../core/context/context-budget';
import type { ParsedReply } from '../../../core/reply/parse-reply';
import { callableTools, describedTools } from '../../../core/run/on-demand';
import { renderRequest } from '../../../core/context/render-request';
import type { RunSetup } from '../../../core/run/agent-options';
import { foldEvents } from '../../../core/transcript/fold-events';
import { entryTurns } from '../../../core/transcript/history';
import { callIdOf, type CallState, type ReplyEntry } from '../../../core/transcript/transcript';
import type { AgentEvent } from '../../../core/words/events';
import type { ResultsTurn, Turn } from '../../../core/words/messages';
import type { ChatMessage, ModelRequest } from '../../../core/words/model';
import type { Protocol } from '../../../core/words/protocol';
import { FORM_FIELDS } from '../../../models/form/form-fields';

/** What was found in a reply when it arrived: calls, malformed calls and warnings. */
export function partsOf({ parts, warnings }: ReplyEntry): readonly FoundPart[] {
  const calls = parts.flatMap((part): FoundPart[] => {
    if (part.type !== 'call' || part.state.type === 'streaming') return [];
    const { state } = part;
    return state.type === 'malformed'
      ? [{ type: 'malformed', malformed: state.malformed }]
      : [{ type: 'call', call: state.call }];
  });
  return [...calls, ...warnings.map((diagnostic) => ({ type: 'warning', diagnostic }) as const)];
}

/** What is found in it now. */
export function foundParts({ parts }: ParsedReply): readonly FoundPart[] {
  return parts.filter((part) => part.type !== 'text' && part.type !== 'reasoning');
}

type FoundPart = Exclude<ShownPart, { type: 'text' | 'reasoning' }>;

/** The parts with positions adjusted to the raw text without keys. */
export function redactParts(
  parts: readonly FoundPart[],
  raw: string,
  redact: (text: string) => string,
): readonly FoundPart[] {
  const clean = redact(raw);
  if (clean === raw) return parts;
  const at = (place: number): number => Math.min(redact(raw.slice(0, place)).length, clean.length);
  const moved = <Stretch extends { readonly start: number; readonly end: number }>(
    each: Stretch,
  ): Stretch => ({ ...each, start: at(each.start), end: at(each.end) });
  return parts.map((part): FoundPart => {
    switch (part.type) {
      case 'call':
        return { ...part, call: moved(part.call) };
      case 'malformed':
        return { ...part, malformed: { ...part.malformed, diagnostic: moved(part.malformed.diagnostic) } };
      case 'warning':
        return { ...part, diagnostic: moved(part.diagnostic) };
    }
  });
}

/** Calls with their outcomes, and warnings, for the clipboard. */
export function callsAndWarnings(reply: ReplyEntry): object {
  const states = new Map(inspectedCalls(reply).map((each) => [each.id, each]));
  const calls = partsOf(reply).flatMap((part): readonly object[] => {
    if (part.type === 'warning') return [];
    if (part.type === 'call') {
      const { extra: _, ...call } = part.call;
      return [{ type: part.type, ...call, ...states.get(call.id) }];
    }
    const { id, name, diagnostic: reason } = part.malformed;
    const { start, end } = reason;
    return [{ type: part.type, id, name, start, end, reason, ...states.get(id) }];
  });
  return { calls, warnings: reply.warnings };
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
