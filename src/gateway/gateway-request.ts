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
}

/** A request in the form of one of the APIs. */
export interface ApiRequest extends GatewayRequest {
  readonly isStreamed: boolean;
  /** Fields for the upstream, with their names in the Chat Completions API. */
  readonly rest: JsonObject;
}

/** An invalid request: a sentence for the author of the client. */
export class BadRequest extends Error {}

/** Which tools may be called: all, none, at least one call is required, or a call of the named tool. */
export type ToolChoice = 'auto' | 'none' | 'needed' | { readonly name: unknown };

/** If one tool is required, only that one is offered, so that no other can be called. Throws `BadRequest`. */
export function chosenTools(
  tools: readonly ToolSpec[],
  choice: ToolChoice,
): Pick<GatewayRequest, 'tools' | 'needsCall'> {
  if (choice === 'auto') return { tools, needsCall: false };
  if (choice === 'none') return { tools: [], needsCall: false };
  if (choice === 'needed') return { tools, needsCall: tools.length > 0 };
  const tool = tools.find(({ name }) => name === choice.name);
  if (!tool) throw new BadRequest('"tool_choice" names an unknown tool.');
  return { tools: [tool], needsCall: true };
}

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
