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
import { dereferenced, typeOf, typesOf, type JsonSchema } from '../words/schema';
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
  const report: Report = { notes, repairs };
  try {
    refuseForbidden(input);
    const typed = form === 'text' ? typeTexts(schema, input, report) : input;
    const bound = bindObject(schema, typed, '', report);
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

/** No tool needs deeper arguments, and recursion into them may overflow the stack. */
const DEEPEST = 32;

/** Whether a text is valid as it is. A union that lists its texts accepts only those. */
function takesText(schema: JsonSchema, text: string): boolean {
  const members = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.type === undefined && members.length > 0) {
    return members.some((member) => takesText(member, text));
  }
  const named = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  return typesOf(schema).includes('string') && (named === undefined || named.includes(text));
}

interface Report {
  readonly notes: string[];
  readonly repairs: string[];
}

/** Converts texts to the wanted types where they read as such; the check handles the rest. */
function typeTexts(schema: JsonSchema, input: JsonObject, report: Report): JsonObject {
  const typed = Object.entries(input).map(([key, value]) => {
    const own = ownProperty(schema.properties ?? {}, nameOf(key, schema, input, ''));
    const property = own && dereferenced(own, schema);
    const types = property ? typesOf(property) : [];
    const list = typeof value === 'string' && types.includes('array') ? listIn(value) : undefined;
    if (list && types.includes('string')) return [key, list] as const;
    const isText = typeof value !== 'string' || (property !== undefined && takesText(property, value));
    const read = isText ? undefined : readText(types, value, report);
    // `null` and `None` mean that the argument was left out, except where text is wanted.
    const isNothing = !isText && types.length > 0 && /^\s*(?:null|None)\s*$/.test(value);
    if (isNothing && !types.includes('string')) return [key, null] as const;
    return [key, read ?? value] as const;
  });
  return Object.fromEntries(typed);
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

function bindObject(schema: JsonSchema, input: JsonObject, at: string, report: Report): JsonObject {
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
    if (name !== key) report.notes.push(`Read "${at}${key}" as "${at}${name}".`);
    const property = ownProperty(properties, name);
    const required = schema.required?.includes(name) ?? false;
    const isLeftOut = (each: Json): boolean => {
      if (!property || required || !meansNothing(property, each)) return false;
      report.notes.push(`Left out "${at}${name}", which was ${quote(each)}.`);
      return true;
    };
    if (isLeftOut(value)) continue;
    const read = property ? bindValue(property, value, at + name, report) : value;
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
function meansNothing(schema: JsonSchema, value: Json): boolean {
  const isBlank = typeof value === 'string' ? value.trim() === '' : isJsonList(value) && value.length === 0;
  if (value !== null && value !== 0 && !isBlank) return false;
  const members = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.type === undefined && members.length > 0) {
    return members.every((member) => meansNothing(member, value));
  }
  const types = typesOf(schema);
  if (types.length === 0) return value === null;
  if (schema.enum && !schema.enum.includes(value)) return true;
  if (schema.const !== undefined && schema.const !== value) return true;
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

function bindValue(schema: JsonSchema, value: Json, at: string, report: Report): Json {
  const types = typesOf(schema);
  if (types.length === 0) return checkEnum(schema, value, at);
  if (fits(types, value)) return checkEnum(schema, bindInside(schema, value, at, report), at);
  const read = typeof value === 'string' ? readText(types, value, report) : writeText(types, value, report);
  if (read !== undefined) {
    report.notes.push(
      `Read ${quote(value)} for "${at}" as ${Array.isArray(read) ? 'a list' : typeOf(read)}.`,
    );
    return checkEnum(schema, bindInside(schema, read, at, report), at);
  }
  throw new BindError(
    'invalid-argument',
    `The argument "${at}" must be ${types.join(' or ')}, not ${quote(value)}.`,
    `Send "${at}" as ${types.join(' or ')}.`,
  );
}

function fits(types: readonly string[], value: Json): boolean {
  return types.some((type) => type === typeOf(value) || (type === 'integer' && Number.isInteger(value)));
}

function bindInside(schema: JsonSchema, value: Json, at: string, report: Report): Json {
  if (isJsonList(value)) {
    const items = schema.items;
    if (!items) return value;
    return value.map((item, index) => bindValue(items, item, `${at}[${index}]`, report));
  }
  return isJsonObject(value) && schema.properties ? bindObject(schema, value, `${at}.`, report) : value;
}

/** Text for another type: exact spellings only. */
function readText(types: readonly string[], text: string, report: Report): Json | undefined {
  const word = text.trim();
  if (types.includes('boolean') && /^(true|false|True|False)$/.test(word))
    return word.toLowerCase() === 'true';
  if (types.includes('integer') && /^-?\d+$/.test(word) && Number.isSafeInteger(Number(word)))
    return Number(word);
  if (types.includes('number') && /^-?\d+(\.\d+)?([eE][-+]?\d{1,3})?$/.test(word)) {
    return keepsDigits(word) ? Number(word) : undefined;
  }
  if (types.includes('null') && /^(?:null|None)$/.test(word)) return null;
  if (types.includes('array') || types.includes('object')) return readStructure(types, word, report);
  return undefined;
}

/** Whether a double holds the digits of an integer. */
function keepsDigits(word: string): boolean {
  const value = Number(word);
  const isInteger = /^-?\d+$/.test(word);
  return Number.isFinite(value) && (!isInteger || Number.isSafeInteger(value) || String(value) === word);
}

function readStructure(types: readonly string[], text: string, report: Report): Json | undefined {
  const read = readEscaped(text, report);
  if (!read.ok) return undefined;
  const value = fits(types, read.value)
    ? read.value
    : types.includes('array') && isJsonObject(read.value)
      ? [read.value]
      : undefined;
  if (value !== undefined) report.repairs.push(...read.repairs);
  return value;
}

/** JSON in a text; its quotes may be escaped as in a JSON string. */
function readEscaped(text: string, report: Report): JsonRead {
  const read = readJson(text);
  if (read.ok || !text.includes('\\"')) return read;
  const once = readJson(`"${text}"`);
  if (!once.ok || once.repairs.length > 0 || typeof once.value !== 'string') return read;
  report.repairs.push('read escaped quotes as quotes');
  return readJson(once.value);
}

/** A number or boolean where text is wanted, or a single value where a list is wanted. */
function writeText(types: readonly string[], value: Json, report: Report): Json | undefined {
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    // `1.10` and `1.1` differ as text, and the number does not tell which was written.
    if (typeof value === 'number' && !Number.isInteger(value))
      report.repairs.push(`wrote the number ${value} as text`);
    return String(value);
  }
  if (types.includes('array') && isJsonObject(value)) return [value];
  return undefined;
}

function checkEnum(schema: JsonSchema, value: Json, at: string): Json {
  if (!schema.enum || schema.enum.includes(value)) return value;
  const allowed = schema.enum.map((each) => JSON.stringify(each)).join(', ');
  throw new BindError(
    'invalid-argument',
    `The argument "${at}" cannot be ${quote(value)}.`,
    `Use one of: ${allowed}.`,
  );
}

function quote(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
