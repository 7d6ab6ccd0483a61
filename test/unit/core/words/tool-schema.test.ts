import assert from 'node:assert/strict';
import { clientToolSchema, toolSchema } from '../../../../src/core/words/tool-schema';

describe('the schema of a tool that others describe', () => {
  for (const [name, given] of [
    ['a reference that is no text', { properties: { a: { $ref: 42 } } }],
    ['a type that is no name', { properties: { a: { items: { type: 7 } } } }],
    ['properties that are a text', { properties: 'a' }],
    ['a union that is an object', { $defs: { a: { anyOf: { type: 'string' } } } }],
    ['a text', 'object'],
    ['a list', [{}]],
  ] as const) {
    it(`is not readable with ${name}`, () => {
      for (const read of [toolSchema, clientToolSchema]) assert.equal(read(given).ok, false);
    });
  }

  for (const [name, given] of [
    ['nothing', undefined],
    ['an empty list of properties', { type: 'object', properties: [] }],
    ['an old `required`', { properties: { a: { type: 'string', required: true } } }],
    [
      'an argument that is called as a keyword',
      { properties: { $ref: { type: 'string' }, type: { type: 'string' } } },
    ],
    ['values that look like schemas', { properties: { a: { default: { $ref: 42 }, enum: [{ type: 7 }] } } }],
  ] as const) {
    it(`is readable with ${name}`, () => {
      for (const read of [toolSchema, clientToolSchema]) assert.equal(read(given).ok, true);
    });
  }

  it('has the arguments behind references and in all of several', () => {
    const $defs = {
      args: { type: 'object', properties: { a: { $ref: '#/$defs/n' } } },
      n: { type: 'integer' },
    };
    const given = { $defs, allOf: [{ $ref: '#/$defs/args' }, { required: ['a'] }] };
    const whole = toolSchema(given);
    assert.ok(whole.ok);
    assert.deepEqual([Object.keys(whole.schema.properties ?? {}), whole.schema.required], [['a'], ['a']]);
    assert.deepEqual(whole.schema.$defs, $defs);
    assert.deepEqual(clientToolSchema(given), {
      ok: true,
      schema: { type: ['object'], properties: { a: { type: 'integer' } }, required: ['a'] },
    });
  });
});
