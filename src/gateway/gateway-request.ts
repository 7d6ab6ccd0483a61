import { isJsonList, type Json, type JsonObject } from '../base/json';
import type { Turn } from '../core/words/messages';
import type { ToolSpec } from '../core/words/tool';

/** What a client asks for, in Parley's words. */
export interface GatewayRequest {
  readonly instructions: string;
  readonly turns: readonly Turn[];
  /** Those that may be called. */
  readonly tools: readonly ToolSpec[];
  /** A reply without a call is asked for again. */
  readonly needsCall: boolean;
  /** One call a reply. */
  readonly isSingle: boolean;
  /** What ends a reply besides. */
  readonly stop: readonly string[];
}

/** A request as one of the APIs has it. */
export interface ApiRequest extends GatewayRequest {
  readonly isStreamed: boolean;
  /** Fields for the upstream, under their names in the Chat Completions API. */
  readonly rest: JsonObject;
}

/** What is wrong with a request: a sentence for the author of the client. */
export class BadRequest extends Error {}

/** Which tools may be called: all, none, some call is needed, or a call of the one with this name. */
export type ToolChoice = 'auto' | 'none' | 'needed' | { readonly name: unknown };

/** Where one tool is wanted no other is offered, so that none can come out. Throws `BadRequest`. */
export function chosenTools(
  tools: readonly ToolSpec[],
  choice: ToolChoice,
): Pick<GatewayRequest, 'tools' | 'needsCall'> {
  if (choice === 'auto') return { tools, needsCall: false };
  if (choice === 'none') return { tools: [], needsCall: false };
  if (choice === 'needed') return { tools, needsCall: tools.length > 0 };
  const tool = tools.find(({ name }) => name === choice.name);
  if (!tool) throw new BadRequest('"tool_choice" names none of the tools.');
  return { tools: [tool], needsCall: true };
}

/** The fields that have a value, under other names. */
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
