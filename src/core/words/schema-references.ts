import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json';
import { visibleText } from '../../base/text';
import { pointedAt } from './schema-types';

export interface SchemaLimits {
  readonly mcpSchemaBytes: number;
  readonly mcpSchemaDepth: number;
  readonly mcpSchemaNodes: number;
}

/**
 * A schema with references resolved in place (only internal ones: none is ever fetched), and with hidden characters of
 * its prose made visible; nothing if it is too large with all that it refers to.
 */
export function withoutReferences(given: JsonObject, limits: SchemaLimits): JsonObject | undefined {
  const references = new References(given, limits);
  const schema = references.putIn(given);
  return references.isTooLarge ? undefined : schema;
}

/** Prose for people. Hidden characters in it are made visible; everything else is sent back unchanged. */
export const PROSE = new Set(['description', 'title', '$comment']);

/** Resolves a reference in place. A circular reference, or one past the limits, allows anything. */
class References {
  private nodes = 0;
  private bytes = 0;

  constructor(
    private readonly root: JsonObject,
    private readonly limits: SchemaLimits,
  ) {}

  get isTooLarge(): boolean {
    return this.bytes > 2 * this.limits.mcpSchemaBytes;
  }

  putIn(schema: JsonObject, followed: readonly string[] = []): JsonObject {
    if (++this.nodes > this.limits.mcpSchemaNodes || this.isTooLarge) return {};
    this.bytes += ownSize(schema);
    const { $ref: reference, $defs: _, definitions: __, ...rest } = schema;
    const own = withVisibleProse(mapSubschemas(rest, (inner) => this.putIn(inner, followed)));
    if (typeof reference !== 'string') return own;
    const target = pointedAt(this.root, reference);
    const isEndless = followed.includes(reference) || followed.length >= this.limits.mcpSchemaDepth;
    if (!isJsonObject(target) || isEndless) return own;
    return { ...this.putIn(target, [...followed, reference]), ...own };
  }
}

/** Size of its names, texts and lists, without nested schemas. */
function ownSize(schema: JsonObject): number {
  let size = 0;
  for (const [key, value] of Object.entries(schema)) {
    size += key.length;
    if (typeof value === 'string') size += value.length;
    else if (isJsonList(value))
      size += value.reduce((sum: number, each) => sum + (typeof each === 'string' ? each.length : 4), 0);
    else if (isJsonObject(value)) size += Object.keys(value).reduce((sum, name) => sum + name.length, 0);
  }
  return size;
}

function withVisibleProse(schema: JsonObject): JsonObject {
  const drawn = Object.entries(schema).map(([key, value]) =>
    PROSE.has(key) && typeof value === 'string' ? [key, visibleText(value)] : [key, value],
  );
  return Object.fromEntries(drawn) as JsonObject;
}

/** Keywords whose values are schemas by name: names in there are not keywords. */
const BY_NAME = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Keywords whose values are data. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired']);

/** The schema with each direct subschema replaced. */
export function mapSubschemas(schema: JsonObject, change: (inner: JsonObject) => Json): JsonObject {
  const changed = (value: Json): Json => {
    if (isJsonList(value)) return value.map(changed);
    return isJsonObject(value) ? change(value) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (DATA.has(keyword)) return [keyword, value];
      if (!BY_NAME.has(keyword) || !isJsonObject(value)) return [keyword, changed(value)];
      const named = Object.entries(value).map(([name, each]) => [name, changed(each)] as const);
      return [keyword, Object.fromEntries(named)];
    }),
  );
}
