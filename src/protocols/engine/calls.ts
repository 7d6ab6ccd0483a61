import { closest } from '../../base/closest';
import { forbiddenKey, isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json';
import { bindArguments } from '../../core/run/bind';
import { plain } from '../../core/run/foreign-arguments';
import { meaningOf } from '../../core/run/foreign-names';
import type { Diagnostic, ToolCall } from '../../core/words/messages';
import { CALLS_PER_REPLY, type ParserOptions, type ReplyEvent } from '../../core/words/protocol';
import { CALL_TOOL, runningSpec, type ToolSpec } from '../../core/words/tool';
import { isBlank } from './cursor';

/** A call as a reader or a native stream read it, not yet bound to a tool. */
export interface RawCall {
  readonly index: number;
  /** The model's id, if it gave one. */
  readonly id?: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly start: number;
  readonly end: number;
  readonly notes?: readonly Diagnostic[];
  readonly repaired?: boolean;
  /** `text`: the protocol writes all values as text. If absent, they have JSON types. */
  readonly form?: 'text';
}

/** No tool has as many. */
const ARGUMENTS_PER_CALL = 256;

export const TOO_MANY_CALLS: CallProblem = {
  code: 'too-many-calls',
  message: `The reply holds more than ${CALLS_PER_REPLY} calls; this one and later ones were not run.`,
  hint: 'Make fewer calls at once and wait for their results.',
};

const TOO_MANY_ARGUMENTS: CallProblem = {
  code: 'too-many-arguments',
  message: `The call has more than ${ARGUMENTS_PER_CALL} arguments.`,
  hint: 'Give only arguments of the tool.',
};

export interface CallProblem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

const DEFINITION: CallProblem = {
  code: 'definition',
  message: 'This is the definition of a tool, not a call.',
  hint: 'Call the tool with values for its parameters.',
};

/** Whether the arguments are a schema of arguments, which models repeat from their prompt. */
function isDefinition({ name, arguments: args }: RawCall, tools: readonly ToolSpec[] = []): boolean {
  if (args['type'] !== 'object' || !isJsonObject(args['properties'])) return false;
  return !Object.hasOwn(findTool(tools, name)?.parameters.properties ?? {}, 'properties');
}

/** A call that was bound to its tool, or the reason why it cannot be. */
type Fit =
  | { readonly ok: true; readonly call: Omit<ToolCall, 'id'> }
  | { readonly ok: false; readonly problem: CallProblem };

/** Turns what was read into a call for an offered tool, or into a malformed call with the reason. */
export class CallBinder {
  constructor(private readonly options: ParserOptions) {}

  bind(raw: RawCall): ReplyEvent {
    const fit = this.fit(raw);
    return fit.ok ? this.accept(raw, fit.call) : this.reject(raw, fit.problem);
  }

  /** The result of `bind`, without taking an id. */
  fit(raw: RawCall): Fit {
    const { tools, strictness } = this.options;
    if (isNameless(raw.name)) return { ok: false, problem: nameless(tools) };
    if (isDefinition(raw, tools)) return { ok: false, problem: DEFINITION };
    const bound = tools ? this.bindTo(tools, raw) : untouched(raw);
    if (!bound.ok || strictness !== 'strict' || bound.call.mark === 'clean') return bound;
    return { ok: false, problem: needsRepair(bound.call) };
  }

  accept(raw: Pick<RawCall, 'index' | 'id'>, call: Omit<ToolCall, 'id'>): ReplyEvent {
    return { type: 'call-end', index: raw.index, call: { id: this.options.ids.take(raw.id), ...call } };
  }

  reject(raw: Omit<RawCall, 'arguments'>, problem: CallProblem): ReplyEvent {
    const { code, message, hint } = problem;
    const diagnostic: Diagnostic = { code, level: 'error', message, hint, start: raw.start, end: raw.end };
    const malformed = { id: this.options.ids.take(raw.id), name: raw.name, diagnostic };
    return { type: 'malformed', index: raw.index, malformed };
  }

  private bindTo(tools: readonly ToolSpec[], raw: RawCall): Fit {
    const fit = untouched(raw);
    if (!fit.ok) return fit;
    const tool = findTool(tools, raw.name);
    if (!tool)
      return this.bindForeign(tools, raw, fit.call) ?? { ok: false, problem: this.unknown(raw.name, tools) };
    const bound = tool.offers
      ? bindOffered(tool, raw)
      : bindArguments(tool.parameters, raw.arguments, raw.form);
    // Other agents have tools of the same names with other arguments.
    if (!bound.ok)
      return (isOwn(tool) && this.bindForeign(tools, raw, fit.call, tool)) || { ok: false, problem: bound };
    if (tool.name === CALL_TOOL) return this.bindToNamed(tools, raw, bound.arguments);
    const isExact = [tool.name, tool.qualifiedName, tool.vcpCommand].includes(raw.name);
    const notes = isExact ? [] : [note(raw, 'name', `Read the name "${raw.name}" as "${tool.name}".`)];
    return { ok: true, call: boundCall(fit.call, runningSpec(tool), bound, notes) };
  }

  /**
   * Understands a call that was written for a tool of another agent. It becomes a call of an offered tool, or is refused
   * like a call of that tool. With `named`, the name is that of an offered tool, so only its own calls are understood.
   */
  private bindForeign(
    tools: readonly ToolSpec[],
    raw: RawCall,
    call: Omit<ToolCall, 'id'>,
    named?: ToolSpec,
  ): Fit | undefined {
    const meaning = meaningOf(raw.name, raw.arguments);
    if (!meaning) return undefined;
    if ('instead' in meaning) {
      const problem = tools.some(isOwn) ? this.instead(raw.name, meaning, tools) : undefined;
      return problem && { ok: false, problem: named ? { ...problem, ...OTHER_ARGUMENTS } : problem };
    }
    const offered = tools.map(runningSpec).find((tool) => isOwn(tool) && tool.name === meaning.tool);
    if (named && offered?.name !== runningSpec(named).name) return undefined;
    if (!offered) {
      const why = this.options.whyUnavailable?.(meaning.tool);
      return why === undefined ? undefined : { ok: false, problem: unavailable(why) };
    }
    const bound = bindArguments(offered.parameters, meaning.arguments, raw.form);
    if (!bound.ok)
      return named
        ? undefined
        : { ok: false, problem: { ...bound, hint: `${bound.hint} The tool is ${offered.name}.` } };
    const notes = [
      ...(named ? [] : [note(raw, 'name', `Read the name "${raw.name}" as "${offered.name}".`)]),
      ...meaning.leftOut.map((key) => note(raw, 'argument', `Left out "${key}", which has no meaning here.`)),
    ];
    return { ok: true, call: boundCall(call, offered, bound, notes) };
  }

  /** The answer to a call that no tool can do as it is. */
  private instead(
    name: string,
    { instead, use }: { readonly instead: string; readonly use?: string },
    tools: readonly ToolSpec[],
  ): CallProblem {
    const ways = tools.filter((tool) => runningSpec(tool).name === use);
    const why = use === undefined || ways.length > 0 ? undefined : this.options.whyUnavailable?.(use);
    if (why !== undefined) return unavailable(why);
    const isNamed = use === undefined || ways.some((tool) => tool.name === use);
    return {
      code: 'unknown-tool',
      message: noTool(name),
      hint: isNamed ? instead : useOneOf((ways.length > 0 ? ways : tools).map((tool) => tool.name)),
    };
  }

  /** The call inside a call of `call_tool`. */
  private bindToNamed(tools: readonly ToolSpec[], raw: RawCall, { name, arguments: args }: JsonObject): Fit {
    const others = tools.filter((tool) => tool.name !== CALL_TOOL);
    if (typeof name !== 'string' || !isJsonObject(args)) return untouched(raw);
    return this.bindTo(others, { ...raw, name, arguments: args });
  }

  private unknown(name: string, tools: readonly ToolSpec[]): CallProblem {
    const why = this.options.whyUnavailable?.(name);
    if (why !== undefined) return unavailable(why);
    const names = tools.map((tool) => tool.name);
    const near = closest(name, names);
    const offered = near.length > 0 ? near : names;
    return {
      code: 'unknown-tool',
      message: noTool(name),
      hint: useOneOf(offered),
    };
  }
}

function noTool(name: string): string {
  return `There is no tool "${name.slice(0, SHOWN)}".`;
}

/** For a call whose name is that of an offered tool. */
const OTHER_ARGUMENTS = {
  code: 'invalid-argument',
  message: 'The arguments are those of a tool of another agent.',
};

function unavailable(why: string): CallProblem {
  return {
    code: 'unavailable-tool',
    message: why,
    hint: 'Do without it, or ask the user to switch it on.',
  };
}

/** Tools of servers and of other programs may have the names of Parley's; only Parley's have a qualified name. */
function isOwn(tool: ToolSpec): boolean {
  return runningSpec(tool).qualifiedName !== undefined;
}

type BoundArguments = Extract<ReturnType<typeof bindArguments>, { ok: true }>;

function boundCall(
  call: Omit<ToolCall, 'id'>,
  tool: ToolSpec,
  bound: BoundArguments,
  notes: readonly Diagnostic[],
): Omit<ToolCall, 'id'> {
  return {
    ...call,
    name: tool.name,
    arguments: bound.arguments,
    notes: [
      ...call.notes,
      ...notes,
      ...bound.notes.map((text) => note(call, 'argument', text)),
      ...bound.repairs.map((repair) => warning(call, 'repaired-json', `Repaired JSON: ${repair}.`, '')),
      ...controlCharacterNotes(call, bound.arguments),
    ],
    mark: bound.repairs.length > 0 ? 'repaired' : call.mark,
  };
}

/** A call of an offered definition, or one of the tool itself under the same name. Problems are told in the offered words. */
function bindOffered({ parameters, offers }: ToolSpec, raw: RawCall): ReturnType<typeof bindArguments> {
  const asOffered = bindArguments(parameters, raw.arguments, raw.form);
  if (!offers) return asOffered;
  const args = offers.toCall(asOffered.ok ? asOffered.arguments : raw.arguments);
  const bound = bindArguments(offers.spec.parameters, args, raw.form);
  if (!asOffered.ok) return bound.ok ? bound : asOffered;
  return bound.ok
    ? {
        ...bound,
        notes: [...asOffered.notes, ...bound.notes],
        repairs: [...asOffered.repairs, ...bound.repairs],
      }
    : bound;
}

/** Whether a name has no visible character. */
export function isNameless(name: string): boolean {
  for (const char of name) if (!isBlank(char)) return false;
  return true;
}

function nameless(tools: readonly ToolSpec[] | undefined): CallProblem {
  return {
    code: 'unknown-tool',
    message: 'The call names no tool.',
    hint: tools ? useOneOf(tools.map((tool) => tool.name)) : 'Name one of the offered tools.',
  };
}

function useOneOf(names: readonly string[]): string {
  return names.length === 0 ? 'No tools are available.' : `Use one of: ${names.join(', ')}.`;
}

/** The call as written, bound to no tool. */
function untouched({ name, arguments: args, start, end, notes = [], repaired }: RawCall): Fit {
  const forbidden = forbiddenKey(args);
  if (forbidden !== undefined) return { ok: false, problem: unfit(forbidden) };
  if (Object.keys(args).length > ARGUMENTS_PER_CALL) return { ok: false, problem: TOO_MANY_ARGUMENTS };
  return {
    ok: true,
    call: { name, arguments: args, start, end, notes, mark: repaired ? 'repaired' : 'clean' },
  };
}

function needsRepair({ notes }: Omit<ToolCall, 'id'>): CallProblem {
  const reason = notes.find(({ level }) => level === 'warning');
  return {
    code: 'needs-repair',
    message: `The call is not exactly in form, which "strict" requires. ${reason?.message ?? ''}`.trim(),
    hint: reason?.hint || 'Send it again exactly in the form shown.',
  };
}

function unfit(key: string): CallProblem {
  return { code: 'unknown-argument', message: `"${key}" cannot be an argument.`, hint: 'Leave it out.' };
}

/** Names come from a model and can have any length. */
const SHOWN = 200;

/** `note.note`, as models write that know tools in namespaces. */
const TWICE = /^([^.]{1,128})\.\1$/;

/**
 * The tool that a name means: exact names first, then the same letters spelled differently if only one tool has them.
 */
export function findTool(tools: readonly ToolSpec[], name: string): ToolSpec | undefined {
  const exact =
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.qualifiedName === name || tool.vcpCommand === name) ??
    tools.map(runningSpec).find((tool) => tool.name === name || tool.qualifiedName === name);
  if (exact) return exact;
  const spelled = tools.filter((tool) => plain(tool.name) === plain(name));
  if (spelled.length > 0) return spelled.length === 1 ? spelled[0] : undefined;
  const [, once] = TWICE.exec(name) ?? [];
  return once === undefined ? undefined : findTool(tools, once);
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

/** Calls there may have been meant as part of the unclosed call. */
export function afterUnclosed(span: { start: number; end: number }): Diagnostic {
  const message = 'The call follows one that was never closed.';
  return warning(span, 'after-unclosed', message, 'Close every call.');
}

/** Problems of calls that several protocols share. */

export function unfinishedCall(closer: string): CallProblem {
  return {
    code: 'unfinished',
    message: 'The call was not finished before the reply ended.',
    hint: `Send it again, ending with ${closer}; write long files in several steps.`,
  };
}

export function unclosed(key: string, closer: string): CallProblem {
  return {
    code: 'unclosed-value',
    message: key === '' ? 'A value was not closed.' : `The value of "${key}" was not closed.`,
    hint: `Close every value with ${closer} and send the call again; write long files in several steps.`,
  };
}

export function unended(closer: string): CallProblem {
  const message = 'A new call begins before the end of this one.';
  return { code: 'missing-end', message, hint: `End every call with ${closer}.` };
}

/** Something in the call is not an argument. */
export function unknown(key: string, hint: string): CallProblem {
  return { code: 'unknown-argument', message: `There is no argument "${key}".`, hint };
}

export function malformed(message: string, hint = 'Send it again exactly in the form shown.'): CallProblem {
  return { code: 'malformed-block', message, hint };
}

export function twice(key: string): CallProblem {
  return { code: 'duplicate-argument', message: `"${key}" is given twice.`, hint: `Give "${key}" once.` };
}

/** Names of arguments that contain a location. */
export const PATH_KEY = /^(from|to|cwd|glob)$|(path|file|folder|directory|dir)s?$/i;
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

/** `C:\temp` in JSON is read with a tab: the form is valid, but no path contains such characters. */
function controlCharacterNotes(
  span: { readonly start: number; readonly end: number },
  args: JsonObject,
): Diagnostic[] {
  return Object.entries(args)
    .filter(([key, value]) => PATH_KEY.test(key) && holdsControlCharacter(value))
    .map(([key]) => ({
      code: 'control-character',
      level: 'warning',
      message: `The argument "${key}" has a control character.`,
      hint: 'Write a backslash in JSON as \\\\, or use forward slashes.',
      start: span.start,
      end: span.end,
    }));
}

function holdsControlCharacter(value: Json): boolean {
  if (isJsonList(value)) return value.some(holdsControlCharacter);
  return typeof value === 'string' && CONTROL_CHARACTER.test(value);
}
