import { joinedTexts } from '../core/reply/deltas';
import type { ModelDelta } from '../core/words/model';
import { layer, type Layer } from './layer';

/** Characters that are read ahead of a slow consumer. */
const MOST = 64 * 1024;

/**
 * Texts that arrive within one turn of the event loop are merged, so that processing each delta keeps up with any
 * server. Delays nothing beyond that turn.
 */
export const gathered: Layer = layer(async function* (next, request, signal) {
  const left = new AbortController();
  const deltas = next.stream(request, AbortSignal.any([signal, left.signal]));
  const ahead = new ReadAhead(deltas);
  try {
    for (let all = await ahead.take(); all.length > 0; all = await ahead.take()) {
      for (const delta of joinedTexts(all)) yield delta;
    }
  } finally {
    left.abort();
    ahead.leave();
  }
});

/** Reads a stream into a list that a consumer empties. */
class ReadAhead {
  private deltas: ModelDelta[] = [];
  private size = 0;
  private isLeft = false;
  private readonly reading: Promise<void>;
  private hasEnded = false;
  private readonly filled = new Bell();
  private readonly emptied = new Bell();

  constructor(stream: AsyncIterable<ModelDelta>) {
    this.reading = this.read(stream);
    // Called when the consumer took the items.
    this.reading.catch(() => undefined);
  }

  /** Everything since the last call; nothing at the end. Rejects with the error of the stream. */
  async take(): Promise<readonly ModelDelta[]> {
    if (this.deltas.length === 0 && !this.hasEnded) await this.filled.rung();
    // By then, everything that arrived together with the first item is here.
    if (!this.hasEnded) await nextTurn();
    const { deltas } = this;
    this.deltas = [];
    this.size = 0;
    this.emptied.ring();
    if (deltas.length === 0) await this.reading;
    return deltas;
  }

  leave(): void {
    this.isLeft = true;
    this.emptied.ring();
  }

  private async read(stream: AsyncIterable<ModelDelta>): Promise<void> {
    try {
      for await (const delta of stream) {
        this.deltas.push(delta);
        this.size += lengthOf(delta);
        this.filled.ring();
        if (this.size > MOST && !this.isLeft) await this.emptied.rung();
        if (this.isLeft) return;
      }
    } finally {
      this.hasEnded = true;
      this.filled.ring();
    }
  }
}

/** Lets one side wait for the other. */
class Bell {
  private wake: (() => void) | undefined;

  ring(): void {
    this.wake?.();
    this.wake = undefined;
  }

  /** The next signal. */
  rung(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function lengthOf(delta: ModelDelta): number {
  if (delta.type === 'text' || delta.type === 'reasoning') return delta.text.length;
  return delta.type === 'tool-call' ? (delta.arguments?.length ?? 0) : 0;
}
