import { callsIn, noCounts, type CallCounts } from '../core/words/call-counts';
import type { AgentEvent } from '../core/words/events';
import type { Usage } from '../core/words/model';
import { wilson } from './statistics';

export interface CountedReply {
  readonly model: string;
  readonly protocol: string;
  readonly counts: CallCounts;
}

/** Whether fewer of these calls are clean, beyond what chance explains. */
export function isWorse(one: CallCounts, other: CallCounts): boolean {
  const [, high] = wilson({ right: one.clean, n: callsIn(one) });
  const [low] = wilson({ right: other.clean, n: callsIn(other) });
  return high < low;
}

/** Counts the replies of an agent and its sub-agents, as they end. */
export class ReplyCounter {
  private open: CountedReply | undefined;
  private readonly agents = new Map<string, ReplyCounter>();

  /** The reply that this event has ended. */
  take(event: AgentEvent): CountedReply | undefined {
    switch (event.type) {
      case 'round-start':
        // A reply that a user edited says nothing about the model.
        this.open = event.isMended
          ? undefined
          : { model: event.model, protocol: event.protocol, counts: noCounts };
        return undefined;
      case 'reasoning-end':
        this.count(() => noCounts);
        return undefined;
      case 'call-end': {
        const { mark } = event.call;
        this.count((counts) => plus(counts, mark === 'echoed' ? 'clean' : mark));
        return undefined;
      }
      case 'malformed':
        this.count((counts) => malformedCounts(event.malformed.diagnostic.code, counts));
        return undefined;
      case 'reply-end':
        return this.end(event.usage);
      case 'sub-agent':
        return this.agentOf(event.callId).take(event.event);
      default:
        return undefined;
    }
  }

  private count(change: (counts: CallCounts) => CallCounts): void {
    if (this.open) this.open = { ...this.open, counts: change(this.open.counts) };
  }

  private end(
    { inputTokens, outputTokens }: Usage = { inputTokens: 0, outputTokens: 0 },
  ): CountedReply | undefined {
    this.count((counts) => ({ ...counts, rounds: 1, inputTokens, outputTokens }));
    const ended = this.open;
    this.open = undefined;
    return ended;
  }

  private agentOf(callId: string): ReplyCounter {
    const agent = this.agents.get(callId) ?? new ReplyCounter();
    this.agents.set(callId, agent);
    return agent;
  }
}

const ARGUMENT_CODES: ReadonlySet<string> = new Set([
  'invalid-argument',
  'unknown-argument',
  'missing-argument',
  'duplicate-argument',
  'too-many-arguments',
]);

function malformedCounts(code: string, counts: CallCounts): CallCounts {
  const all = plus(counts, 'malformed');
  if (code === 'unknown-tool' || code === 'unavailable-tool') return plus(all, 'unknownTool');
  return ARGUMENT_CODES.has(code) ? plus(all, 'badArguments') : all;
}

function plus(counts: CallCounts, what: keyof CallCounts): CallCounts {
  return { ...counts, [what]: counts[what] + 1 };
}
