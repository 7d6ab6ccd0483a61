import type { Json } from '../../base/json';
import { wellFormedSchema, type JsonSchema } from './schema';

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

/** JSON Schema's name for the type of a value. */
export function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * The JSON types a value may have; empty if the schema allows any. `whole` is the schema that references in it are
 * about.
 */
export function typesOf(schema: JsonSchema, whole: JsonSchema): readonly string[] {
  return new Resolver(whole).types(schema);
}

/**
 * A schema with what it refers to and all members of its `allOf` in one, and null among its types, members or values
 * where `nullable` allows it. Its parts (properties, items, members of a union) are as written.
 */
export function resolvedSchema(schema: JsonSchema, whole: JsonSchema): JsonSchema {
  return new Resolver(whole).resolve(schema);
}

/** The resolved schemas of which a value has to match one: the members of a union, or the schema alone. */
export function alternativesOf(schema: JsonSchema, whole: JsonSchema): readonly JsonSchema[] {
  return new Resolver(whole).alternatives(schema);
}

/** The members of a union; empty for any other schema. One with a type of its own is not a union. */
export function unionOf({ type, anyOf = [], oneOf = [] }: JsonSchema): readonly JsonSchema[] {
  return type === undefined ? [...anyOf, ...oneOf] : [];
}

/** The values that a schema lists, if it does. */
export function listedValues(schema: JsonSchema): readonly Json[] | undefined {
  return schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
}

/** Maximum number of schemas behind one: hostile references multiply. The rest allows anything. */
const MOST_SCHEMAS = 64;

class Resolver {
  private left = MOST_SCHEMAS;

  constructor(private readonly whole: JsonSchema) {}

  types(schema: JsonSchema): readonly string[] {
    const all = this.alternatives(schema).map(ownTypes);
    // If one alternative allows anything, the union does.
    return all.some((types) => types.length === 0) ? [] : [...new Set(all.flat())];
  }

  alternatives(schema: JsonSchema, followed: readonly string[] = []): readonly JsonSchema[] {
    const { $ref: reference } = schema;
    if (reference !== undefined && followed.includes(reference)) return [];
    const references = reference === undefined ? followed : [...followed, reference];
    const found = this.resolve(schema, followed);
    const members = unionOf(found);
    return members.length === 0 ? [found] : members.flatMap((each) => this.alternatives(each, references));
  }

  resolve(schema: JsonSchema, followed: readonly string[] = []): JsonSchema {
    const { $ref: reference, allOf = [], nullable, ...own } = schema;
    if (--this.left < 0) return {};
    const parts = [
      ...this.referred(reference, followed),
      ...allOf.map((each) => this.resolve(each, followed)),
    ];
    const all = [...parts, own].reduce((one, other) => this.both(one, other));
    return withNull(all, nullable === true);
  }

  /** Nothing if the reference leads nowhere or to itself. */
  private referred(reference: string | undefined, followed: readonly string[]): readonly JsonSchema[] {
    if (reference === undefined || followed.includes(reference)) return [];
    const target = pointedAt(this.whole, reference);
    // Anything can be referred to; schemas were checked with the whole.
    const schema = target && !SCHEMA_PATH.test(reference) ? wellFormedSchema(target) : (target ?? {});
    return [this.resolve(schema, [...followed, reference])];
  }

  /** What allows only what both allow, as far as readers of schemas look. */
  private both(one: JsonSchema, other: JsonSchema): JsonSchema {
    if (Object.keys(one).length === 0) return other;
    const types = commonTypes(this.types(one), this.types(other));
    const union = [one, other].find((each) => unionOf(each).length > 0);
    const beside = union === one ? other : one;
    // A type beside a union that allows no other type says nothing.
    const isUnion =
      union !== undefined && !PARTS.some((part) => part in beside) && unionOf(beside).length === 0;
    const { type: _, ...merged } = { ...one, ...other, ...bounds(one, other) };
    const values = commonValues(listedValues(one), listedValues(other));
    return {
      ...merged,
      ...(types.length > 0 && !(isUnion && isSame(types, this.types(union))) && { type: types }),
      ...(values && { enum: values }),
      ...(one.properties && other.properties && { properties: byName(one.properties, other.properties) }),
      ...(one.items && other.items && { items: { allOf: members(one.items, other.items) } }),
      ...(one.required && other.required && { required: [...new Set([...one.required, ...other.required])] }),
    };
  }
}

/** Where the parts of a schema are schemas. */
const SCHEMA_PATH = /^#(?:\/(?:\$defs|definitions|properties)\/[^/]+|\/items|\/(?:anyOf|oneOf|allOf)\/\d+)*$/;

/** Of a resolved schema that is not a union. */
function ownTypes(schema: JsonSchema): readonly string[] {
  const { type, properties, items } = schema;
  if (type !== undefined) {
    const types = (typeof type === 'string' ? [type] : type).map(typeNamed);
    return types.every((each) => each !== undefined) ? [...new Set(types)] : [];
  }
  const values = listedValues(schema);
  if (values) return [...new Set(values.map(typeOf))];
  // Authors who name the parts of a value mean no other.
  if (properties) return ['object'];
  return items ? ['array'] : [];
}

/** Keywords that say more than a type. */
const PARTS = ['properties', 'items', 'enum', 'const'];

/** If nothing is left, the schemas contradict each other, and nothing can be said. */
function commonTypes(some: readonly string[], others: readonly string[]): readonly string[] {
  if (some.length === 0 || others.length === 0) return [...some, ...others];
  const isIn = (type: string, types: readonly string[]): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  return [
    ...some.filter((type) => isIn(type, others)),
    ...others.filter((type) => !some.includes(type) && isIn(type, some)),
  ];
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((type) => others.includes(type));
}

function commonValues(
  some: readonly Json[] | undefined,
  others: readonly Json[] | undefined,
): readonly Json[] | undefined {
  if (!some || !others) return undefined;
  const texts = new Set(others.map((each) => JSON.stringify(each)));
  return some.filter((each) => texts.has(JSON.stringify(each)));
}

type Properties = NonNullable<JsonSchema['properties']>;

function byName(some: Properties, others: Properties): Properties {
  const shared = Object.entries(others).flatMap(([key, other]) => {
    const one = Object.hasOwn(some, key) ? some[key] : undefined;
    return one ? [[key, { allOf: members(one, other) }] as const] : [];
  });
  return { ...some, ...others, ...Object.fromEntries(shared) };
}

/** Flat and without repetitions, so that what recursive schemas have in common does not grow. */
function members(...schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  const flat = schemas.flatMap((each) => {
    const isList = each.allOf !== undefined && Object.keys(each).length === 1;
    return isList ? (each.allOf ?? []) : [each];
  });
  return [...new Map(flat.map((each) => [JSON.stringify(each), each])).values()];
}

const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;

function bounds(one: JsonSchema, other: JsonSchema): JsonSchema {
  const least = LEAST.flatMap((name) => {
    const [first, second] = [one[name], other[name]];
    return first === undefined || second === undefined ? [] : [[name, Math.max(first, second)] as const];
  });
  return {
    ...Object.fromEntries(least),
    ...(one.maximum !== undefined &&
      other.maximum !== undefined && { maximum: Math.min(one.maximum, other.maximum) }),
  };
}

/** A listed null is meant, even if the type beside it does not name it. */
function withNull(schema: JsonSchema, isNullable: boolean): JsonSchema {
  const values = listedValues(schema);
  if (!isNullable && !values?.includes(null)) return schema;
  const { const: _, type, anyOf, oneOf, ...others } = schema;
  const types = typeof type === 'string' ? [type] : type;
  return {
    ...others,
    ...(types && { type: [...new Set([...types, 'null'])] }),
    ...(anyOf && { anyOf: [...anyOf, NULL] }),
    ...(oneOf && { oneOf: [...oneOf, NULL] }),
    ...(values && { enum: [...new Set([...values, null])] }),
  };
}

const NULL: JsonSchema = { type: 'null' };

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
