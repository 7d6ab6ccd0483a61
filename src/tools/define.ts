import * as z from 'zod';
import type { JsonObject } from '../base/json';
import { unexplained, withoutBounds, withoutDefaults, type JsonSchema } from '../core/words/schema';
import {
  ToolError,
  type Caller,
  type Effect,
  type PreparedCall,
  type Tool,
  type ToolOrigin,
  type XmlSchema,
} from '../core/words/tool';

interface Unshown {
  readonly arguments: readonly string[];
  readonly required: readonly string[];
}

interface ToolDefinition<Input extends z.ZodObject> {
  readonly toolset: string;
  /** camelCase; the wire name is the same in snake_case. */
  readonly method: string;
  /** For people who pick it from a list: a title (made from the method if not given) and one line. */
  readonly displayName?: string;
  readonly userDescription?: string;
  /** For the model: what the tool does, when to use it and when not. */
  readonly description: string | (() => string);
  /** The description in a few words, for the list of tools on demand. */
  readonly summary?: string;
  /** Most tasks need it. Models always see its description and the names and types of its arguments. */
  readonly isCore?: true;
  /** Arguments that are accepted but not shown, and the required arguments of the form that is shown. */
  readonly unshown?: () => Unshown | undefined;
  readonly effect: Effect;
  /** `true` if not given. */
  readonly agentCallable?: boolean;
  readonly whyNotOffered?: string;
  /** Built in if not given. */
  readonly origin?: ToolOrigin;
  readonly timeoutMs?: number | 'none';
  readonly vcpCommand?: string;
  /** Arguments of a typical call, for prompts. Made from the schema if not given. */
  readonly example?: z.input<Input> & JsonObject;
  readonly xmlSchema?: XmlSchema;
  /** The arguments. A function, because building a schema is too slow for activation. */
  readonly input: () => Input;
  /** Throws `ToolError` for impossible arguments or places. Changes nothing. */
  readonly prepare: (input: z.output<Input>, signal: AbortSignal, caller: Caller) => Promise<PreparedCall>;
}

/** The caller of calls outside any history. */
const anyone: Caller = {};

/** Makes a tool from one schema, which gives the JSON Schema for the model, the check and the type. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { toolset, method, effect, description, timeoutMs, vcpCommand, example, xmlSchema } = definition;
  const { summary } = definition;
  const name = snakeCase(method);
  const input = once(definition.input);
  const parameters = once(() => jsonSchema(input()));
  const shown = eachOnce(definition.unshown ?? nothing, (unshown) => {
    const asked = withoutDefaults(withoutBounds(unshown ? without(parameters(), unshown) : parameters()));
    return definition.isCore ? unexplained(asked) : asked;
  });
  return {
    spec: {
      name,
      qualifiedName: `${toolset}_${method}`,
      ...(summary !== undefined && { summary }),
      ...(vcpCommand !== undefined && { vcpCommand }),
      ...(example && { example }),
      ...(xmlSchema && { xmlSchema }),
      get description() {
        return typeof description === 'string' ? description : description();
      },
      get parameters() {
        return parameters();
      },
      get shown() {
        return shown();
      },
    },
    toolset,
    method,
    effect,
    ...(definition.displayName !== undefined && { displayName: definition.displayName }),
    ...(definition.userDescription !== undefined && { userDescription: definition.userDescription }),
    agentCallable: definition.agentCallable ?? true,
    ...(definition.isCore && { isCore: true }),
    ...(definition.whyNotOffered !== undefined && { whyNotOffered: definition.whyNotOffered }),
    ...(definition.origin && { origin: definition.origin }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    prepare: async (given, signal, caller = anyone) =>
      definition.prepare(check(name, input(), given), signal, caller),
  };
}

function check<Input extends z.ZodObject>(name: string, input: Input, given: JsonObject): z.output<Input> {
  const checked = input.safeParse(given);
  if (checked.success) return checked.data;
  const problems = z
    .prettifyError(checked.error)
    .replace(/^✖ (?:Invalid input: )?/gm, '')
    .replace(/\n\s*→ at /g, ' at ')
    .replaceAll('\n', '; ');
  throw new ToolError(`Wrong arguments: ${problems}. Correct them and call ${name} again.`);
}

function without(
  { properties = {}, ...schema }: JsonSchema,
  { arguments: names, required }: Unshown,
): JsonSchema {
  const kept = Object.entries(properties).filter(([name]) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(kept), required };
}

function jsonSchema(input: z.ZodObject): JsonSchema {
  const schema = z.toJSONSchema(input, { io: 'input', target: 'draft-7', override: dropSafeRange });
  delete schema.$schema;
  // SAFETY: draft 7 as zod writes it has the shape of JsonSchema; the definitions hold nothing but JSON.
  return schema as JsonSchema;
}

/** Zod writes the range of safe integers into every schema; models do not need it. */
function dropSafeRange({ jsonSchema: schema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

function snakeCase(method: string): string {
  return method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function nothing(): undefined {
  return undefined;
}

/** Builds a value for a key, which is asked for at each call, and keeps the last value. */
function eachOnce<T extends object, K>(ask: () => K, build: (key: K) => T): () => T {
  let last: { readonly key: K; readonly built: T } | undefined;
  return () => {
    const key = ask();
    if (!last || last.key !== key) last = { key, built: build(key) };
    return last.built;
  };
}

function once<T extends object>(build: () => T): () => T {
  let built: T | undefined;
  return () => (built ??= build());
}
