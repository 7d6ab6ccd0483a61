import type { JsonObject } from '../base/json';
import type { ReplyPart, ToolCall, ToolResult, Turn } from '../core/words/messages';
import type { ModelDelta } from '../core/words/model';
import type { Protocol, RenderedPart } from '../core/words/protocol';
import type { ToolSpec } from '../core/words/tool';

/** One task for a model: what it sees, and the right answers, step by step. Nothing runs. */
export interface Exam {
  readonly turns: readonly Turn[];
  /** Offered in addition to those that every exam offers. */
  readonly tools: readonly ToolSpec[];
  /** One step per required reply, at least one. */
  readonly steps: readonly Step[];
}

export type Step =
  /** Exactly these calls, in this order, with their results. */
  | {
      readonly type: 'calls';
      readonly calls: readonly WantedCall[];
      readonly results: readonly WantedResult[];
    }
  /** Text and no call. The text has to contain `says`, if it is set. */
  | { readonly type: 'answer'; readonly says?: string; readonly example: string };

export interface WantedCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** Additional arguments are accepted. */
  readonly mayHaveMore: boolean;
}

interface WantedResult {
  readonly status: 'success' | 'error';
  readonly text: string;
}

/** What is wrong with a reply at this step, as a short English sentence; `undefined` if it is right. */
export function faultOf(step: Step, parts: readonly ReplyPart[]): string | undefined {
  const calls = parts.flatMap((part) => (part.type === 'call' ? [part.call] : []));
  if (parts.some(({ type }) => type === 'malformed')) return 'A call could not be read.';
  // Such a call asks before it acts, and recovery may be off: another protocol is better.
  if (calls.some(({ mark }) => mark === 'recovered'))
    return 'A call was written in the form of another protocol.';
  return step.type === 'calls' ? callFault(step.calls, calls) : answerFault(step, calls, parts);
}

/** The results of the calls of a right reply. */
export function resultsOf(step: Step, parts: readonly ReplyPart[]): readonly ToolResult[] {
  if (step.type === 'answer') return [];
  const calls = parts.flatMap((part) => (part.type === 'call' ? [part.call] : []));
  return calls.flatMap(({ id, name }, at) => {
    const result = step.results[at];
    if (!result) return [];
    const { status, text } = result;
    return [{ requestId: id, toolName: name, status, result: text, durationMs: 1 }];
  });
}

/** A right reply, as a model would send it in this protocol. */
export function rightReply(step: Step, protocol: Protocol): readonly ModelDelta[] {
  return [...protocol.renderReply(partsOf(step)), { type: 'end', reason: 'stop' }];
}

function partsOf(step: Step): readonly RenderedPart[] {
  if (step.type === 'answer') return [{ type: 'text', text: step.example }];
  return step.calls.map((call, at) => ({
    type: 'call',
    call: { id: `c${at + 1}`, name: call.name, arguments: call.arguments },
  }));
}

function answerFault(
  { says = '' }: Extract<Step, { type: 'answer' }>,
  calls: readonly ToolCall[],
  parts: readonly ReplyPart[],
): string | undefined {
  const [call] = calls;
  if (call) return `It called ${call.name} where an answer was wanted.`;
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (text.trim() === '') return 'It said nothing.';
  return text.includes(says) ? undefined : `The answer does not say "${says}".`;
}

function callFault(wanted: readonly WantedCall[], calls: readonly ToolCall[]): string | undefined {
  if (calls.length === 0) return 'There is no call.';
  if (calls.length !== wanted.length) return `There are ${calls.length} calls instead of ${wanted.length}.`;
  return wanted.map((each, at) => differenceOf(each, calls[at])).find((fault) => fault !== undefined);
}

function differenceOf(wanted: WantedCall, call: ToolCall | undefined): string | undefined {
  if (call?.name !== wanted.name) return `It called ${call?.name ?? 'nothing'} instead of ${wanted.name}.`;
  const missing = Object.keys(wanted.arguments).find(
    (key) => !isSame(wanted.arguments[key], call.arguments[key]),
  );
  if (missing !== undefined) return `The argument "${missing}" of ${call.name} is not what was asked for.`;
  const more = Object.keys(call.arguments).find((key) => !Object.hasOwn(wanted.arguments, key));
  if (more === undefined || wanted.mayHaveMore) return undefined;
  return `The argument "${more}" of ${call.name} was not asked for.`;
}

/** Objects may have their keys in any order. */
function isSame(wanted: unknown, given: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || typeof given !== 'object' || given === null)
    return wanted === given;
  if (Array.isArray(wanted) !== Array.isArray(given)) return false;
  const entries = Object.entries(wanted);
  return (
    entries.length === Object.keys(given).length &&
    entries.every(([key, value]) => isSame(value, (given as Readonly<Record<string, unknown>>)[key]))
  );
}
