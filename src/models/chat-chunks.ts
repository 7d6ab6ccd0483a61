import type { EndReason, ModelDelta } from '../core/words/model';
import { isTooDeep, TOO_DEEP, tooLarge } from './bounded';

/**
 * One chunk of a streamed Chat Completions reply as deltas. Reads what servers really send: fields missing or null,
 * arguments as an object instead of text, reasoning under either name. Never throws.
 */
export function chunkDeltas(chunk: unknown): ModelDelta[] {
  const deltas: ModelDelta[] = [];
  const choice = first(field(chunk, 'choices'));
  const delta = field(choice, 'delta') ?? field(choice, 'message');
  const reasoning = field(delta, 'reasoning_content') ?? field(delta, 'reasoning');
  if (isText(reasoning)) deltas.push({ type: 'reasoning', text: reasoning });
  const content = field(delta, 'content');
  if (isText(content)) deltas.push({ type: 'text', text: content });
  const calls = field(delta, 'tool_calls');
  if (Array.isArray(calls)) deltas.push(...calls.map(toolCallDelta));
  const usage = usageDelta(field(chunk, 'usage'));
  if (usage) deltas.push(usage);
  const reason = field(choice, 'finish_reason');
  if (isText(reason) && !BROKEN_OFF.has(reason)) deltas.push({ type: 'end', reason: endReason(reason) });
  return deltas;
}

function toolCallDelta(call: unknown): ModelDelta {
  const index = field(call, 'index');
  const id = field(call, 'id');
  const fn = field(call, 'function');
  const name = field(fn, 'name');
  const args = field(fn, 'arguments');
  if (isTooDeep(args)) return { type: 'failure', failure: tooLarge(TOO_DEEP) };
  return {
    type: 'tool-call',
    ...(typeof index === 'number' && { index }),
    ...(isText(id) && { id }),
    ...(isText(name) && { name }),
    ...(args !== undefined &&
      args !== null && { arguments: typeof args === 'string' ? args : JSON.stringify(args) }),
  };
}

function usageDelta(usage: unknown): ModelDelta | undefined {
  const inputTokens = field(usage, 'prompt_tokens');
  const outputTokens = field(usage, 'completion_tokens');
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  return { type: 'usage', usage: { inputTokens, outputTokens } };
}

/** Reasons by which servers say that the reply did not end properly. */
const BROKEN_OFF = new Set(['error', 'abort', 'aborted', 'cancelled', 'insufficient_system_resource']);

function endReason(reason: string): EndReason {
  switch (reason) {
    case 'length':
    case 'max_tokens':
      return 'length';
    case 'content_filter':
      return 'content-filter';
    case 'tool_calls':
    case 'function_call':
      return 'tool-calls';
    default:
      return 'stop';
  }
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  // SAFETY: any object can be read by name; what comes out is unknown.
  return (value as Record<string, unknown>)[name] ?? undefined;
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] as unknown) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
