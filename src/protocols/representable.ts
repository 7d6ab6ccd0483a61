import { isForbiddenKey, type JsonObject } from '../base/json';
import { CallIds } from '../core/reply/call-ids';
import type { Protocol } from '../core/words/protocol';
import { limitedTo, typesOf, type JsonSchema } from '../core/words/schema';
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
    const values = withValues(all[key] ?? {}, (value) => says([key, value]));
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
function withValues(schema: JsonSchema, says: (value: string) => boolean): JsonSchema | undefined {
  const isSaid = (value: unknown): boolean => typeof value !== 'string' || WORD.test(value) || says(value);
  if (needsForbidden(schema)) return undefined;
  if (schema.const !== undefined) return isSaid(schema.const) ? schema : undefined;
  const unions = (['anyOf', 'oneOf'] as const).filter((each) => schema[each] !== undefined);
  if (unions.length > 0) {
    const members = unions.map(
      (each) => [each, schema[each]?.flatMap((one) => withValues(one, says) ?? [])] as const,
    );
    // If only `null` is left, nothing can be expressed.
    return members.some(([each, left]) => left?.every(isNull) && !schema[each]?.every(isNull))
      ? undefined
      : { ...schema, ...Object.fromEntries(members) };
  }
  if (!schema.enum) return schema;
  const left = schema.enum.filter(isSaid);
  return left.length > 0 ? { ...schema, enum: left } : undefined;
}

function isNull(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  return types.length > 0 && types.every((type) => type === 'null');
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
