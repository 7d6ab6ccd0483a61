import { isJsonList, isJsonObject, parseObject, type Json, type JsonObject } from '../../base/json';
import type { JsonSchema } from '../../core/words/schema';
import { alternativesOf, listedValues, resolvedSchema, typesOf } from '../../core/words/schema-types';
import { t } from './l10n';

/** One argument in a form. */
export interface ArgumentField {
  readonly key: string;
  /**
   * `text` is edited as text; `choice` takes one of its options; `group` has a field for each of its own arguments;
   * `list` has one per item; `json` is any other value, as JSON.
   */
  readonly kind: 'text' | 'choice' | 'group' | 'list' | 'json';
  readonly isRequired: boolean;
  /** The arguments contain it unchanged, so it is kept even if it is empty. */
  readonly isGiven: boolean;
  readonly description: string;
  /** The options, as JSON. */
  readonly options: readonly string[];
  /** Content of the field; empty if the argument is omitted. */
  readonly text: string;
  /** Fields inside of a group or a list. */
  readonly fields: readonly ArgumentField[];
  /** For a list: template of a new item. */
  readonly item?: ItemSchema;
}

/** A schema, and the one that the references in it are about. */
interface ItemSchema {
  readonly schema: JsonSchema;
  readonly whole: JsonSchema;
}

/** Arguments from a form or a JSON text, or why there are none. */
export type ReadArguments =
  { readonly ok: true; readonly values: JsonObject } | { readonly ok: false; readonly message: string };

/** Deeper values are edited as JSON. */
const DEEPEST = 4;
/** Longer lists are edited as JSON. */
const LONGEST_LIST = 50;

/** A field for every argument of the schema, and for extra arguments of the call. */
export function fieldsOf(schema: JsonSchema, values: JsonObject): readonly ArgumentField[] {
  return innerFields(resolvedSchema(schema, schema), values, { whole: schema, depth: 0 });
}

function innerFields(
  schema: JsonSchema,
  values: JsonObject,
  { whole, depth }: Pick<Occurrence, 'whole' | 'depth'>,
): readonly ArgumentField[] {
  const properties = schema.properties ?? {};
  const keys = [...new Set([...Object.keys(properties), ...Object.keys(values)])];
  return keys.map((key) => {
    const property = Object.hasOwn(properties, key) ? (properties[key] ?? {}) : {};
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    const isRequired = schema.required?.includes(key) ?? false;
    return fieldOf(key, property, { value, isRequired, whole, depth });
  });
}

/** One more empty item of a list. */
export function newItem({ fields, item = { schema: {}, whole: {} } }: ArgumentField): ArgumentField {
  const { schema, whole } = item;
  return fieldOf(String(fields.length + 1), schema, { value: undefined, isRequired: true, whole, depth: 1 });
}

/**
 * The arguments from a form. An empty field omits its argument, unless the argument was given as empty or is a
 * required text.
 */
export function readFields(fields: readonly ArgumentField[]): ReadArguments {
  const values: Record<string, Json> = {};
  for (const field of fields) {
    if (isLeftOut(field)) continue;
    const read = readField(field);
    if ('message' in read) return { ok: false, message: read.message };
    values[field.key] = read.value;
  }
  return { ok: true, values };
}

export function readText(text: string): ReadArguments {
  const values = parseObject(text);
  if (values) return { ok: true, values };
  return { ok: false, message: t('This is not a JSON object. Check its brackets, quotes and commas.') };
}

interface Occurrence {
  readonly value: Json | undefined;
  readonly isRequired: boolean;
  /** The schema that references are about. */
  readonly whole: JsonSchema;
  readonly depth: number;
}

function fieldOf(key: string, given: JsonSchema, occurrence: Occurrence): ArgumentField {
  const { value, isRequired, whole, depth } = occurrence;
  const own = resolvedSchema(given, whole);
  const schema = onlyOption(own, whole);
  const kind = kindOf(schema, occurrence);
  const description = own.description ?? schema.description ?? '';
  const common = { key, kind, isRequired, isGiven: value !== undefined, description };
  if (kind === 'group') {
    const inner = isJsonObject(value) ? value : {};
    return {
      ...common,
      options: [],
      text: '',
      fields: innerFields(schema, inner, { whole, depth: depth + 1 }),
    };
  }
  if (kind === 'list') {
    const item = schema.items ?? {};
    const items = value !== undefined && isJsonList(value) ? value : [];
    const fields = items.map((each, index) =>
      fieldOf(String(index + 1), item, { value: each, isRequired: true, whole, depth: depth + 1 }),
    );
    return { ...common, options: [], text: '', fields, item: { schema: item, whole } };
  }
  return { ...common, options: optionsOf(schema, whole), text: textOf(kind, value), fields: [] };
}

function textOf(kind: ArgumentField['kind'], value: Json | undefined): string {
  if (value === undefined) return '';
  return kind === 'text' && typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

/** If only one variant other than `null` exists, that one. */
function onlyOption(schema: JsonSchema, whole: JsonSchema): JsonSchema {
  const options = alternativesOf(schema, whole).filter((each) => typesOf(each, whole).join() !== 'null');
  const [option, ...others] = options;
  return option && others.length === 0 ? option : schema;
}

function kindOf(schema: JsonSchema, { value, whole, depth }: Occurrence): ArgumentField['kind'] {
  if (optionsOf(schema, whole).length > 0) return 'choice';
  const types = typesOf(schema, whole).filter((type) => type !== 'null');
  const [type] = types;
  if (types.length === 1 && depth < DEEPEST) {
    const isGroup = type === 'object' && schema.properties !== undefined;
    if (isGroup && (value === undefined || isJsonObject(value))) return 'group';
    const isList = type === 'array' && schema.items !== undefined;
    if (isList && (value === undefined || (isJsonList(value) && value.length <= LONGEST_LIST))) return 'list';
  }
  const isText = types.length > 0 ? types.includes('string') : typeof value === 'string';
  return isText && (value === undefined || typeof value === 'string') ? 'text' : 'json';
}

function optionsOf(schema: JsonSchema, whole: JsonSchema): readonly string[] {
  const values = listedValues(schema);
  if (values) return values.map((value) => JSON.stringify(value));
  return typesOf(schema, whole).join() === 'boolean' ? ['true', 'false'] : [];
}

function isLeftOut(field: ArgumentField): boolean {
  const { kind, isRequired, isGiven } = field;
  const mayBeEmpty = isRequired || isGiven;
  // No other value may be written as nothing.
  const hasEmptyForm = kind === 'text' || kind === 'group' || kind === 'list';
  return isEmpty(field) && !(mayBeEmpty && hasEmptyForm);
}

function isEmpty({ kind, text, fields }: ArgumentField): boolean {
  if (kind === 'group') return fields.every((field) => isEmpty(field) && !field.isGiven);
  return text === '' && fields.length === 0;
}

function readField(field: ArgumentField): { readonly value: Json } | { readonly message: string } {
  const { kind, key, text, fields } = field;
  if (kind === 'text') return { value: text };
  if (kind === 'group') {
    const read = readFields(fields);
    return read.ok ? { value: read.values } : { message: read.message };
  }
  if (kind === 'list') {
    const items: Json[] = [];
    for (const item of fields) {
      const read = readField(item);
      if ('message' in read) return read;
      items.push(read.value);
    }
    return { value: items };
  }
  const value = parseValue(text);
  return value === undefined ? { message: t('"{0}" is not valid JSON.', key) } : { value };
}

function parseValue(text: string): Json | undefined {
  // One reader for all values: each is parsed as the only entry of an object.
  const read = parseObject(`{"value":${text}}`);
  return isJsonObject(read) && Object.keys(read).length === 1 ? read['value'] : undefined;
}
