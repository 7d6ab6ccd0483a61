import type { ModelDelta } from '../words/model';

/** Of what a summary may have, what a model may write for it: some of it is left out later, or is thought. */
const WRITTEN_SHARE = 1.5;
const THOUGHT_SHARE = 8;
const THOUGHT_LEAST = 4_000;

/** Characters to a token, where counting each piece would cost more than it says. */
const CHARACTERS_PER_TOKEN = 4;

/** From the first piece on. Reading what is to be summarized may take long, and the transport watches over that. */
const WRITING_MS = 3 * 60 * 1000;

/** In all. */
const LONGEST_MS = 20 * 60 * 1000;

/**
 * Ends the request for a summary that goes on for ever: small models repeat themselves until something stops them. What
 * was written until then counts.
 */
export class SummaryLimits {
  private readonly stop = new AbortController();
  private timer: ReturnType<typeof setTimeout>;
  private isWriting = false;
  private written = 0;
  private thought = 0;

  /** `most` is what the summary may have, in tokens. */
  constructor(private readonly most: number) {
    this.timer = setTimeout(() => this.stop.abort(), LONGEST_MS);
  }

  /** Aborts at a limit. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  look(delta: ModelDelta): void {
    if (delta.type !== 'text' && delta.type !== 'reasoning') return;
    if (!this.isWriting) {
      this.isWriting = true;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.stop.abort(), WRITING_MS);
    }
    if (delta.type === 'text') this.written += delta.text.length;
    else this.thought += delta.text.length;
    const written = this.written / CHARACTERS_PER_TOKEN;
    const thought = this.thought / CHARACTERS_PER_TOKEN;
    if (written > this.most * WRITTEN_SHARE || thought > Math.max(THOUGHT_LEAST, this.most * THOUGHT_SHARE))
      this.stop.abort();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
