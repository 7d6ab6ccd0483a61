import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject } from '../../../src/base/json';
import type { JsonSchema } from '../../../src/core/schema';
import {
  fieldsOf,
  newItem,
  readFields,
  type ArgumentField,
} from '../../../src/webview/shared/argument-fields';

const text: JsonSchema = { type: 'string' };
const edit: JsonSchema = { type: 'object', properties: { old: text, new: text }, required: ['old', 'new'] };

/** What kind of field a schema gets. */
const kinds: readonly { readonly schema: JsonSchema; readonly value?: Json; readonly kind: string }[] = [
  { schema: text, kind: 'text' },
  { schema: { type: 'integer' }, kind: 'json' },
  { schema: { type: 'boolean' }, kind: 'choice' },
  { schema: { enum: ['a', 1] }, kind: 'choice' },
  { schema: edit, kind: 'group' },
  { schema: { type: 'array', items: edit }, kind: 'list' },
  { schema: { anyOf: [edit, { type: 'null' }] }, kind: 'group' },
  { schema: { oneOf: [{ type: 'array', items: text }, { type: 'null' }] }, kind: 'list' },
  { schema: { type: ['string', 'null'] }, kind: 'text' },
  { schema: { anyOf: [edit, { type: 'array', items: edit }] }, kind: 'json' },
  { schema: { type: 'object' }, kind: 'json' },
  { schema: { type: 'array' }, kind: 'json' },
  { schema: {}, kind: 'json' },
  // What stands in it has another form.
  { schema: edit, value: 'x', kind: 'json' },
  { schema: edit, value: null, kind: 'json' },
  { schema: { type: 'array', items: text }, value: { a: 1 }, kind: 'json' },
  { schema: text, value: 1, kind: 'json' },
];

describe('argument fields', () => {
  for (const { schema, value, kind } of kinds) {
    const given = value === undefined ? '' : ` with ${JSON.stringify(value)}`;
    it(`are of the kind ${kind} for ${JSON.stringify(schema)}${given}`, () => {
      const [field] = fieldsOf({ properties: { a: schema } }, value === undefined ? {} : { a: value });
      equal(field?.kind, kind);
    });
  }

  it('leave out what is empty, unless it has to be there', () => {
    const schema: JsonSchema = {
      properties: {
        needed: text,
        free: text,
        group: edit,
        neededGroup: edit,
        list: { type: 'array', items: text },
        neededList: { type: 'array', items: text },
      },
      required: ['needed', 'neededGroup', 'neededList'],
    };
    deepEqual(readFields(fieldsOf(schema, {})), {
      ok: true,
      values: { needed: '', neededGroup: { old: '', new: '' }, neededList: [] },
    });
  });

  it('add an item that looks like the others', () => {
    const [list] = fieldsOf(
      { properties: { edits: { type: 'array', items: edit } } },
      {
        edits: [{ old: 'a', new: 'b' }],
      },
    );
    const added: ArgumentField = newItem(list ?? ({} as ArgumentField));
    equal(added.key, '2');
    deepEqual(
      added.fields.map(({ key, kind }) => [key, kind]),
      [
        ['old', 'text'],
        ['new', 'text'],
      ],
    );
  });

  it('name the innermost field whose JSON is wrong', () => {
    const schema: JsonSchema = {
      properties: { a: { type: 'object', properties: { b: { type: 'integer' } } } },
    };
    const [group] = fieldsOf(schema, { a: { b: 1 } });
    const wrong = {
      ...group,
      fields: group?.fields.map((field) => ({ ...field, text: '{' })),
    } as ArgumentField;
    deepEqual(readFields([wrong]), { ok: false, message: '"b" is not valid JSON.' });
  });

  it('give back the values that they were made of', () => {
    const schema: JsonSchema = {
      properties: {
        a: edit,
        b: { type: 'array', items: edit },
        c: { type: 'array', items: { type: 'array', items: text } },
        d: { anyOf: [text, { type: 'null' }] },
      },
    };
    const value = fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      fc.array(fc.record({ old: fc.string(), new: fc.string() })),
      fc.record({ old: fc.string(), new: fc.string(), more: fc.jsonValue() }),
    );
    const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    fc.assert(
      fc.property(fc.dictionary(keys, value), (given) => {
        // As JSON: it knows no -0.
        const values: unknown = JSON.parse(JSON.stringify(given));
        if (!isJsonObject(values)) return;
        const read = readFields(fieldsOf(schema, values));
        deepEqual(read.ok && read.values, withoutEmpty(values));
      }),
    );
  });
});

/** A field that may be left out and is empty says nothing. */
function withoutEmpty(values: JsonObject): JsonObject {
  const isEmpty = (key: string, value: Json): boolean =>
    ('abc'.includes(key) && Array.isArray(value) && value.length === 0 && key !== 'a') ||
    (key === 'd' && value === '') ||
    (key === 'e' && value === '') ||
    (key === 'a' && isJsonObject(value) && isEmptyGroup(value));
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => !isEmpty(key, value)));
}

function isEmptyGroup(value: JsonObject): boolean {
  return Object.values(value).every((each) => each === '');
}
