import { isJsonObject } from '../base/json';
import type { EndReason, ModelDelta } from '../core/words/model';
import { isTooDeep, TOO_DEEP, tooLargeFailure } from './bounded';
import { shownContent, shownReasoning } from './reasoning';

/**
 * Parses one chunk of a streamed Chat Completions reply into deltas. Accepts what servers really send: missing or
 * null fields, arguments as an object, reasoning under any name, content as a list of parts. Never throws.
 */
export function chunkDeltas(chunk: unknown): ModelDelta[] {
  const deltas: ModelDelta[] = [];
  const choice = first(field(chunk, 'choices'));
  const delta = field(choice, 'delta') ?? field(choice, 'message');
  const reasoning = shownReasoning(delta);
  if (reasoning !== '') deltas.push({ type: 'reasoning', text: reasoning });
  const content = shownContent(delta);
  if (content !== '') deltas.push({ type: 'text', text: content });
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

function usageDelta(usage: unknown): ModelDelta | undefined {
  const inputTokens = field(usage, 'prompt_tokens');
  const outputTokens = field(usage, 'completion_tokens');
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  const cachedTokens =
    field(field(usage, 'prompt_tokens_details'), 'cached_tokens') ?? field(usage, 'prompt_cache_hit_tokens');
  return {
    type: 'usage',
    usage: { inputTokens, outputTokens, ...(typeof cachedTokens === 'number' && { cachedTokens }) },
  };
}

/** Finish reasons for a reply that did not end properly. */
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
  // SAFETY: any object can be read by name; the values are unknown.
  return (value as Record<string, unknown>)[name] ?? undefined;
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] as unknown) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * Parses a recorded server-sent event stream (its `data:` lines) into deltas, in chunks of any length. Never throws.
 */
export class RecordedStream {
  /** Pieces of the current line; joined once. */
  private line: string[] = [];
  private ended = false;

  push(text: string): ModelDelta[] {
    const [first = '', ...rest] = text.split('\n');
    this.line.push(first);
    return rest.flatMap((next) => {
      const line = this.line.join('');
      this.line = [next];
      return this.read(line.replace(/\r$/, '').replace(/^\ufeff/, ''));
    });
  }

  /** A stream without a finish reason was cut off, unless it sent its closing `[DONE]`. */
  end(): ModelDelta[] {
    return this.push('\n');
  }

  private read(line: string): ModelDelta[] {
    if (!line.startsWith('data:')) return [];
    const data = line.slice('data:'.length).trim();
    if (data === '[DONE]') return this.ended ? [] : [{ type: 'end', reason: 'stop' }];
    const deltas = chunkDeltas(parse(data));
    this.ended ||= deltas.some((delta) => delta.type === 'end');
    return deltas;
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Replays a recorded reply as a model would send it: its text, or for the native protocol the `data:` lines of its
 * stream. `chunk` is the number of characters per piece; 0 for all.
 */
export function* replyDeltas(
  protocol: string,
  reply: string,
  chunk: number,
): Generator<ModelDelta, void, undefined> {
  if (protocol === 'native') {
    const stream = new RecordedStream();
    for (const piece of pieces(reply, chunk)) yield* stream.push(piece);
    yield* stream.end();
  } else {
    for (const text of pieces(reply, chunk)) yield { type: 'text', text };
    yield { type: 'end', reason: 'stop' };
  }
}

function* pieces(text: string, size: number): Generator<string, void, undefined> {
  if (size === 0) yield text;
  else for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

/** The `data:` lines of a stream with these deltas, as `RecordedStream` parses them. Without an end it is cut off. */
export function recordDeltas(deltas: readonly ModelDelta[]): string {
  const lines = deltas.flatMap((delta) => {
    const choice = choiceOf(delta);
    return choice ? [`data: ${JSON.stringify({ choices: [choice] })}\n\n`] : [];
  });
  return lines.join('');
}

function choiceOf(delta: ModelDelta): object | undefined {
  switch (delta.type) {
    case 'text':
      return { delta: { content: delta.text } };
    case 'reasoning':
      return { delta: { reasoning_content: delta.text } };
    case 'tool-call': {
      const { index, id, name, arguments: args } = delta;
      return { delta: { tool_calls: [{ index, id, function: { name, arguments: args } }] } };
    }
    case 'end':
      return { delta: {}, finish_reason: delta.reason.replace('-', '_') };
    case 'carried':
    case 'usage':
    case 'failure':
    case 'retry':
    case 'progress':
    case 'unforced':
    case 'learned':
      return undefined;
  }
}
