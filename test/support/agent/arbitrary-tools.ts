import fc from 'fast-check';
import { isJsonList, isJsonObject, type Json } from '../../../src/base/json';
import type { JsonSchema } from '../../../src/core/words/schema';
import { resolvedSchema, typeOf, typesOf } from '../../../src/core/words/schema-types';
import type { ToolSpec } from '../../../src/core/words/tool';

/** Names that may break something else: from a hostile server, or by chance. */
const HOSTILE = [
  ...[
    '',
    ' ',
    ' a',
    'a b',
    'a.b',
    'a-b',
    '$x',
    '名前',
    'ключ',
    'é',
    '🙂',
    'a\nb',
    '\\',
    '"',
    "'",
    '`',
    '\t',
    '0',
    '1',
  ],
  ...[
    'tool_name',
    'request_id',
    'name',
    'arguments',
    'command',
    'id',
    'path',
    'maid',
    'constructor',
    '__proto__',
  ],
  ...[
    '"\nroot ::= "x',
    '::=',
    '" | "',
    '[^"]',
    '\\"',
    '\\\\',
    '\u0000',
    '\u2028',
    'a"b',
    'a\\nb',
    '#',
    '(',
    '|',
  ],
  ...[
    '「末」',
    '「始」',
    'a:「始」',
    ':',
    ',',
    '//x',
    '<<<[END_TOOL_REQUEST]>>>',
    '</arg_key>',
    '<',
    '>',
    '&lt;',
    '&',
  ],
  ...['</parameter>', '<tool_call>', '</tool_call>', '=', '**', ')', ']', '}', '{', '<|"|>', '<tool_call|>'],
];

const word = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);
const wildText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', ':', '=', '<', '>', '「', '」', '|', ' ', 'a'),
    maxLength: 6,
  }),
);
const name = fc.oneof(word, wildText);

const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.constantFrom<JsonSchema>(
    ...[{ type: 'string' }, { type: 'integer' }, { type: 'number' }, { type: 'boolean' }, { type: 'object' }],
    ...[{ type: ['string', 'null'] }, { type: ['integer', 'boolean'] }, { type: 'array' }, {}],
  ),
  fc
    .uniqueArray(fc.oneof(wildText, fc.integer(), fc.boolean()), { minLength: 1, maxLength: 3 })
    .map((values): JsonSchema => ({ enum: values })),
  wildText.map((value): JsonSchema => ({ const: value })),
);

/** Schemas of the kinds that tools use, slightly nested. */
const schema = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => ({
  object: fc
    .uniqueArray(fc.tuple(name, tie('schema'), fc.boolean()), { maxLength: 3, selector: ([key]) => key })
    .map((all) => objectSchema(all)),
  schema: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    leaf,
    tie('schema').map((items): JsonSchema => ({ type: 'array', items })),
    tie('object'),
    fc.constant<JsonSchema>({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] }),
    tie('schema').map((each): JsonSchema => ({ anyOf: [each, { type: 'null' }] })),
  ),
})).schema;

function objectSchema(all: readonly (readonly [string, JsonSchema, boolean])[]): JsonSchema {
  const required = all.filter(([, , isRequired]) => isRequired).map(([key]) => key);
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(([key, each]) => [key, each])),
    ...(required.length > 0 && { required }),
  };
}

const parameters = fc
  .uniqueArray(fc.tuple(name, schema, fc.boolean()), { maxLength: 4, selector: ([key]) => key })
  .map(objectSchema);

/** Tools with names and arguments of every kind. */
export const arbitraryTools: fc.Arbitrary<readonly ToolSpec[]> = fc.uniqueArray(
  fc.record({ name: fc.oneof(word, word, name), description: fc.constant(''), parameters }),
  { minLength: 1, maxLength: 3, selector: (tool) => tool.name.toLowerCase().replace(/[-_.\s]/g, '') },
);

/** Whether the schema allows a value, as far as grammars enforce it. */
export function matchesSchema(given: JsonSchema, value: Json, whole = given): boolean {
  const own = resolvedSchema(given, whole);
  const named = own.enum ?? (own.const === undefined ? undefined : [own.const]);
  if (named) return named.some((each) => JSON.stringify(each) === JSON.stringify(value));
  const members = own.type === undefined ? (own.anyOf ?? own.oneOf) : undefined;
  if (members) return members.some((each) => matchesSchema(each, value, whole));
  const types = typesOf(own, whole);
  const type = typeOf(value);
  if (types.length > 0 && !types.includes(type) && !(types.includes('integer') && Number.isInteger(value)))
    if (!(type === 'number' && types.includes('number'))) return false;
  if (isJsonList(value)) return value.every((each) => matchesSchema(own.items ?? {}, each, whole));
  if (!isJsonObject(value)) return true;
  const properties = own.properties ?? {};
  return (
    (own.required ?? []).every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(
      ([key, each]) => !Object.hasOwn(properties, key) || matchesSchema(properties[key] ?? {}, each, whole),
    )
  );
}
