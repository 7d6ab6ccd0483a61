import { Gauge } from '../../core/context-window';
import { foldEvents } from '../../core/fold-events';
import { entryTurns } from '../../core/history';
import type { AgentEvent } from '../../core/events';
import type { Turn } from '../../core/messages';
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

/** What a model is sent of a reply's results, as the request holds it that `next` is, or as the protocol would render it. */
export function renderedResults(
  reply: ReplyEntry,
  protocol: Protocol,
  next: ModelRequest | undefined,
): readonly ChatMessage[] {
  const [said, ...behind] = turnsIn(next, reply) ?? entryTurns(reply);
  if (!said || behind.length === 0) return [];
  const { messages } = protocol.request({ instructions: '', tools: [], turns: [said, ...behind] });
  const from = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'system');
  return messages.slice(from + 1);
}

/** The reply and its results as the request has them, which may have shortened them. */
function turnsIn(request: ModelRequest | undefined, reply: ReplyEntry): readonly Turn[] | undefined {
  const [said, results, ...notes] = entryTurns(reply);
  const [first] = results?.type === 'results' ? results.results : [];
  const sent = request?.origin.conversation.turns.find(
    (turn) => turn.type === 'results' && turn.results[0]?.requestId === first?.requestId,
  );
  return said && sent && [said, sent, ...notes];
}
