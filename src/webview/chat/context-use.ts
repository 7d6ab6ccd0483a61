import type { Transcript } from '../../core/transcript';

/** What the conversation takes of the model's window, in tokens. */
export interface ContextUse {
  readonly used: number;
  /** Parts of it that no history can make smaller. */
  readonly tools: number;
  readonly instructions: number;
  /** The window, where it is known. */
  readonly window?: number;
}

/** As the newest request and its answer leave it; nothing before the first one. */
export function contextUse({ entries }: Pick<Transcript, 'entries'>): ContextUse | undefined {
  const at = entries.findLastIndex((entry) => entry.type === 'reply' && entry.size !== undefined);
  const reply = entries[at];
  if (reply?.type !== 'reply' || !reply.size) return undefined;
  const { size, usage, window } = reply;
  const shortened = entries.slice(at + 1).findLast((entry) => entry.type === 'compaction' && !entry.isUndone);
  // What the server has counted is worth more than what was expected.
  const asked = usage && usage.inputTokens > 0 ? usage.inputTokens + usage.outputTokens : size.total;
  const used = shortened?.type === 'compaction' ? size.fixed + shortened.after : asked;
  const tools = Math.min(size.tools, used);
  return {
    ...{ used, tools, instructions: Math.min(size.fixed - size.tools, used - tools) },
    ...(window !== undefined && { window }),
  };
}

/** `999`, `12.3k`, `128k`, `1.1M`. */
export function shortTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  const [value, unit] = tokens < 999_500 ? [tokens / 1_000, 'k'] : [tokens / 1_000_000, 'M'];
  return `${value < 99.95 ? Number(value.toFixed(1)) : Math.round(value)}${unit}`;
}
