import { closest } from '../base/closest';
import type { JsonObject } from '../base/json';
import { bindArguments, plain } from '../core/bind';
import type { Diagnostic } from '../core/diagnostic';
import type { ToolCall } from '../core/messages';
import type { ParserOptions, ReplyEvent } from '../core/protocol';
import type { ToolSpec } from '../core/tool';
import { controlCharacterNotes } from './control-characters';

/** A call as a grammar or a native stream read it: nothing is bound to a tool yet. */
export interface RawCall {
  readonly index: number;
  /** The model's own id, if it gave one. */
  readonly id?: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly start: number;
  readonly end: number;
  readonly notes?: readonly Diagnostic[];
  readonly repaired?: boolean;
  /** The protocol writes all values as text; without it they have the types of JSON. */
  readonly form?: 'text';
}

/** More calls in one reply are surely a loop. */
export const CALLS_PER_REPLY = 32;

export const TOO_MANY_CALLS: Problem = {
  code: 'too-many-calls',
  message: `The reply holds more than ${CALLS_PER_REPLY} calls; this one and those after it were not run.`,
  hint: 'Make fewer calls at once and wait for their results.',
};

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Turns what was read into a call for an offered tool, or into a malformed call that says why it cannot run. */
export class CallBinder {
  constructor(private readonly options: ParserOptions) {}

  bind(raw: RawCall): ReplyEvent {
    const { tools } = this.options;
    const notes = [...(raw.notes ?? [])];
    const forbidden = FORBIDDEN_KEYS.find((key) => Object.hasOwn(raw.arguments, key));
    if (forbidden !== undefined) return this.reject(raw, unfit(forbidden));
    if (!tools) return this.call(raw, raw.name, raw.arguments, notes);
    const tool = findTool(tools, raw.name);
    if (!tool) return this.reject(raw, this.unknown(raw.name, tools));
    if (tool.name !== raw.name && tool.qualifiedName !== raw.name && tool.vcpCommand !== raw.name) {
      notes.push(note(raw, 'name', `Read the name "${raw.name}" as "${tool.name}".`));
    }
    const bound = bindArguments(tool.parameters, raw.arguments, raw.form);
    if (!bound.ok) return this.reject(raw, bound);
    notes.push(...bound.notes.map((text) => note(raw, 'argument', capitalised(text))));
    notes.push(
      ...bound.repairs.map((repair) => warning(raw, 'repaired-json', `Mended the JSON: ${repair}.`, '')),
    );
    notes.push(...controlCharacterNotes(raw, bound.arguments));
    const repaired = (raw.repaired ?? false) || bound.repairs.length > 0;
    return this.call({ ...raw, repaired }, tool.name, bound.arguments, notes);
  }

  reject(raw: Omit<RawCall, 'arguments'>, problem: Problem): ReplyEvent {
    const { code, message, hint } = problem;
    const diagnostic: Diagnostic = { code, level: 'error', message, hint, start: raw.start, end: raw.end };
    const malformed = { id: this.options.ids.take(raw.id), name: raw.name, diagnostic };
    return { type: 'malformed', index: raw.index, malformed };
  }

  private call(raw: RawCall, name: string, args: JsonObject, notes: readonly Diagnostic[]): ReplyEvent {
    const call: ToolCall = {
      id: this.options.ids.take(raw.id),
      name,
      arguments: args,
      start: raw.start,
      end: raw.end,
      notes,
      mark: raw.repaired ? 'repaired' : 'clean',
    };
    return { type: 'call-end', index: raw.index, call };
  }

  private unknown(name: string, tools: readonly ToolSpec[]): Problem {
    const why = this.options.whyUnavailable?.(name);
    if (why !== undefined) {
      return {
        code: 'unavailable-tool',
        message: why,
        hint: 'Do without it, or ask the user to switch it on.',
      };
    }
    const names = tools.map((tool) => tool.name);
    const near = closest(name, names);
    const offered = near.length > 0 ? near : names;
    return {
      code: 'unknown-tool',
      message: name === '' ? 'The call names no tool.' : `There is no tool "${name.slice(0, SHOWN)}".`,
      hint: offered.length === 0 ? 'No tools are available.' : `Use one of: ${offered.join(', ')}.`,
    };
  }
}

/** Names that would reach an object's prototype. */
const FORBIDDEN_KEYS = ['__proto__', 'constructor', 'prototype'];

function unfit(key: string): Problem {
  return { code: 'unknown-argument', message: `"${key}" cannot be an argument.`, hint: 'Leave it out.' };
}

/** Names come from a model and may be of any length. */
const SHOWN = 200;

/** The tool a name stands for: its own names first, then the same letters spelled differently if only one has them. */
export function findTool(tools: readonly ToolSpec[], name: string): ToolSpec | undefined {
  const exact =
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.qualifiedName === name || tool.vcpCommand === name);
  if (exact) return exact;
  const spelled = tools.filter((tool) => plain(tool.name) === plain(name));
  return spelled.length === 1 ? spelled[0] : undefined;
}

export function note(span: { start: number; end: number }, code: string, message: string): Diagnostic {
  return { code, level: 'info', message, hint: '', start: span.start, end: span.end };
}

export function warning(
  span: { start: number; end: number },
  code: string,
  message: string,
  hint: string,
): Diagnostic {
  return { code, level: 'warning', message, hint, start: span.start, end: span.end };
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
