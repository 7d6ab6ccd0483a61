import {
  forbiddenKey,
  isDeeperThan,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../base/json';
import { readJson, type JsonRead } from '../../base/json-reader';
import type { ToolCall } from '../words/messages';
import type { JsonSchema } from '../words/schema';
import { alternativesOf, listedValues, resolvedSchema, typeOf, typesOf } from '../words/schema-types';
import { ToolError, type ToolSpec } from '../words/tool';
import { plain } from './foreign-arguments';
import { isOtherName } from './foreign-names';

type Bound =
  | {
      readonly ok: true;
      readonly arguments: JsonObject;
      /** Near misses with only one reading: `read file_path as path`. */
      readonly notes: readonly string[];
      /** What the parser repaired: JSON inside a text. */
      readonly repairs: readonly string[];
    }
  | { readonly ok: false; readonly code: BindProblem; readonly message: string; readonly hint: string };

type BindProblem = 'unknown-argument' | 'missing-argument' | 'invalid-argument' | 'duplicate-argument';

/**
 * Fits the arguments a model wrote to a tool's schema: spelling of keys, scalars written as text, JSON written as text.
 * Changes only what has one reading and refuses anything else with the reason. Never drops an argument, except an optional
 * one whose value means that it is not given. Never throws. With `text`, every input value is text, as protocols without types write it.
 */
export function bindArguments(schema: JsonSchema, input: JsonObject, form: 'json' | 'text' = 'json'): Bound {
  if (isDeeperThan(DEEPEST, input)) {
    const message = `The arguments are nested more than ${DEEPEST} levels deep.`;
    return { ok: false, code: 'invalid-argument', message, hint: 'Flatten them.' };
  }
  const notes: string[] = [];
  const repairs: string[] = [];
  const binding: Binding = { whole: schema, attempts: { left: MOST_ATTEMPTS }, notes, repairs };
  try {
    refuseForbidden(input);
    const typed = form === 'text' ? typeTexts(schema, input, binding) : input;
    const bound = bindObject(schema, typed, '', binding);
    // JSON that was parsed from a text may have added keys.
    refuseForbidden(bound);
    return { ok: true, arguments: bound, notes, repairs };
  } catch (problem) {
    if (!(problem instanceof BindError)) throw problem;
    return { ok: false, code: problem.code, message: problem.message, hint: problem.hint };
  }
}

function refuseForbidden(input: JsonObject): void {
  const key = forbiddenKey(input);
  if (key !== undefined)
    throw new BindError('unknown-argument', `"${key}" cannot be an argument.`, 'Leave it out.');
}

/** Binds the arguments of a call that did not come from a parser. Throws `ToolError` if they do not fit the tool. */
export function bindGiven({ parameters }: ToolSpec, given: JsonObject): Pick<ToolCall, 'arguments' | 'mark'> {
  const bound = bindArguments(parameters, given);
  if (!bound.ok) throw new ToolError(`${bound.message} ${bound.hint}`);
  return { arguments: bound.arguments, mark: bound.repairs.length > 0 ? 'repaired' : 'clean' };
}

/** Maximum number of values and alternatives in one call that are tried; others are taken as they are. */
const MOST_ATTEMPTS = 20_000;

/** No tool needs deeper arguments, and recursion into them may overflow the stack. */
const DEEPEST = 32;

/** Whether a text is valid as it is. A schema that lists its texts accepts only those. */
function takesText(schema: JsonSchema, text: string, { whole }: Binding): boolean {
  return alternativesOf(schema, whole).some((each) => {
    const values = listedValues(each);
    return (!values || isListed(values, text)) && typesOf(each, whole).includes('string');
  });
}

/** The arguments of one call. */
interface Binding {
  /** The tool's schema, which the references in it are about. */
  readonly whole: JsonSchema;
  /** How many values may still be tried as an alternative. */
  readonly attempts: { left: number };
  readonly notes: string[];
  readonly repairs: string[];
}

/** Converts texts to the wanted types where they read as such; the check handles the rest. */
function typeTexts(schema: JsonSchema, input: JsonObject, binding: Binding): JsonObject {
  const found = resolvedSchema(schema, binding.whole);
  const typed = Object.entries(input).map(([key, value]) => {
    const property = ownProperty(found.properties ?? {}, nameOf(key, found, input, ''));
    return [key, property && typeof value === 'string' ? typeText(property, value, binding) : value] as const;
  });
  return Object.fromEntries(typed);
}

function typeText(property: JsonSchema, text: string, binding: Binding): Json {
  const types = typesOf(property, binding.whole);
  // Text forms have no other way to write it.
  if (types.includes('null') && text.trim() === 'null') return null;
  const list = types.includes('array') && types.includes('string') ? listIn(text) : undefined;
  if (list) return list;
  if (takesText(property, text, binding)) return text;
  const read = readText(types, text, binding);
  if (read !== undefined) return read;
  // `null` and `None` mean that the argument was left out, except where text is wanted.
  const isNothing = types.length > 0 && !types.includes('string') && /^\s*(?:null|None)\s*$/.test(text);
  return isNothing ? null : text;
}

/** Text that begins like a list is one only if all of it parses as one. */
function listIn(text: string): readonly Json[] | undefined {
  const read = text.trimStart().startsWith('[') ? readJson(text) : undefined;
  return read?.ok && read.repairs.length === 0 && isJsonList(read.value) ? read.value : undefined;
}

class BindError extends Error {
  constructor(
    readonly code: BindProblem,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

function bindObject(given: JsonSchema, input: JsonObject, at: string, binding: Binding): JsonObject {
  const schema = resolvedSchema(given, binding.whole);
  const properties = schema.properties ?? {};
  const bound = new Map<string, Json>();
  for (const [key, value] of Object.entries(input)) {
    const name = nameOf(key, schema, input, at);
    if (bound.has(name)) {
      throw new BindError(
        'duplicate-argument',
        `The argument "${at}${name}" is given twice.`,
        `Give "${at}${name}" once.`,
      );
    }
    if (name !== key) binding.notes.push(`Read "${at}${key}" as "${at}${name}".`);
    const property = ownProperty(properties, name);
    const required = schema.required?.includes(name) ?? false;
    const isLeftOut = (each: Json): boolean => {
      if (!property || required || !meansNothing(property, each, binding)) return false;
      binding.notes.push(`Left out "${at}${name}", which was ${quote(each)}.`);
      return true;
    };
    if (isLeftOut(value)) continue;
    const read = property ? bindValue(property, value, at + name, binding) : value;
    // The zero may have been written as text.
    if (read === value || !isLeftOut(read)) bound.set(name, read);
  }
  for (const name of schema.required ?? []) {
    if (bound.has(name)) continue;
    throw new BindError(
      'missing-argument',
      `The argument "${at}${name}" is missing.`,
      `Required: ${(schema.required ?? []).map((each) => at + each).join(', ')}.`,
    );
  }
  return Object.fromEntries(bound);
}

/**
 * Whether an optional argument was filled only because it is there: `null`, 0, an empty text or an empty list where the
 * schema excludes it.
 */
function meansNothing(schema: JsonSchema, value: Json, { whole }: Binding): boolean {
  const isBlank = typeof value === 'string' ? value.trim() === '' : isJsonList(value) && value.length === 0;
  if (value !== null && value !== 0 && !isBlank) return false;
  return alternativesOf(schema, whole).every((each) => excludes(each, typesOf(each, whole), value));
}

function excludes(schema: JsonSchema, types: readonly string[], value: Json): boolean {
  if (types.length === 0) return false;
  const values = listedValues(schema);
  if (values && !isListed(values, value)) return true;
  // A number can be written as text.
  if (value === 0 && types.includes('string')) return false;
  if (!fits(types, value)) return true;
  if (value === 0) return (schema.minimum ?? 0) > 0 || (schema.exclusiveMinimum ?? -1) >= 0;
  if (value === '') return (schema.minLength ?? 0) > 0;
  return isJsonList(value) && (schema.minItems ?? 0) > 0;
}

/** The schema's spelling of a key. */
function nameOf(key: string, schema: JsonSchema, input: JsonObject, at: string): string {
  const properties = schema.properties ?? {};
  if (ownProperty(properties, key)) return key;
  const names = Object.keys(properties);
  const free = names.filter((name) => !Object.hasOwn(input, name));
  const spelled = free.filter((name) => plain(name) === plain(key));
  const meant = spelled.length > 0 ? spelled : free.filter((name) => isOtherName(name, key));
  const [only] = meant;
  if (meant.length === 1 && only !== undefined) return only;
  if (schema.additionalProperties !== false) return key;
  throw new BindError(
    'unknown-argument',
    `There is no argument "${at}${key}".`,
    names.length === 0
      ? 'It takes no arguments.'
      : `The arguments are: ${names.map((each) => at + each).join(', ')}.`,
  );
}

function ownProperty(properties: Readonly<Record<string, JsonSchema>>, name: string): JsonSchema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function bindValue(schema: JsonSchema, value: Json, at: string, binding: Binding): Json {
  const alternatives = alternativesOf(schema, binding.whole);
  const direct = bindAs(alternatives, value, at, binding);
  if (direct.ok) return direct.value;
  // Another type is meant only if one is possible.
  if (direct.problem && alternatives.length === 1) throw direct.problem;
  const types = typesOf(schema, binding.whole);
  const read = typeof value === 'string' ? readText(types, value, binding) : writeText(types, value, binding);
  if (read !== undefined) {
    const kind = isJsonList(read) ? 'a list' : typeOf(read);
    binding.notes.push(`Read ${quote(value)} for "${at}" as ${kind}.`);
    const converted = bindAs(alternatives, read, at, binding);
    if (converted.ok) return converted.value;
    if (converted.problem) throw converted.problem;
  }
  if (direct.problem) throw direct.problem;
  throw new BindError(
    'invalid-argument',
    `The argument "${at}" must be ${types.join(' or ')}, not ${quote(value)}.`,
    `Send "${at}" as ${types.join(' or ')}.`,
  );
}

type BoundValue =
  | { readonly ok: true; readonly value: Json }
  /** The problem with the first alternative of the value's type; absent if there is none. */
  | { readonly ok: false; readonly problem?: BindError | undefined };

/** The value as the first alternative that accepts it. */
function bindAs(alternatives: readonly JsonSchema[], value: Json, at: string, binding: Binding): BoundValue {
  let problem: BindError | undefined;
  for (const each of alternatives) {
    const types = typesOf(each, binding.whole);
    if (types.length > 0 && !fits(types, value)) continue;
    // Alternatives inside alternatives multiply.
    if (--binding.attempts.left < 0) return { ok: true, value };
    const attempt: Binding = { ...binding, notes: [], repairs: [] };
    try {
      const bound = checkListed(each, bindInside(each, value, at, attempt), at);
      binding.notes.push(...attempt.notes);
      binding.repairs.push(...attempt.repairs);
      return { ok: true, value: bound };
    } catch (error) {
      if (!(error instanceof BindError)) throw error;
      problem ??= error;
    }
  }
  return { ok: false, problem };
}

function fits(types: readonly string[], value: Json): boolean {
  return types.some((type) => type === typeOf(value) || (type === 'integer' && Number.isInteger(value)));
}

function bindInside(schema: JsonSchema, value: Json, at: string, binding: Binding): Json {
  if (isJsonList(value)) {
    const items = schema.items;
    if (!items) return value;
    return value.map((item, index) => bindValue(items, item, `${at}[${index}]`, binding));
  }
  const hasNames = (schema.properties ?? schema.required) !== undefined;
  return isJsonObject(value) && hasNames ? bindObject(schema, value, `${at}.`, binding) : value;
}

/** Text for another type: exact spellings only. */
function readText(types: readonly string[], text: string, binding: Binding): Json | undefined {
  const word = text.trim();
  if (types.includes('boolean') && /^(true|false|True|False)$/.test(word))
    return word.toLowerCase() === 'true';
  if (types.includes('integer') && /^-?\d+$/.test(word) && Number.isSafeInteger(Number(word)))
    return Number(word);
  if (types.includes('number') && /^-?\d+(\.\d+)?([eE][-+]?\d{1,3})?$/.test(word)) {
    return keepsDigits(word) ? Number(word) : undefined;
  }
  if (types.includes('null') && /^(?:null|None)$/.test(word)) return null;
  if (types.includes('array') || types.includes('object')) return readStructure(types, word, binding);
  return undefined;
}

/** Whether a double holds the digits of an integer. */
function keepsDigits(word: string): boolean {
  const value = Number(word);
  const isInteger = /^-?\d+$/.test(word);
  return Number.isFinite(value) && (!isInteger || Number.isSafeInteger(value) || String(value) === word);
}

function readStructure(types: readonly string[], text: string, binding: Binding): Json | undefined {
  const read = readEscaped(text, binding);
  if (!read.ok) return undefined;
  const value = fits(types, read.value)
    ? read.value
    : types.includes('array') && isJsonObject(read.value)
      ? [read.value]
      : undefined;
  if (value !== undefined) binding.repairs.push(...read.repairs);
  return value;
}

/** JSON in a text; its quotes may be escaped as in a JSON string. */
function readEscaped(text: string, binding: Binding): JsonRead {
  const read = readJson(text);
  if (read.ok || !text.includes('\\"')) return read;
  const once = readJson(`"${text}"`);
  if (!once.ok || once.repairs.length > 0 || typeof once.value !== 'string') return read;
  binding.repairs.push('read escaped quotes as quotes');
  return readJson(once.value);
}

/** A number or boolean where text is wanted, or a single value where a list is wanted. */
function writeText(types: readonly string[], value: Json, binding: Binding): Json | undefined {
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    // `1.10` and `1.1` differ as text, and the number does not tell which was written.
    if (typeof value === 'number' && !Number.isInteger(value))
      binding.repairs.push(`wrote the number ${value} as text`);
    return String(value);
  }
  if (types.includes('array') && isJsonObject(value)) return [value];
  return undefined;
}

function checkListed(schema: JsonSchema, value: Json, at: string): Json {
  const values = listedValues(schema);
  if (!values || isListed(values, value)) return value;
  throw new BindError(
    'invalid-argument',
    `The argument "${at}" cannot be ${quote(value)}.`,
    `Use one of: ${values.map((each) => JSON.stringify(each)).join(', ')}.`,
  );
}

function isListed(values: readonly Json[], value: Json): boolean {
  return values.includes(value) || values.some((each) => JSON.stringify(each) === JSON.stringify(value));
}

function quote(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
