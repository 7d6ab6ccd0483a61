import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json';
import { bindArguments } from '../../../../src/core/run/bind';
import type { JsonSchema } from '../../../../src/core/words/schema';

const edit: JsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    edits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { old: { type: 'string' }, new: { type: 'string' }, expect: { type: 'integer' } },
        required: ['old', 'new'],
        additionalProperties: false,
      },
    },
    dry_run: { type: 'boolean' },
    side: { enum: ['left', 'right'] },
    ratio: { type: 'number' },
  },
  required: ['path'],
  additionalProperties: false,
};

const rows: { name: string; schema?: JsonSchema; input: JsonObject; expect: string }[] = [
  {
    name: 'leaves what fits alone',
    input: { path: 'a', dry_run: true },
    expect: '{"path":"a","dry_run":true}',
  },
  {
    name: 'ignores case and separators of keys',
    input: { Path: 'a', dryRun: false },
    expect: '{"path":"a","dry_run":false}',
  },
  {
    name: 'knows no other name of an argument that is called as something of every object',
    schema: { type: 'object', properties: { constructor: { type: 'string' }, path: { type: 'string' } } },
    input: { toString: 'a' },
    expect: '{"toString":"a"}',
  },
  { name: 'knows what models call a path', input: { file_path: 'a' }, expect: '{"path":"a"}' },
  {
    name: 'reads numbers and booleans written as text',
    input: { path: 'a', dry_run: 'True', ratio: '1.5' },
    expect: '{"path":"a","dry_run":true,"ratio":1.5}',
  },
  { name: 'keeps text that looks like a number', input: { path: '007' }, expect: '{"path":"007"}' },
  { name: 'writes a number as text where text is wanted', input: { path: 7 }, expect: '{"path":"7"}' },
  {
    name: 'reads a list written as JSON text, and binds inside it',
    input: { path: 'a', edits: '[{"old_str":"x","new_str":"y","expect":"2"}]' },
    expect: '{"path":"a","edits":[{"old":"x","new":"y","expect":2}]}',
  },
  {
    name: 'takes one thing where a list is wanted',
    input: { path: 'a', edits: { old: 'x', new: 'y' } },
    expect: '{"path":"a","edits":[{"old":"x","new":"y"}]}',
  },
  {
    name: 'leaves out null for what may be left out',
    input: { path: 'a', ratio: null },
    expect: '{"path":"a"}',
  },
  {
    name: 'refuses a missing argument',
    input: {},
    expect: 'missing-argument: The argument "path" is missing.',
  },
  {
    name: 'refuses null for a required argument',
    input: { path: null },
    expect: 'invalid-argument: The argument "path" must be string, not null.',
  },
  {
    name: 'refuses an unknown argument',
    input: { path: 'a', append: true },
    expect: 'unknown-argument: There is no argument "append".',
  },
  {
    name: 'refuses an argument given in two spellings',
    input: { path: 'a', file_path: 'b' },
    expect: 'unknown-argument: There is no argument "file_path".',
  },
  {
    name: 'refuses text that is no number',
    input: { path: 'a', ratio: '1,5' },
    expect: 'invalid-argument: The argument "ratio" must be number, not "1,5".',
  },
  {
    name: 'refuses an object where text is wanted',
    input: { path: { a: 1 } },
    expect: 'invalid-argument: The argument "path" must be string, not {"a":1}.',
  },
  {
    name: 'refuses what is not among the choices',
    input: { path: 'a', side: 'up' },
    expect: 'invalid-argument: The argument "side" cannot be "up".',
  },
  {
    name: 'names the place inside a list',
    input: { path: 'a', edits: [{ old: 'x' }] },
    expect: 'missing-argument: The argument "edits[0].new" is missing.',
  },
  {
    name: 'refuses prototype keys',
    input: JSON.parse('{"path":"a","__proto__":{}}') as JsonObject,
    expect: 'unknown-argument: "__proto__" cannot be an argument.',
  },
  {
    name: 'takes no name of the prototype, however deep and also in JSON that was a text',
    schema: { type: 'object', properties: { any: {}, map: { type: 'object' } } },
    input: { map: '{"a":[{"b":{"constructor":1}}]}' },
    expect: 'unknown-argument: "map.a[0].b.constructor" cannot be an argument.',
  },
  {
    name: 'knows how other languages call the types',
    schema: {
      type: 'object',
      properties: {
        a: { type: 'float' },
        b: { type: 'int' },
        c: { type: 'bool' },
        d: { type: 'dict[str, int]' },
        e: { type: 'List' },
        f: { type: 'str' },
        g: { type: 'any' },
        h: { type: ['str', 'None'] },
        i: { type: 'string[]' },
      },
    },
    input: { a: '1.5', b: '2', c: 'true', d: '{"x":1}', e: '[1]', f: 3, g: '4', h: null, i: '["a"]' },
    expect: '{"a":1.5,"b":2,"c":true,"d":{"x":1},"e":[1],"f":"3","g":"4","h":null,"i":["a"]}',
  },
  {
    name: 'passes on what an open schema does not mention',
    schema: { type: 'object' },
    input: { anything: [1] },
    expect: '{"anything":[1]}',
  },
];

describe('bindArguments', () => {
  for (const { name, schema = edit, input, expect } of rows) {
    it(name, () => {
      const bound = bindArguments(schema, input);
      assert.equal(bound.ok ? JSON.stringify(bound.arguments) : `${bound.code}: ${bound.message}`, expect);
    });
  }

  it('reads a text as a number only where it is one from end to end', () => {
    const numbers = ['0', '12', '-3', '1.25', '1e5', '1e+5', '2E-3', '1.5e12', ' 7 '];
    const texts = [
      '',
      'x1',
      '1x',
      '1.',
      '.5',
      '1,5',
      '1e',
      '1e+',
      '1e1234',
      '0x10',
      '1_000',
      '--1',
      'NaN',
      'Infinity',
    ];
    const read = (ratio: string): unknown => {
      const bound = bindArguments(edit, { path: 'a', ratio });
      return bound.ok ? bound.arguments['ratio'] : bound.code;
    };
    for (const text of numbers) assert.equal(read(text), Number(text), text);
    for (const text of texts) assert.equal(read(text), 'invalid-argument', text);
  });

  it('notes nothing about the types of values that can only be text', () => {
    const input = { path: '7', dry_run: 'true', edits: '[{"old":"x","new":"y"}]' };
    const args = { path: '7', dry_run: true, edits: [{ old: 'x', new: 'y' }] };
    assert.deepEqual(bindArguments(edit, input, 'text'), {
      ok: true,
      arguments: args,
      notes: [],
      repairs: [],
    });
    const asJson = bindArguments(edit, input);
    assert.equal(asJson.ok && asJson.notes.length, 2);
  });

  it('reads the words for nothing in values that can only be text, unless a text is wanted', () => {
    const read = (input: JsonObject, schema = edit): string => {
      const bound = bindArguments(schema, input, 'text');
      return bound.ok ? JSON.stringify([bound.arguments, bound.notes]) : bound.code;
    };
    for (const word of ['None', 'null', ' None\n'])
      assert.equal(
        read({ path: word, ratio: word }),
        JSON.stringify([{ path: word }, ['Left out "ratio", which was null.']]),
      );
    assert.equal(read({ path: 'a', ratio: 'none' }), 'invalid-argument');
    assert.equal(read({ path: 'a', side: 'None' }), 'invalid-argument');
    const needed: JsonSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    assert.equal(read({ n: 'None' }, needed), 'invalid-argument');
    const nullable: JsonSchema = { type: 'object', properties: { n: { type: ['integer', 'null'] } } };
    assert.equal(read({ n: 'None' }, nullable), '[{"n":null},[]]');
  });

  it('reads a list whose quotes were escaped as in a text of JSON', () => {
    const read = (edits: string): string => {
      const bound = bindArguments(edit, { path: 'a', edits }, 'text');
      return bound.ok ? JSON.stringify([bound.arguments['edits'], bound.repairs]) : bound.code;
    };
    assert.equal(
      read(String.raw`[{\"old\": \"x\\\"\", \"new\": \"y\"}]`),
      '[[{"old":"x\\"","new":"y"}],["read escaped quotes as quotes"]]',
    );
    assert.equal(read(String.raw`[{\"old\": "x", \"new\": \"y\"}]`), 'invalid-argument');
    assert.equal(read(String.raw`\"x\"`), 'invalid-argument');
  });

  it('gives the same when what it bound is bound again', () => {
    for (const { schema = edit, input } of rows) {
      const once = bindArguments(schema, input);
      if (!once.ok) continue;
      const twice = bindArguments(schema, once.arguments);
      assert.deepEqual(twice, { ok: true, arguments: once.arguments, notes: [], repairs: [] });
    }
  });
});
