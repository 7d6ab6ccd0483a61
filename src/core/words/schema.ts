import type { Json } from '../../base/json';

/** The part of JSON Schema (draft 7) that tool parameters use. Unknown keywords are kept and shown, not checked. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  /** Refers to a part of the whole schema: `#/$defs/node`. */
  readonly $ref?: string;
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
  const { properties, items, anyOf, oneOf } = schema;
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword, value]) => !isDropped(keyword, value))),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inner(each)])),
    }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
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
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
        return [
          [keyword, Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inner(each)]))],
        ];
      case 'additionalProperties':
        return [[keyword, typeof value === 'boolean' ? value : inner(value)]];
      case 'description':
      case 'format':
        return isText(value) ? [[keyword, value]] : [];
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

/** What other languages call the types of JSON, with or without item types: `list[str]`, `Dict`. */
const TYPE_NAMES: readonly (readonly [type: string, names: RegExp])[] = [
  ['array', /^(?:array|list|tuple|set|sequence|vector)\b|\[\]$/],
  ['object', /^(?:object|dict|dictionary|map|mapping|record|struct)\b/],
  ['integer', /^(?:integer|u?int(?:8|16|32|64)?|long|short|byte|bigint)\b/],
  ['number', /^(?:number|num|float(?:32|64)?|double|decimal|real)\b/],
  ['boolean', /^bool(?:ean)?\b/],
  ['string', /^(?:string|str|text|char|varchar)\b/],
  ['null', /^(?:null|none|nil)\b/],
];

/** The JSON type that a schema means; `undefined` if it allows anything (`any`) or is unknown. */
function typeNamed(written: string): string | undefined {
  const name = written.trim().toLowerCase();
  return TYPE_NAMES.find(([, names]) => names.test(name))?.[0];
}

/** The JSON types a value may have; empty if the schema allows any. */
export function typesOf(schema: JsonSchema): readonly string[] {
  if (schema.type !== undefined) {
    const names = typeof schema.type === 'string' ? [schema.type] : schema.type;
    const types = names.map(typeNamed);
    return types.every((type) => type !== undefined) ? types : [];
  }
  const members = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(typesOf);
  // If one member allows anything, the union does.
  if (members.some((types) => types.length === 0)) return [];
  if (members.length > 0) return [...new Set(members.flat())];
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return [...new Set(values.map(typeOf))];
}

/** JSON Schema's name for the type of a value. */
export function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Maximum length of a chain of references. */
const MOST_REFERENCES = 8;

/** A schema, or the schema that it refers to. */
export function dereferenced(schema: JsonSchema, whole: JsonSchema): JsonSchema {
  let found = schema;
  for (let count = 0; found.$ref !== undefined && count < MOST_REFERENCES; count++)
    // A value that is not a schema is treated as one, with its unknown keywords ignored.
    found = pointedAt(whole, found.$ref) ?? {};
  return found.$ref === undefined ? found : {};
}

/** The part of a schema that a reference like `#/$defs/node` means. */
export function pointedAt(whole: object, reference: string): object | undefined {
  // Schemas of servers are not checked.
  if (typeof reference !== 'string' || (reference !== '#' && !reference.startsWith('#/'))) return undefined;
  let found: unknown = whole;
  for (const step of reference.split('/').slice(1)) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return typeof found === 'object' && found !== null ? found : undefined;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch (error) {
    if (error instanceof URIError) return step;
    throw error;
  }
}
