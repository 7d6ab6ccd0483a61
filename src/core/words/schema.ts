import type { Json } from '../../base/json';

/** The part of JSON Schema (draft 7) that tool parameters use. Unknown keywords are kept and shown, not checked. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  /** Refers to a part of the whole schema: `#/$defs/node`. */
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly description?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly default?: Json;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  /** Of OpenAPI: allows null, too. */
  readonly nullable?: boolean;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
}

/** Maximum depth to look into a schema. */
const DEEPEST = 32;

/** Keywords that limit a value. A call that violates one gets an error; models do not choose arguments by them. */
const BOUNDS: ReadonlySet<string> = new Set([
  ...['$schema', 'title', 'additionalProperties', 'pattern', 'multipleOf', 'uniqueItems'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

/** A schema without its limits, as shown to models. */
export function withoutBounds(schema: JsonSchema): JsonSchema {
  return stripped(schema, (keyword, value) => {
    // With an object as its value, `additionalProperties` describes arguments.
    return BOUNDS.has(keyword) && !(keyword === 'additionalProperties' && typeof value === 'object');
  });
}

/** A schema without its explanations: names and types have to suffice. */
export function unexplained(schema: JsonSchema): JsonSchema {
  return stripped(schema, (keyword) => keyword === 'description');
}

/** A schema without its `default` values. */
export function withoutDefaults(schema: JsonSchema): JsonSchema {
  return stripped(schema, (keyword) => keyword === 'default');
}

function stripped(schema: JsonSchema, isDropped: (keyword: string, value: unknown) => boolean): JsonSchema {
  const inner = (each: JsonSchema): JsonSchema => stripped(each, isDropped);
  const { properties, items, anyOf, oneOf, allOf } = schema;
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword, value]) => !isDropped(keyword, value))),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inner(each)])),
    }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
    ...(allOf && { allOf: allOf.map(inner) }),
  };
}

/** A schema's arguments in the one form that is shown, with all checks of the schema. */
export function limitedTo(schema: JsonSchema, shown: JsonSchema): JsonSchema {
  const names = Object.keys(shown.properties ?? {});
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => names.includes(name));
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    ...(shown.required && { required: shown.required }),
  };
}

/** A third-party schema, without parts that are not valid JSON Schema. */
export function wellFormedSchema(given: unknown, depth = 0): JsonSchema {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || depth > DEEPEST) return {};
  const inner = (value: unknown): JsonSchema => wellFormedSchema(value, depth + 1);
  const kept = Object.entries(given).flatMap(([keyword, value]: [string, unknown]): [string, unknown][] => {
    switch (keyword) {
      case 'type':
        return isText(value) || isListOf(value, isText) ? [[keyword, value]] : [];
      case 'required':
        return isListOf(value, isText) ? [[keyword, value]] : [];
      case 'enum':
        return Array.isArray(value) ? [[keyword, value]] : [];
      case 'anyOf':
      case 'oneOf':
      case 'allOf':
        return Array.isArray(value) ? [[keyword, value.map(inner)]] : [];
      case 'items':
        return [[keyword, inner(value)]];
      case 'properties':
      case '$defs':
      case 'definitions':
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
        return [
          [keyword, Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inner(each)]))],
        ];
      case 'additionalProperties':
        return [[keyword, typeof value === 'boolean' ? value : inner(value)]];
      case 'description':
      case 'format':
      case '$ref':
        return isText(value) ? [[keyword, value]] : [];
      case 'nullable':
        return typeof value === 'boolean' ? [[keyword, value]] : [];
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        // In draft 4 they are booleans that modify another number.
        return typeof value === 'number' ? [[keyword, value]] : [];
      default:
        return [[keyword, value]];
    }
  });
  return Object.fromEntries(kept);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf(value: unknown, fits: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits);
}
