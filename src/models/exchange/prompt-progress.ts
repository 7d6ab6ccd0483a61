import type { PromptProgress } from '../../core/words/model';

/**
 * Progress of prompt processing, in an event that llama.cpp sends on request (`return_progress`,
 * tools/server/README.md: `prompt_progress { total, cache, processed, time_ms }`, in tokens, `processed` including
 * cached ones).
 */
export function promptProgress(event: unknown): PromptProgress | undefined {
  const { total, cache, processed } = fields(fields(event)['prompt_progress']);
  if (!isCount(total) || !isCount(processed)) return undefined;
  const all = total;
  return { all, read: Math.min(processed, all), cached: isCount(cache) ? Math.min(cache, all) : 0 };
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  // SAFETY: any object can be read by name; the values are unknown.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
