import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../../src/base/json';
import type { JsonSchema } from '../../../../src/core/words/schema';
import {
  fieldsOf,
  newItem,
  readFields,
  type ArgumentField,
} from '../../../../src/webview/shared/argument-fields';

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
  // Its current value has another type.
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

  it('leave out empty values unless they are required', () => {
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

  it('keep given empty values until the user changes them', () => {
    const schema: JsonSchema = {
      properties: {
        text,
        list: { type: 'array', items: text },
        group: { type: 'object', properties: { inner: text } },
      },
    };
    const values = { text: '', list: [], group: { inner: '' } };
    const fields = fieldsOf(schema, values);
    deepEqual(readFields(fields), { ok: true, values });
    const emptied = fields.map((field) => ({ ...field, isGiven: false }));
    deepEqual(readFields(emptied), { ok: true, values: { group: { inner: '' } } });
    deepEqual(readFields(fieldsOf(schema, {})), { ok: true, values: {} });
  });

  it('return the values they were built from', () => {
    const schema: JsonSchema = {
      properties: {
        a: edit,
        b: { type: 'array', items: edit },
        c: { type: 'array', items: { type: 'array', items: text } },
        d: { anyOf: [text, { type: 'null' }] },
      },
    };
    const group = fc.record({ old: fc.string(), new: fc.string() });
    const given = fc.record(
      {
        a: group,
        b: fc.array(group),
        c: fc.array(fc.array(fc.string())),
        d: fc.string(),
        e: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(given, (drawn) => {
        // As JSON, which knows no -0.
        const values = JSON.parse(JSON.stringify(drawn)) as JsonObject;
        deepEqual(readFields(fieldsOf(schema, values)), { ok: true, values });
      }),
    );
  });
});
