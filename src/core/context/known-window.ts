import type { Factors } from './calibration';

/** The size of a model's window, and how texts are measured. */
export interface ContextWindow {
  /** Tokens for a request and its reply together; missing if unknown. */
  readonly tokens?: number | undefined;
  /** Tokens of it that are reserved for the reply. */
  readonly reply: number;
  /** The profile sets the reply's length. If not, a smaller window reserves fewer tokens. */
  readonly isReplyAsked?: boolean;
  /** Estimated number of tokens of a text. */
  readonly count: (text: string) => number;
}

/** What was learned about a model at an endpoint. Plain data, so that it can be saved. */
export interface ContextFacts {
  /** By protocol id, because each describes the tools differently. */
  readonly factors?: Readonly<Record<string, Factors>>;
  readonly window?: LearnedWindow;
}

interface LearnedWindow {
  readonly tokens: number;
  /** What the profile or server stated at that time. A learned window is valid only while they state the same. */
  readonly said?: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Stores what was learned about one model at one endpoint. */
export interface ContextMemory {
  read(): ContextFacts;
  write(facts: ContextFacts): void;
}

/** Keeps it in memory only. */
export function emptyMemory(): ContextMemory {
  let facts: ContextFacts = {};
  return {
    read: () => facts,
    write: (changed) => {
      facts = changed;
    },
  };
}

/** Servers are restarted with other windows, and most do not report it. */
const HOLDS_MS = 7 * 24 * 60 * 60 * 1000;

/** A smaller figure is not a window: it means something else. */
const SMALLEST_WINDOW = 256;

/** Divisor for the share of the window that is reserved for a reply if the profile sets no length. */
const REPLY_SHARE = 4;

/** What is known of a model's window: from the profile or server, and from requests that hit its end. */
export class KnownWindow {
  constructor(
    private readonly said: ContextWindow,
    private readonly memory: ContextMemory,
  ) {}

  get tokens(): number | undefined {
    return this.learned ?? this.said.tokens;
  }

  /** Tokens reserved for the reply. */
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

  /** Learns that a request or reply hit the end of the window. Returns `true` if that is new. */
  learn(tokens: number): boolean {
    const known = this.tokens ?? Infinity;
    if (!Number.isInteger(tokens) || tokens < SMALLEST_WINDOW || tokens >= known) return false;
    this.keep(tokens);
    return true;
  }

  /** A request and its reply took this many tokens, so the window cannot be smaller. */
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
