import { isJsonObject, parseObject, type Json, type JsonObject } from '../../base/json';
import { typesOf, type JsonSchema } from '../../core/schema';
import { t } from './l10n';

/** One argument in a form. */
export interface ArgumentField {
  readonly key: string;
  /** `text` is what the field holds; `choice` takes one of its options; `json` is any other value, as JSON. */
  readonly kind: 'text' | 'choice' | 'json';
  readonly isRequired: boolean;
  readonly description: string;
  /** The values to choose from, as JSON. */
  readonly options: readonly string[];
  /** What stands in it; empty where the argument is left out. */
  readonly text: string;
}

/** What a form or a JSON text stands for, or why it stands for nothing. */
export type ReadArguments =
  { readonly ok: true; readonly values: JsonObject } | { readonly ok: false; readonly message: string };

/** A field for every argument of the schema, and for those that the call has besides. */
export function fieldsOf(schema: JsonSchema, values: JsonObject): readonly ArgumentField[] {
  const properties = schema.properties ?? {};
  const keys = [...new Set([...Object.keys(properties), ...Object.keys(values)])];
  return keys.map((key) => {
    const property = Object.hasOwn(properties, key) ? (properties[key] ?? {}) : {};
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    const kind = kindOf(property, value);
    return {
      key,
      kind,
      isRequired: schema.required?.includes(key) ?? false,
      description: property.description ?? '',
      options: optionsOf(property),
      text:
        value === undefined
          ? ''
          : kind === 'text' && typeof value === 'string'
            ? value
            : JSON.stringify(value, undefined, 2),
    };
  });
}

/** The arguments that a form holds. An empty field leaves its argument out, unless it is a text that must be there. */
export function readFields(fields: readonly ArgumentField[]): ReadArguments {
  const values: Record<string, Json> = {};
  for (const { key, kind, isRequired, text } of fields) {
    if (text === '' && !(isRequired && kind === 'text')) continue;
    const value = kind === 'text' ? text : parseValue(text);
    if (value === undefined) return { ok: false, message: t('"{0}" is not valid JSON.', key) };
    values[key] = value;
  }
  return { ok: true, values };
}

export function readText(text: string): ReadArguments {
  const values = parseObject(text);
  if (values) return { ok: true, values };
  return { ok: false, message: t('This is not a JSON object. Check its brackets, quotes and commas.') };
}

function kindOf(schema: JsonSchema, value: Json | undefined): ArgumentField['kind'] {
  if (optionsOf(schema).length > 0) return 'choice';
  const types = typesOf(schema);
  const isText = types.length > 0 ? types.includes('string') : typeof value === 'string';
  return isText && (value === undefined || typeof value === 'string') ? 'text' : 'json';
}

function optionsOf(schema: JsonSchema): readonly string[] {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value));
  return typesOf(schema).join() === 'boolean' ? ['true', 'false'] : [];
}

function parseValue(text: string): Json | undefined {
  // One reader for all: a value is an object's only entry.
  const read = parseObject(`{"value":${text}}`);
  return isJsonObject(read) && Object.keys(read).length === 1 ? read['value'] : undefined;
}
