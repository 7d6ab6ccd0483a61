import { isJsonList, type Json, type JsonObject } from '../base/json';
import type { Turn } from '../core/words/messages';
import type { ToolSpec } from '../core/words/tool';

/** A client's request in Parley's terms. */
export interface GatewayRequest {
  readonly instructions: string;
  readonly turns: readonly Turn[];
  /** The tools that may be called. */
  readonly tools: readonly ToolSpec[];
  /** A reply without a call is requested again. */
  readonly needsCall: boolean;
  /** At most one call per reply. */
  readonly isSingle: boolean;
  /** Additional stop sequences. */
  readonly stop: readonly string[];
  /** Names of tools that only the client's own service could run, for the log. */
  readonly leftOut?: readonly string[];
}

/** What the user says where a request has no question at its end. */
export const CONTINUE = 'Continue.';

/** An invalid request: a sentence for the author of the client. */
export class BadRequest extends Error {}

/** The fields that have a value, with other names. */
export function renamed(body: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, other]) => {
      const value = body[name];
      return value === undefined || value === null ? [] : [[other, value]];
    }),
  );
}

/** Names that are the same on both sides. */
export function same(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, name]));
}

export function listOf(value: Json | undefined): readonly Json[] {
  return value !== undefined && isJsonList(value) ? value : [];
}
