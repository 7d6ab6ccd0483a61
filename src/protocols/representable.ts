import { isForbiddenKey, type JsonObject } from '../base/json';
import { CallIds } from '../core/reply/call-ids';
import type { Protocol } from '../core/words/protocol';
import { limitedTo, type JsonSchema } from '../core/words/schema';
import { listedValues, resolvedSchema, typesOf, unionOf } from '../core/words/schema-types';
import type { ToolSpec } from '../core/words/tool';

/** What calls over a protocol can express of a tool. */
export interface Representable {
  /** The tool without optional parts that calls cannot express. */
  readonly tool: ToolSpec;
  /** A required name that calls cannot express: an argument's, or the tool's. */
  readonly lacks?: string;
}

/**
 * Writes calls and reads them back, so that no separate list can disagree with writer and reader. Each tool is examined
 * once.
 */
export function representableOver(
  protocol: Pick<Protocol, 'renderReply' | 'createParser'>,
): (tool: ToolSpec) => Representable {
  const known = new WeakMap<ToolSpec, Representable>();
  return (tool) => {
    const found = known.get(tool) ?? representableOf(tool, (spec, args) => isReadBack(protocol, spec, args));
    known.set(tool, found);
    return found;
  };
}

type IsReadBack = (tool: ToolSpec, args: JsonObject) => boolean;

function representableOf(tool: ToolSpec, isReadBack: IsReadBack): Representable {
  const { name, shown } = tool;
  const parameters = shown ? limitedTo(tool.parameters, shown) : tool.parameters;
  const { properties = {}, required = [] } = parameters;
  // Required arguments count, described or not.
  const all = { ...Object.fromEntries(required.map((key) => [key, {}])), ...properties };
  const keys = [...new Set([...Object.keys(properties), ...required])];
  const texts = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]));
  const plain: ToolSpec = { name, description: '', parameters: { type: 'object', properties: texts } };
  const says = (...given: readonly (readonly [string, string])[]): boolean =>
    isReadBack(plain, Object.fromEntries(given));
  const isWhole = says(...keys.map((key) => [key, 'x'] as const));
  if (!isWhole && !says()) return { tool, lacks: name };
  const representable = keys.flatMap((key): [string, JsonSchema][] => {
    // An odd name may be readable beside another argument, but not alone.
    if (!(isWhole && WORD.test(key)) && !says([key, 'x'])) return [];
    const values = withValues(all[key] ?? {}, parameters, (value) => says([key, value]));
    return values ? [[key, values]] : [];
  });
  const written = Object.fromEntries(representable);
  const lacks = required.find((key) => !Object.hasOwn(written, key));
  // A schema that names no arguments takes none.
  const isClosed = representable.length === 0 && parameters.additionalProperties === undefined;
  const open = { ...parameters, properties: written };
  return {
    tool: { ...tool, parameters: isClosed ? { ...open, additionalProperties: false } : open },
    ...(lacks !== undefined && { lacks }),
  };
}

/** The schema with only those listed texts that calls can express; `undefined` if none is left. */
function withValues(
  given: JsonSchema,
  whole: JsonSchema,
  says: (value: string) => boolean,
): JsonSchema | undefined {
  const isSaid = (value: unknown): boolean => typeof value !== 'string' || WORD.test(value) || says(value);
  const schema = resolvedSchema(given, whole);
  if (needsForbidden(schema)) return undefined;
  const members = unionOf(schema);
  if (members.length > 0) {
    const kept = members.flatMap((each) => withValues(each, whole, says) ?? []);
    // If only `null` is left, nothing can be expressed.
    if (kept.every((each) => isNull(each, whole)) && !members.every((each) => isNull(each, whole)))
      return undefined;
    if (isEqual(kept, members)) return given;
    const { anyOf: _, oneOf: __, ...others } = schema;
    return { ...others, anyOf: kept };
  }
  const values = listedValues(schema);
  const kept = values?.filter(isSaid);
  if (!values || values.length === kept?.length) return given;
  const { const: _, ...others } = schema;
  return kept && kept.length > 0 ? { ...others, enum: kept } : undefined;
}

function isEqual(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((each, at) => each === others[at]);
}

function isNull(schema: JsonSchema, whole: JsonSchema): boolean {
  return typesOf(schema, whole).join() === 'null';
}

/** Whether an object in a value may require a key that is always refused. */
function needsForbidden({
  required = [],
  properties = {},
  items,
  anyOf = [],
  oneOf = [],
}: JsonSchema): boolean {
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...oneOf];
  return required.some(isForbiddenKey) || inner.some(needsForbidden);
}

/** Every protocol reads it back as a value. */
const WORD = /^\w[\w.-]*$/;

function isReadBack(
  { renderReply, createParser }: Pick<Protocol, 'renderReply' | 'createParser'>,
  tool: ToolSpec,
  args: JsonObject,
): boolean {
  const parser = createParser({ tools: [tool], ids: new CallIds() });
  const call = { id: '', name: tool.name, arguments: args };
  const deltas = renderReply([{ type: 'call', call }]);
  const events = [...deltas.flatMap((delta) => parser.push(delta)), ...parser.end('stop')];
  const ends = events.filter(({ type }) => type === 'call-end' || type === 'malformed');
  const [end] = ends;
  return (
    ends.length === 1 &&
    end?.type === 'call-end' &&
    end.call.mark === 'clean' &&
    end.call.name === tool.name &&
    JSON.stringify(end.call.arguments) === JSON.stringify(args)
  );
}
