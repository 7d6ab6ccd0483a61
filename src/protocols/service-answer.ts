import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import { readJson } from '../base/json-reader';
import { textOf } from './describe';
import { KEYS } from './envelope';

/** Where services put their text, in the order in which it is looked for. */
const TEXT_FIELDS = ['response', 'result', 'text', 'content', 'message'];
/** Answers are wrapped in answers no deeper than this. */
const DEPTH = 8;

/**
 * Whatever a service answered, as the text a model wrote: text as it is, the text in the fields of an object, an
 * envelope that was parsed already as JSON again. `undefined` for what JSON cannot hold. Never throws.
 */
export function answerText(answer: unknown): string | undefined {
  if (typeof answer === 'string') return answer;
  if (answer === undefined || answer === null) return '';
  const data = plainData(answer);
  return data === undefined ? undefined : textIn(data, DEPTH);
}

/** The answer without circles, getters and functions. */
function plainData(answer: unknown): Json | undefined {
  try {
    // SAFETY: the declared type leaves out what comes of functions and symbols.
    const text = JSON.stringify(answer) as string | undefined;
    const read = text === undefined ? undefined : readJson(text);
    return read?.ok ? read.value : undefined;
  } catch {
    // A circle, a bigint, or whatever a getter of a stranger's object throws: all say that there is nothing to read.
    return undefined;
  }
}

function textIn(value: Json, depth: number): string {
  if (isJsonList(value)) return textInList(value, depth);
  if (!isJsonObject(value)) return value === null ? '' : textOf(value);
  if (depth === 0 || isEnvelope(value)) return envelopeText(value);
  const inner = [...TEXT_FIELDS.map((field) => value[field]), firstChoice(value)].find(isFilled);
  return inner === undefined ? envelopeText(value) : textIn(inner, depth - 1);
}

/** Some services send text in parts. Any other list is data. */
function textInList(list: readonly Json[], depth: number): string {
  const parts = list.map((part) => (isJsonObject(part) ? part['text'] : undefined));
  if (depth === 0 || !parts.some(isFilled)) return JSON.stringify(list);
  return parts.filter((part) => typeof part === 'string').join('');
}

/** A whole answer of the API. */
function firstChoice({ choices }: JsonObject): Json | undefined {
  return choices !== undefined && isJsonList(choices) ? choices[0] : undefined;
}

function isFilled(value: Json | undefined): value is Json {
  return value !== undefined && value !== null && value !== '';
}

/** Whether the object says itself what to do. One that does not may hold an envelope in its text. */
function isEnvelope(value: JsonObject): boolean {
  const calls = value['tool_calls'];
  return (
    typeof value['action'] === 'string' || (calls !== undefined && isJsonList(calls) && calls.length > 0)
  );
}

/** An envelope is known by its first key, which an object from elsewhere may have anywhere. */
function envelopeText(value: JsonObject): string {
  const fields = KEYS.flatMap((key) => (isFilled(value[key]) ? [[key, value[key]] as const] : []));
  if (fields.length > 0) return JSON.stringify(Object.fromEntries(fields));
  const isEmpty = Object.keys(value).every((key) => KEYS.includes(key) || TEXT_FIELDS.includes(key));
  return isEmpty ? '' : JSON.stringify(value);
}
