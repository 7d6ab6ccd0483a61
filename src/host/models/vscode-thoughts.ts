import type * as vscode from 'vscode';
import { isJsonObject, type Json, type JsonObject } from '../../base/json';
import type { Carried } from '../../core/words/carried';
import { isTooDeep } from '../../models/bounded';

/** https://github.com/microsoft/vscode, `vscode.proposed.languageModelThinkingPart.d.ts` */
interface ThinkingPart {
  readonly value: string | readonly string[];
  readonly id?: string;
  readonly metadata?: object;
}

/** VS Code as far as it is concerned here: not every version knows thinking, or lets extensions use it. */
export interface ThinkingApi {
  readonly LanguageModelThinkingPart?: new (
    value: ThinkingPart['value'],
    id?: string,
    metadata?: object,
  ) => object;
}

const ORIGIN = 'vscode';
/** Under which the parts are carried. */
const FIELD = 'thinking';

/** A part of a reply that is thinking, as data; nothing for any other part. */
export function thoughtOf(part: unknown, { LanguageModelThinkingPart }: ThinkingApi): JsonObject | undefined {
  if (!LanguageModelThinkingPart || !(part instanceof LanguageModelThinkingPart)) return undefined;
  // SAFETY: that is how VS Code describes what its constructor makes.
  const { value, id, metadata } = part as ThinkingPart;
  const known = isJsonObject(metadata) && !isTooDeep(metadata) ? plainJson(metadata) : undefined;
  return { value, ...(id !== undefined && { id }), ...(known !== undefined && { metadata: known }) };
}

export function thoughtText({ value }: JsonObject): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join('') : '';
}

/** Of a reply: they go back to the model they came from, whole and in order. */
export function carriedBy(model: string, thoughts: readonly JsonObject[]): Carried {
  return { origin: ORIGIN, model, fields: { [FIELD]: thoughts } };
}

/** Typed as text parts because the API of our floor knows no other. */
export function thinkingParts(
  carried: Carried | undefined,
  model: string,
  { LanguageModelThinkingPart }: ThinkingApi,
): vscode.LanguageModelTextPart[] {
  const isOwn = carried?.origin === ORIGIN && carried.model === model;
  const thoughts = isOwn ? carried.fields?.[FIELD] : undefined;
  if (!LanguageModelThinkingPart || !Array.isArray(thoughts)) return [];
  return thoughts.filter(isJsonObject).map((thought) => {
    const { value, id, metadata } = thought;
    const part = new LanguageModelThinkingPart(
      Array.isArray(value) ? value.map(String) : thoughtText(thought),
      typeof id === 'string' ? id : undefined,
      isJsonObject(metadata) ? metadata : undefined,
    );
    // SAFETY: VS Code takes it wherever it takes text.
    return part as vscode.LanguageModelTextPart;
  });
}

/** Providers may put anything there; only what a session file can hold goes on. */
function plainJson(value: JsonObject): Json {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? undefined : each));
  // SAFETY: what comes out of JSON is JSON.
  return JSON.parse(text) as Json;
}
