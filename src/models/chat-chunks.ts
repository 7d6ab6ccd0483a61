import { isJsonObject } from '../base/json';
import type { ModelDelta } from '../core/words/model';
import { isTooDeep, TOO_DEEP, tooLargeFailure } from './bounded';
import { shownContent, shownReasoning } from './reasoning';

/**
 * Parses one chunk of a streamed Chat Completions reply into deltas, without the reason for its end. Accepts what
 * servers really send: missing or null fields, arguments as an object, reasoning under any name, content as a list of
 * parts. Only the first choice counts. Never throws.
 */
export function chunkDeltas(chunk: unknown): ModelDelta[] {
  const deltas: ModelDelta[] = [];
  const choice = first(field(chunk, 'choices'));
  const delta = field(choice, 'delta') ?? field(choice, 'message');
  const reasoning = shownReasoning(delta);
  if (reasoning !== '') deltas.push({ type: 'reasoning', text: reasoning });
  const content = shownContent(delta);
  if (content !== '') deltas.push({ type: 'text', text: content });
  for (const call of callsIn(delta)) deltas.push(toolCallDelta(call));
  const usage = usageDelta(chunk);
  if (usage) deltas.push(usage);
  return deltas;
}

/** The API had a single `function_call` before 2024; some servers still do. */
function callsIn(delta: unknown): readonly unknown[] {
  const calls = field(delta, 'tool_calls') ?? [];
  if (Array.isArray(calls)) {
    const old = field(delta, 'function_call');
    return calls.length > 0 || old === undefined
      ? (calls as readonly unknown[])
      : [{ index: 0, function: old }];
  }
  return isJsonObject(calls) ? [calls] : [];
}

function toolCallDelta(call: unknown): ModelDelta {
  const index = field(call, 'index');
  const id = field(call, 'id');
  const fn = field(call, 'function') ?? call;
  const name = field(fn, 'name');
  const args = field(fn, 'arguments');
  const extra = field(call, 'extra_content');
  if (isTooDeep(args)) return { type: 'failure', failure: tooLargeFailure(TOO_DEEP) };
  return {
    type: 'tool-call',
    ...(typeof index === 'number' && { index }),
    ...(isText(id) && { id }),
    ...(isText(name) && { name }),
    ...(args !== undefined &&
      args !== null && { arguments: typeof args === 'string' ? args : JSON.stringify(args) }),
    ...(isJsonObject(extra) && !isTooDeep(extra) && { extra: { extra_content: extra } }),
  };
}

function usageDelta(chunk: unknown): ModelDelta | undefined {
  const usage = field(chunk, 'usage');
  const inputTokens = field(usage, 'prompt_tokens');
  const outputTokens = field(usage, 'completion_tokens');
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  const cachedTokens =
    field(field(usage, 'prompt_tokens_details'), 'cached_tokens') ??
    field(usage, 'prompt_cache_hit_tokens') ??
    // llama.cpp, tools/server/README.md
    field(field(chunk, 'timings'), 'cache_n');
  // OpenRouter; LiteLLM and other gateways before Claude.
  const cacheWriteTokens =
    field(field(usage, 'prompt_tokens_details'), 'cache_write_tokens') ??
    field(usage, 'cache_creation_input_tokens');
  const cost = field(usage, 'cost');
  return {
    type: 'usage',
    usage: {
      inputTokens,
      outputTokens,
      ...(typeof cachedTokens === 'number' && { cachedTokens }),
      ...(typeof cacheWriteTokens === 'number' && { cacheWriteTokens }),
      // OpenRouter, in dollars.
      ...(typeof cost === 'number' && { cost }),
    },
  };
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  // SAFETY: any object can be read by name; the values are unknown.
  return (value as Record<string, unknown>)[name] ?? undefined;
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] as unknown) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
