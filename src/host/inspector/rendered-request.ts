import { Gauge } from '../../core/gauge';
import { foldEvents } from '../../core/fold-events';
import { entryTurns } from '../../core/history';
import type { AgentEvent } from '../../core/events';
import type { ResultsTurn, Turn } from '../../core/messages';
import type { ChatMessage, ModelRequest } from '../../core/model';
import type { Protocol } from '../../core/protocol';
import { requestFor } from '../../core/reply';
import type { RunSetup } from '../../core/session';
import type { ReplyEntry } from '../../core/transcript';

/**
 * The request for a reply of the conversation, rendered once more: from what was said before it, with the protocol it was
 * read in, and with the tools and settings of now.
 */
export function renderedRequest(
  events: readonly AgentEvent[],
  number: number,
  protocol: Protocol,
  setup: RunSetup,
): ModelRequest {
  const transcript = foldEvents(events.slice(0, startOf(number, events)));
  const config = setup.config();
  const tools = config.enabled ? setup.tools.offered(config) : [];
  const gauge = new Gauge(setup.window);
  const { instructions, promptForm = 'full' } = setup;
  // Decides how much room results have.
  gauge.request(protocol, { instructions, tools: tools.map(({ spec }) => spec), promptForm }, transcript);
  return requestFor({ protocol, instructions, promptForm, gauge, transcript: () => transcript }, tools);
}

/** Where the reply of that number begins. */
export function startOf(number: number, events: readonly AgentEvent[]): number {
  let left = number;
  return events.findIndex(({ type }) => type === 'round-start' && left-- === 0);
}

/** What a model is sent of a reply's results: as the request holds them that `next` is, else as the protocol renders them. */
export function renderedResults(
  reply: ReplyEntry,
  protocol: Protocol,
  next: ModelRequest | undefined,
): { readonly isSent: boolean; readonly messages: readonly ChatMessage[] } {
  const [said, results, ...notes] = entryTurns(reply);
  if (!said || results?.type !== 'results') return { isSent: false, messages: [] };
  // What was sent may be shorter.
  const sent = next?.origin.conversation.turns.find((turn) => isSame(turn, results));
  const turns = [said, sent ?? results, ...notes];
  const { messages } = protocol.request({ instructions: '', tools: [], turns });
  const from = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'system');
  return { isSent: sent !== undefined, messages: messages.slice(from + 1) };
}

/** Ids of calls are unique in a conversation. */
function isSame(turn: Turn, { results: [first] }: ResultsTurn): boolean {
  return turn.type === 'results' && turn.results[0]?.requestId === first?.requestId;
}
