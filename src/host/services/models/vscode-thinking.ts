import type * as vscode from 'vscode';
import { isJsonObject, type Json, type JsonObject } from '../../../base/json';
import type { ProviderMetadata } from '../../../core/words/provider-metadata';
import { isTooDeep } from '../../../models/bounded';

/** https://github.com/microsoft/vscode, `vscode.proposed.languageModelThinkingPart.d.ts` */
interface ThinkingPart {
  readonly value: string | readonly string[];
  readonly id?: string;
  readonly metadata?: object;
}

/** The parts of the VS Code API used here: not every version knows thinking, or allows it to extensions. */
export interface ThinkingApi {
  readonly LanguageModelThinkingPart?: new (
    value: ThinkingPart['value'],
    id?: string,
    metadata?: object,
  ) => object;
}

const ORIGIN = 'vscode';
/** Provider key of the parts. */
const FIELD = 'thinking';

/** A thinking part of a reply, as data; nothing for any other part. */
export function thinkingOf(
  part: unknown,
  { LanguageModelThinkingPart }: ThinkingApi,
): JsonObject | undefined {
  if (!LanguageModelThinkingPart || !(part instanceof LanguageModelThinkingPart)) return undefined;
  // SAFETY: VS Code documents this as the result of its constructor.
  const { value, id, metadata } = part as ThinkingPart;
  const known = isJsonObject(metadata) && !isTooDeep(metadata) ? plainJson(metadata) : undefined;
  return { value, ...(id !== undefined && { id }), ...(known !== undefined && { metadata: known }) };
}

export function thinkingText({ value }: JsonObject): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join('') : '';
}

/** Thinking of a reply: it goes back to the model it came from, complete and in order. */
export function carriedBy(model: string, thinking: readonly JsonObject[]): ProviderMetadata {
  return { origin: ORIGIN, model, fields: { [FIELD]: thinking } };
}

/** Typed as text parts because our minimum API knows no other. */
export function thinkingParts(
  carried: ProviderMetadata | undefined,
  model: string,
  { LanguageModelThinkingPart }: ThinkingApi,
): vscode.LanguageModelTextPart[] {
  const isOwn = carried?.origin === ORIGIN && carried.model === model;
  const thinking = isOwn ? carried.fields?.[FIELD] : undefined;
  if (!LanguageModelThinkingPart || !Array.isArray(thinking)) return [];
  return thinking.filter(isJsonObject).map((each) => {
    const { value, id, metadata } = each;
    const part = new LanguageModelThinkingPart(
      Array.isArray(value) ? value.map(String) : thinkingText(each),
      typeof id === 'string' ? id : undefined,
      isJsonObject(metadata) ? metadata : undefined,
    );
    // SAFETY: VS Code accepts it wherever it accepts text.
    return part as vscode.LanguageModelTextPart;
  });
}

/** Providers may put anything there; only values that a session file can store are kept. */
function plainJson(value: JsonObject): Json {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? undefined : each));
  // SAFETY: parsed JSON is JSON.
  return JSON.parse(text) as Json;
}
