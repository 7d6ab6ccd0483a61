import { deepEqual, equal, ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/base/json';
import { argumentProblems } from '../../../src/mcp/server-tool';
import { readSchema } from '../../../src/mcp/schema';
import { limits } from '../../../src/base/limits';
import { caseCount } from '../../hosts/random-cases';
import { cpuMs } from '../../support/measure/cpu-time';

const read = (given: Json) => readSchema(given, limits);

describe("the schema of a server's tool", () => {
  it('has its references replaced by what they point to', () => {
    const result = read({
      type: 'object',
      properties: {
        from: { $ref: '#/$defs/point', description: 'Where it begins.' },
        to: { $ref: '#/$defs/point' },
      },
      $defs: { point: { type: 'object', properties: { x: { type: 'number' } }, description: 'A point.' } },
    });
    const point = { type: 'object', properties: { x: { type: 'number' } } };
    deepEqual(result, {
      ok: true,
      schema: {
        type: 'object',
        properties: {
          from: { ...point, description: 'Where it begins.' },
          to: { ...point, description: 'A point.' },
        },
      },
    });
  });

  it('keeps a property that is called like a keyword', () => {
    const schema = {
      type: 'object',
      properties: { $ref: { type: 'string' }, definitions: { type: 'string' }, pattern: { type: 'string' } },
    };
    deepEqual(read(schema), { ok: true, schema });
  });

  it('is refused if it is small but everything it refers to is large', () => {
    const $ref = '#/$defs/long';
    const properties = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`p${at}`, { $ref }]));
    const result = read({ type: 'object', properties, $defs: { long: { description: 'x'.repeat(10_000) } } });
    equal(
      result.ok ? 'read' : result.problem,
      'The schema of its arguments is larger than 64 KiB with all that it refers to.',
    );
  });

  it('never grows without bounds, with any content', () => {
    const any = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 6 },
        fc.record({
          $ref: fc.constantFrom(
            '#',
            '#/$defs/a',
            '#/$defs/b',
            '#/properties/a',
            'http://x/y',
            '#/%zz',
            '#/$defs/none',
          ),
        }),
        fc.record({ allOf: fc.array(tie('schema'), { maxLength: 3 }) }),
        fc.record({
          type: fc.constantFrom('string', 'object', 7, null),
          properties: fc.dictionary(fc.constantFrom('a', 'b', '$ref'), tie('schema')),
        }),
        fc.record({ items: tie('schema'), required: fc.anything() }),
      ),
    })).schema;
    fc.assert(
      fc.property(any, any, any, (root, a, b) => {
        const given = JSON.parse(JSON.stringify({ ...(root as object), $defs: { a, b } })) as JsonObject;
        const result = read(given);
        if (!result.ok) return;
        ok(JSON.stringify(result.schema).length < 2_000_000);
        equal(JSON.stringify(result.schema).includes('"http://'), false);
        argumentProblems({ a: 'text', b: [1, { c: null }] }, result.schema);
      }),
      { numRuns: caseCount(300) },
    );
  });
});

describe('arguments against the schema of a server', () => {
  const schema = {
    type: 'object',
    properties: {
      edits: {
        type: 'array',
        items: { type: 'object', required: ['old'], properties: { old: { type: 'string' } } },
      },
      size: { oneOf: [{ type: 'number', minimum: 1 }, { type: 'string' }] },
    },
    required: ['edits'],
  };
  const cases: readonly (readonly [string, JsonObject, RegExp | undefined])[] = [
    ['finds nothing if everything fits', { edits: [{ old: 'a' }], size: 2 }, undefined],
    ['finds what is missing deep inside', { edits: [{}] }, /edits\/0.*old/],
    ['finds what fits no member of a union', { edits: [], size: 0 }, /size/],
  ];
  for (const [name, given, expected] of cases) {
    it(name, () => {
      const found = argumentProblems(given, schema).join('; ');
      if (expected === undefined) equal(found, '');
      else ok(expected.test(found), found);
    });
  }

  it('G35.pattern: runs no pattern that a stranger wrote', () => {
    const hostile = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
    const took = cpuMs(() => {
      deepEqual(argumentProblems({ text: `${'a'.repeat(50)}!` }, hostile), []);
    });
    ok(took < 1_000);
  });

  it('leaves to the server what only a pattern tells apart', () => {
    const format = (name: string) => ({ type: 'string', format: name });
    const schema = {
      type: 'object',
      properties: {
        address: { oneOf: [format('ipv4'), format('ipv6')] },
        name: { type: 'string', not: { pattern: '^-' } },
      },
      if: { properties: { name: { pattern: '^x' } } },
      then: { required: ['address'] },
    };
    deepEqual(argumentProblems({ address: '1.2.3.4', name: 'a' }, schema), []);
    deepEqual(argumentProblems({ name: 'a' }, schema), []);
  });

  it('reads limits of draft 4', () => {
    const result = read({
      type: 'object',
      properties: { n: { type: 'number', minimum: 0, exclusiveMinimum: false, exclusiveMaximum: false } },
    });
    deepEqual(result.ok && argumentProblems({ n: 1 }, result.schema), []);
  });

  it('leaves counts to the server if only a pattern tells items apart', () => {
    const list = { type: 'array', contains: { pattern: '^x' }, maxContains: 1 };
    deepEqual(argumentProblems({ list: ['xa', 'b'] }, { type: 'object', properties: { list } }), []);
  });

  it('G35.twins: does not compare each of a list with each', () => {
    const properties = { list: { type: 'array', items: { type: 'number' }, uniqueItems: true } };
    const steps = countReads(5_000);
    deepEqual(argumentProblems({ list: steps.list }, { type: 'object', properties }), []);
    ok(steps.count() < 20 * 5_000);
  });

  it('calls no name unknown that a pattern may allow', () => {
    const named = { type: 'object', patternProperties: { '^x-': {} }, additionalProperties: false };
    deepEqual(argumentProblems({ 'x-a': 1 }, named), []);
    const later = { type: 'object', patternProperties: { '^x-': {} }, unevaluatedProperties: false };
    deepEqual(argumentProblems({ 'x-a': 1 }, later), []);
  });
});

/** A list that counts how often its elements were read. */
function countReads(length: number): { readonly list: number[]; readonly count: () => number } {
  let reads = 0;
  const list = new Proxy(
    Array.from({ length }, (_, at) => at),
    {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        // SAFETY: members of the array are passed on unchanged.
        return Reflect.get(target, key, receiver) as unknown;
      },
    },
  );
  return { list, count: () => reads };
}
