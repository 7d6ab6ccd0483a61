import type { InspectedCall, InspectedMessage, ReadCall, Reading } from '../../contract/inspector';
import type { ParsedReply } from '../../core/parse-reply';
import type { MalformedCall, ToolCall } from '../../core/messages';
import { idOf, type CallState, type ReplyEntry } from '../../core/transcript';

/** What was read out of a reply when it came. */
export function readingOf({ parts, warnings }: ReplyEntry): Reading {
  const calls = parts.flatMap((part): ReadCall[] => {
    if (part.type !== 'call' || part.state.type === 'streaming') return [];
    return [part.state.type === 'malformed' ? malformed(part.state.malformed) : call(part.state.call)];
  });
  return { calls, warnings };
}

/** What is read out of it now. */
export function readingOfParsed({ parts }: ParsedReply): Reading {
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

/** What became of the calls. */
export function callsOf({ parts }: ReplyEntry): readonly InspectedCall[] {
  return parts.flatMap((part) => (part.type === 'call' ? inspectedCall(part.state) : []));
}

function inspectedCall(state: CallState): readonly InspectedCall[] {
  const id = idOf(state);
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

/** A body as it is sent, or the request that it is made from. */
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
  return { role, text, ...(Object.keys(others).length > 0 && { more: json(others) }) };
}

export function inspectedBody(body: RequestBody): {
  readonly messages: readonly InspectedMessage[];
  readonly tools: readonly { readonly name: string; readonly json: string }[];
  readonly body: string;
} {
  const { messages = [], tools = [], ...others } = body;
  return {
    messages: messages.map(inspectedMessage),
    tools: tools.map((tool) => ({ name: tool.name ?? tool.function?.name ?? '', json: json(tool) })),
    body: json(others),
  };
}

export function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
