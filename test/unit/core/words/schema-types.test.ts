import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Json, JsonObject } from '../../../../src/base/json';
import { bindArguments } from '../../../../src/core/run/bind';
import { wellFormedSchema, type JsonSchema } from '../../../../src/core/words/schema';
import { resolvedSchema, typesOf } from '../../../../src/core/words/schema-types';
import { typeText } from '../../../../src/protocols/prompt/describe';
import { findProtocol } from '../../../../src/protocols';
import { parseText } from '../../../support/protocols/run-parser';
import { fieldsOf } from '../../../../src/webview/shared/argument-fields';

const $defs = {
  count: { type: 'integer' },
  label: { type: ['string', 'null'] },
  place: { type: 'object', properties: { line: { $ref: '#/$defs/count' } }, required: ['line'] },
  node: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/node' } } } },
  twice: { $ref: '#/$defs/count' },
  loop: { $ref: '#/$defs/loop' },
  'a/b': { type: 'boolean' },
} as const satisfies Record<string, JsonSchema>;

const NULL: JsonSchema = { type: 'null' };
const COUNT: JsonSchema = { $ref: '#/$defs/count' };

/** What a schema is written as, the types it allows, and how a prompt shows it. */
const rows: readonly (readonly [schema: JsonSchema, types: string, shown: string])[] = [
  [{ type: 'string' }, 'string', 'string'],
  [{}, '', 'any'],
  [{ type: 'any' }, '', 'any'],
  [COUNT, 'integer', 'integer'],
  [{ $ref: '#/$defs/twice' }, 'integer', 'integer'],
  [{ $ref: '#/$defs/a~1b' }, 'boolean', 'boolean'],
  [{ $ref: '#/$defs/missing' }, '', 'any'],
  [{ $ref: '#/$defs/loop' }, '', 'any'],
  [{ $ref: 'https://example.com/schema' }, '', 'any'],
  [{ ...COUNT, nullable: true }, 'integer null', 'integer or null'],
  [{ anyOf: [COUNT, NULL] }, 'integer null', 'integer | null'],
  [{ oneOf: [{ $ref: '#/$defs/label' }, COUNT] }, 'string null integer', 'string or null | integer'],
  [{ allOf: [COUNT, { minimum: 1 }] }, 'integer', 'integer'],
  [{ allOf: [COUNT], nullable: true }, 'integer null', 'integer or null'],
  [{ allOf: [{ type: ['integer', 'string'] }, { type: 'number' }] }, 'integer', 'integer'],
  [{ allOf: [{ $ref: '#/$defs/label' }, { type: 'string' }] }, 'string', 'string'],
  [{ allOf: [{ anyOf: [COUNT, NULL] }, { description: 'How many.' }] }, 'integer null', 'integer | null'],
  [{ allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, 'string', '"b"'],
  [{ type: 'string', nullable: true }, 'string null', 'string or null'],
  [{ enum: ['x', null] }, 'string null', '"x" | null'],
  [{ type: 'string', enum: ['x', null] }, 'string null', '"x" | null'],
  [{ type: 'string', enum: ['x'], nullable: true }, 'string null', '"x" | null'],
  [{ const: null }, 'null', 'null'],
  [{ anyOf: [{ const: 'x' }, { const: null }] }, 'string null', '"x" | null'],
  [{ type: ['array', 'null'], items: COUNT }, 'array null', 'list of integer or null'],
  [{ items: { anyOf: [COUNT, NULL] } }, 'array', 'list of (integer | null)'],
  [{ properties: { a: COUNT } }, 'object', '{ a?: integer }'],
  [{ $ref: '#/$defs/place' }, 'object', '{ line: integer }'],
  [
    { allOf: [{ $ref: '#/$defs/place' }, { properties: { tag: {} } }] },
    'object',
    '{ line: integer, tag?: any }',
  ],
];

const whole = (property: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { value: property },
  required: ['value'],
  $defs,
});

describe('the types that a schema allows', () => {
  for (const [schema, types, shown] of rows) {
    it(`are ${types || 'any'} for ${JSON.stringify(schema)}`, () => {
      assert.equal(typesOf(schema, whole(schema)).join(' '), types);
      assert.equal(typeText(schema, whole(schema)), shown);
    });
  }

  it('are found in any schema, however it refers to itself', () => {
    const within = (depth: number): fc.Arbitrary<JsonObject> => {
      const inner = depth === 0 ? fc.constant({}) : within(depth - 1);
      const named = fc.dictionary(fc.constantFrom('a', 'b'), inner, { maxKeys: 2 });
      return fc.record(
        {
          type: fc.constantFrom<Json[]>('string', 'object', ['integer', 'null'], 'any'),
          $ref: fc.constantFrom('#', '#/$defs/a', '#/$defs/b', '#/$defs/a/properties/a', '#/required'),
          nullable: fc.boolean(),
          enum: fc.array(fc.constantFrom<Json[]>('a', 1, null), { maxLength: 2 }),
          anyOf: fc.array(inner, { maxLength: 2 }),
          allOf: fc.array(inner, { maxLength: 2 }),
          items: inner,
          properties: named,
          $defs: named,
        },
        { requiredKeys: [] },
      );
    };
    fc.assert(
      fc.property(within(2), fc.jsonValue({ maxDepth: 3 }), (given, value) => {
        const parameters = resolvedSchema(wellFormedSchema(given), wellFormedSchema(given));
        const tool = { name: 't', description: '', parameters };
        assert.ok(typesOf(parameters, parameters).every((type) => typeof type === 'string'));
        for (const form of ['json', 'text'] as const)
          bindArguments(parameters, { a: value as Json, b: 'null' }, form);
        for (const id of ['vcp', 'json', 'plain']) findProtocol(id)?.describeTool(tool, 'full');
        for (const id of ['json', 'plain']) findProtocol(id)?.schema?.([tool]);
        for (const id of ['json', 'invoke', 'plain']) findProtocol(id)?.grammar?.([tool]);
        fieldsOf(parameters, { a: value as Json });
      }),
    );
  });
});

/** A text between the marks of a parameter, in forms whose values are plain text. */
const WRITTEN: Readonly<Record<string, (text: string) => string>> = {
  'qwen3-coder': (text) =>
    `<tool_call>\n<function=pick>\n<parameter=value>\n${text}\n</parameter>\n</function>\n</tool_call>`,
  glm: (text) => `<tool_call>pick\n<arg_key>value</arg_key>\n<arg_value>${text}</arg_value>\n</tool_call>`,
  invoke: (text) =>
    `<function_calls>\n<invoke name="pick">\n<parameter name="value">${text}</parameter>\n</invoke>\n</function_calls>`,
  vcp: (text) =>
    `<<<[TOOL_REQUEST]>>>\ntool_name:「始」pick「末」\nvalue:「始」${text}「末」\n<<<[END_TOOL_REQUEST]>>>`,
};

describe('the word null', () => {
  for (const [id, written] of Object.entries(WRITTEN)) {
    for (const [schema, types] of rows.filter(([, each]) => each !== '')) {
      const isNullable = types.split(' ').includes('null');
      const isText =
        types.split(' ').includes('string') && !('enum' in resolvedSchema(schema, whole(schema)));
      if (!isNullable && !isText) continue;
      it(`is ${isNullable ? 'null' : 'a text'} in ${id} for ${JSON.stringify(schema)}`, () => {
        const tool = { name: 'pick', description: '', parameters: whole(schema) };
        const { calls, errors } = parseText(findProtocol(id)!, [written('null')], [tool]);
        assert.deepEqual(errors, []);
        assert.deepEqual(
          calls.map((call) => call.arguments),
          [{ value: isNullable ? null : 'null' }],
        );
      });
    }
  }

  it('is never left out where null is allowed', () => {
    for (const [schema, types] of rows) {
      if (!types.split(' ').includes('null') && types !== '') continue;
      const optional: JsonSchema = { ...whole(schema), required: [] };
      const bound = bindArguments(optional, { value: null });
      assert.deepEqual(bound, { ok: true, arguments: { value: null }, notes: [], repairs: [] });
    }
  });
});

describe('what a schema requires inside of an argument', () => {
  const place: JsonSchema = { $ref: '#/$defs/place' };
  for (const [name, schema, wrap] of [
    ['behind a reference', place, (value) => value],
    ['beside null', { anyOf: [place, NULL] }, (value) => value],
    ['in all of several', { allOf: [place, { description: 'Where.' }] }, (value) => value],
    ['in a list', { type: 'array', items: place }, (value) => [value]],
    [
      'in a list beside null',
      { oneOf: [NULL, { type: 'array', items: { anyOf: [place] } }] },
      (value) => [value],
    ],
  ] as readonly (readonly [string, JsonSchema, (value: Json) => Json])[]) {
    it(`is checked and typed ${name}`, () => {
      const bind = (value: Json): unknown => {
        const bound = bindArguments(whole(schema), { value: wrap(value) });
        return bound.ok ? bound.arguments['value'] : bound.code;
      };
      assert.equal(bind({}), 'missing-argument');
      assert.equal(bind({ line: 'x' }), 'invalid-argument');
      assert.deepEqual(bind({ line: '7' }), wrap({ line: 7 }));
    });
  }
});
