import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { wellFormedSchema } from '../../../../src/core/words/schema';
import { protocols } from '../../../../src/protocols';

const KEYWORDS = ['type', 'properties', 'required', 'items', 'enum', 'anyOf', 'oneOf', 'allOf'];
const MORE = ['description', 'additionalProperties', '$ref', 'default', 'minimum'];

/** Objects that are schemas in parts, and anything else in others. */
const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.dictionary(
    fc.constantFrom(...KEYWORDS, ...MORE),
    fc.oneof(
      { maxDepth: 3, depthSize: 'xsmall' },
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(fc.constantFrom('string', 'object', 'p')),
      fc.dictionary(fc.constantFrom('p', 'q', '__proto__'), tie('schema'), { maxKeys: 2 }),
      fc.array(tie('schema'), { maxLength: 2 }),
    ),
    { maxKeys: 4 },
  ),
}));

describe('a third-party schema', () => {
  it('stays unchanged if it is well formed', () => {
    const whole = {
      type: 'object',
      description: 'What it is for.',
      properties: {
        p: { type: ['string', 'null'], enum: ['a', null] },
        q: { anyOf: [{ type: 'integer' }, {}] },
      },
      required: ['p'],
      additionalProperties: false,
      'x-other': { any: ['thing'] },
    };
    assert.deepEqual(wellFormedSchema(whole), whole);
  });

  for (const [name, given, kept] of [
    ['an old `required`', { properties: { p: { required: true } } }, { properties: { p: {} } }],
    ['an enum that is not a list', { enum: {} }, {}],
    ['invalid branches', { anyOf: [null, { type: 7 }], oneOf: {} }, { anyOf: [{}, {}] }],
    ['properties in a list', { type: 'object', properties: [] }, { type: 'object' }],
    ['a schema that is not an object', 'string', {}],
  ] as const) {
    it(`loses ${name}`, () => assert.deepEqual(wellFormedSchema(given), kept));
  }

  it('can be described by every protocol', () => {
    fc.assert(
      fc.property(schema, (given) => {
        const parameters = wellFormedSchema(given);
        for (const protocol of protocols)
          assert.doesNotThrow(() =>
            protocol.describeTool({ name: 't', description: 'T.', parameters }, 'full'),
          );
      }),
    );
  });
});
