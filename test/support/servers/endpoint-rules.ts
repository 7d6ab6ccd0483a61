import type { ChatMessage } from '../../../src/core/words/model';
import type { EndpointRequest } from './fake-endpoint';

/**
 * Returns the reasons why an endpoint would refuse these messages, one sentence each: the rules of the Chat
 * Completions API and of the chat templates of local models together. Empty if all of them would accept the messages.
 */
export function refusals(messages: readonly ChatMessage[]): string[] {
  const found: string[] = [];
  /** Ids of the calls whose results must come next. */
  let open: string[] = [];
  const ids = new Set<string>();
  let before: ChatMessage | undefined;
  for (const [number, message] of messages.entries()) {
    const refuse = (why: string): void => void found.push(`message ${number} (${message.role}): ${why}`);
    if (message.role === 'tool') {
      if (message.toolCallId === open[0]) open.shift();
      else refuse(`the result of ${message.toolCallId} instead of ${open[0] ?? 'no call'}`);
    } else {
      if (open.length > 0) refuse(`calls without a result right behind them: ${open.join(', ')}`);
      open = [];
    }
    const calls = callsOf(message);
    for (const { id, name, arguments: args } of calls) {
      if (id === '' || ids.has(id)) refuse(`the id "${id}" is not the name of one call`);
      ids.add(id);
      open.push(id);
      if (!/^[\w-]{1,64}$/.test(name)) refuse(`"${name}" is not the name of a function`);
      if (!isObjectText(args)) refuse(`the arguments are no JSON object of whole characters: ${args}`);
    }
    if (message.role === 'system' && number > 0) refuse('instructions in the middle');
    const isPlain = message.role !== 'tool' && calls.length === 0;
    if (isPlain && message.content.trim() === '') refuse('empty');
    if (isPlain && before?.role === message.role && callsOf(before).length === 0) {
      refuse('two messages of one role in a row');
    }
    if (!isWellFormed([message.content, ...calls.map(({ id }) => id)].join('\n'))) refuse('half a character');
    before = message;
  }
  if (open.length > 0) found.push(`at the end: calls without a result: ${open.join(', ')}`);
  const last = messages.at(-1)?.role;
  if (last !== 'user' && last !== 'tool')
    found.push(`at the end: nothing to answer, but ${last ?? 'nothing'}`);
  return found;
}

/** Returns the received request as messages. */
export function sentMessages({ messages }: EndpointRequest['body']): ChatMessage[] {
  // SAFETY: the endpoint keeps the JSON of the API unchanged.
  return (messages as readonly WireMessage[]).map((each): ChatMessage => {
    if (each.role === 'tool')
      return { role: 'tool', toolCallId: each.tool_call_id ?? '', content: each.content ?? '' };
    if (each.role !== 'assistant') return { role: each.role, content: each.content ?? '' };
    const toolCalls = each.tool_calls?.map(({ id, function: { name, arguments: args } }) => ({
      ...{ id, name, arguments: args },
    }));
    return { role: 'assistant', content: each.content ?? '', ...(toolCalls && { toolCalls }) };
  });
}

interface WireMessage {
  readonly role: ChatMessage['role'];
  readonly content?: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

function callsOf(
  message: ChatMessage,
): NonNullable<Extract<ChatMessage, { role: 'assistant' }>['toolCalls']> {
  return message.role === 'assistant' ? (message.toolCalls ?? []) : [];
}

/** Servers parse the arguments and put the objects into a template, so escapes must be whole characters too. */
function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && areWhole(value);
  } catch {
    return false;
  }
}

function areWhole(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isWellFormed(key) && areWhole(item));
}

/** Whether it has no lone half of a surrogate pair. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
