import type { ModelDelta } from '../words/model';

/** How much a model may write, relative to the summary's size: some of it is left out later, or is reasoning. */
const WRITTEN_SHARE = 1.5;
const REASONING_SHARE = 8;
const REASONING_LEAST = 4_000;

/** Characters per token: counting each piece exactly would cost too much. */
const CHARACTERS_PER_TOKEN = 4;

/** From the first piece on. Reading the prompt may take long; the transport has its own limits for that. */
const WRITING_MS = 3 * 60 * 1000;

/** In all. */
const LONGEST_MS = 20 * 60 * 1000;

/**
 * Stops a summary that never ends: small models can repeat themselves indefinitely. What was written until then is
 * used.
 */
export class SummaryLimits {
  private readonly stop = new AbortController();
  private timer: ReturnType<typeof setTimeout>;
  private isWriting = false;
  private written = 0;
  private reasoned = 0;

  /** `most` is the size of the summary in tokens. */
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
    else this.reasoned += delta.text.length;
    const written = this.written / CHARACTERS_PER_TOKEN;
    const reasoned = this.reasoned / CHARACTERS_PER_TOKEN;
    if (
      written > this.most * WRITTEN_SHARE ||
      reasoned > Math.max(REASONING_LEAST, this.most * REASONING_SHARE)
    )
      this.stop.abort();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
