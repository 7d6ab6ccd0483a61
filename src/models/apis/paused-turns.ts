import type { ChatMessage, EndDelta, ModelDelta, ModelRequest, Usage } from '../../core/words/model';
import type { ProviderMetadata } from '../../core/words/provider-metadata';
import { layer, type Layer } from '../layer';

/** How often one reply is continued. */
const CONTINUATIONS = 4;

/**
 * A reply that the Messages API pauses (`pause_turn`, while its own tools run for long) goes back as it is, and the
 * next reply continues it (https://docs.claude.com/en/docs/build-with-claude/handling-stop-reasons). Both are one reply
 * for everyone else: its calls count on, its usage has the input of the last request and the output of all.
 */
export const continuePaused: Layer = layer(async function* (next, request, signal) {
  const turn = new PausedTurn(request);
  for (let left = CONTINUATIONS; ; left--) {
    const last: ModelDelta[] = [];
    let paused: EndDelta | undefined;
    let hasCarried = false;
    for await (const delta of next.stream(turn.request, signal)) {
      if (delta.type === 'end' && delta.isPaused) paused = delta;
      const ofTurn = turn.add(delta);
      hasCarried ||= delta.type === 'carried';
      // Whether the reply goes on is known at the end of the stream.
      if (delta.type === 'end' || delta.type === 'usage' || delta.type === 'carried') last.push(ofTurn);
      else yield ofTurn;
    }
    const isOver = paused === undefined || !hasCarried || left === 0 || signal.aborted;
    if (!isOver) {
      turn.goOn();
      continue;
    }
    if (paused) yield { type: 'notice', code: 'pause-turn', message: PAUSED };
    yield* last;
    return;
  }
});

const PAUSED = 'The endpoint paused the reply (pause_turn) before it was finished.';

/** The parts of a paused reply as one. */
class PausedTurn {
  private text = '';
  private carried: ProviderMetadata | undefined;
  private usage: Usage | undefined;
  /** Of the parts that are over. */
  private before: Usage | undefined;
  private firstCall = 0;
  private nextCall = 0;

  constructor(private readonly first: ModelRequest) {}

  /** With everything so far as the last message. */
  get request(): ModelRequest {
    if (!this.carried) return this.first;
    const message: ChatMessage = { role: 'assistant', content: this.text, carried: this.carried };
    return { ...this.first, messages: [...this.first.messages, message] };
  }

  goOn(): void {
    this.firstCall = this.nextCall;
    this.before = this.usage;
  }

  /** The delta as one of the whole reply. */
  add(delta: ModelDelta): ModelDelta {
    switch (delta.type) {
      case 'text':
        this.text += delta.text;
        return delta;
      case 'tool-call': {
        const index = this.firstCall + (delta.index ?? 0);
        this.nextCall = Math.max(this.nextCall, index + 1);
        return { ...delta, index };
      }
      case 'usage':
        this.usage = sumOf(this.before, delta.usage);
        return { ...delta, usage: this.usage };
      case 'carried':
        this.carried = joined(this.carried, delta.carried);
        return { ...delta, carried: this.carried };
      default:
        return delta;
    }
  }
}

function sumOf(before: Usage | undefined, usage: Usage): Usage {
  if (!before) return usage;
  const cost = (before.cost ?? 0) + (usage.cost ?? 0);
  return {
    ...usage,
    outputTokens: before.outputTokens + usage.outputTokens,
    ...(cost > 0 && { cost }),
  };
}

function joined(before: ProviderMetadata | undefined, after: ProviderMetadata): ProviderMetadata {
  if (!before?.output || !after.output) return after;
  return { ...after, output: { ...after.output, items: [...before.output.items, ...after.output.items] } };
}
