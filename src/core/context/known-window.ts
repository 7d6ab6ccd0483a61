import type { Factors } from './calibration';

/** How much a model takes in, and how texts are measured. */
export interface ContextWindow {
  /** Tokens that a request and its reply may have together; missing where nobody has said. */
  readonly tokens?: number | undefined;
  /** Tokens of it that are kept free for the reply. */
  readonly reply: number;
  /** The profile says how long a reply may be; else a smaller window keeps a smaller part free. */
  readonly isReplyAsked?: boolean;
  /** About how many tokens a text has. */
  readonly count: (text: string) => number;
}

/** What was learned about a model at an endpoint. Plain data, so that it can be kept. */
export interface Learned {
  /** By the id of the protocol, because each describes the tools in its own way. */
  readonly factors?: Readonly<Record<string, Factors>>;
  readonly window?: LearnedWindow;
}

interface LearnedWindow {
  readonly tokens: number;
  /** What profile or server said at that time. A window holds for as long as they say the same. */
  readonly said?: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Keeps what was learned about one model at one endpoint. */
export interface ContextMemory {
  read(): Learned;
  write(learned: Learned): void;
}

/** For as long as it lives. */
export function emptyMemory(): ContextMemory {
  let kept: Learned = {};
  return {
    read: () => kept,
    write: (learned) => {
      kept = learned;
    },
  };
}

/** Servers are started anew with another window, and most say nothing of it. */
const HOLDS_MS = 7 * 24 * 60 * 60 * 1000;

/** A window below this is none: the figure means something else. */
const SMALLEST_WINDOW = 256;

/** The part of the window that is kept free for a reply where the profile does not say how long it may be. */
const REPLY_SHARE = 4;

/** The window of a model as far as it is known: what profile or server say, and what requests have met. */
export class KnownWindow {
  constructor(
    private readonly said: ContextWindow,
    private readonly memory: ContextMemory,
  ) {}

  get tokens(): number | undefined {
    return this.learned ?? this.said.tokens;
  }

  /** Tokens that are kept free for the reply. */
  get reply(): number {
    const { learned } = this;
    const { reply, isReplyAsked = false } = this.said;
    if (learned === undefined || (isReplyAsked && reply <= learned / 2)) return reply;
    return Math.min(reply, Math.floor(learned / REPLY_SHARE));
  }

  /** Tokens that a request may take. */
  get room(): number {
    return this.tokens === undefined ? Infinity : this.tokens - this.reply;
  }

  /** A request or reply has met its end. `true` where that is news. */
  learn(tokens: number): boolean {
    const known = this.tokens ?? Infinity;
    if (!Number.isInteger(tokens) || tokens < SMALLEST_WINDOW || tokens >= known) return false;
    this.keep(tokens);
    return true;
  }

  /** A request and its reply have taken so much: a smaller window cannot be true. */
  hasHeld(tokens: number): void {
    if (this.learned !== undefined && tokens > this.learned) this.keep(undefined);
  }

  private get learned(): number | undefined {
    const { window } = this.memory.read();
    if (!window || window.said !== this.said.tokens || Date.now() - window.time > HOLDS_MS) return undefined;
    return window.tokens < (this.said.tokens ?? Infinity) ? window.tokens : undefined;
  }

  private keep(tokens: number | undefined): void {
    const { window: _, ...rest } = this.memory.read();
    const said = this.said.tokens;
    const window = tokens !== undefined && { tokens, time: Date.now(), ...(said !== undefined && { said }) };
    this.memory.write({ ...rest, ...(window && { window }) });
  }
}
