import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../../src/base/json';
import { bindArguments, bindGiven } from '../../../../src/core/run/bind';
import type { JsonSchema } from '../../../../src/core/words/schema';
import { ToolError, type ToolSpec } from '../../../../src/core/words/tool';
import { caseCount } from '../../../hosts/random-cases';

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
  { name: 'writes a number as text for a text argument', input: { path: 7 }, expect: '{"path":"7"}' },
  {
    name: 'reads a list written as JSON text, and binds inside it',
    input: { path: 'a', edits: '[{"old_str":"x","new_str":"y","expect":"2"}]' },
    expect: '{"path":"a","edits":[{"old":"x","new":"y","expect":2}]}',
  },
  {
    name: 'accepts a single value for a list argument',
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
    name: 'refuses text that is not a number',
    input: { path: 'a', ratio: '1,5' },
    expect: 'invalid-argument: The argument "ratio" must be number, not "1,5".',
  },
  {
    name: 'refuses an object for a text argument',
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
    name: 'refuses names of the prototype, at any depth and also in JSON that was text',
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

/** What models fill in where nothing is meant. */
const optional: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    path: { type: 'string', minLength: 1 },
    from: { type: 'integer', minimum: 1 },
    above: { type: 'number', exclusiveMinimum: 0 },
    context: { type: 'integer', minimum: 0 },
    side: { enum: ['left', 'right'] },
    kind: { anyOf: [{ const: 'all' }, { type: 'integer', minimum: 1 }] },
    edits: { type: 'array', minItems: 1, items: { type: 'string' } },
    tags: { type: 'array', items: { type: 'string' } },
    flag: { type: 'boolean' },
    any: {},
  },
  additionalProperties: false,
};

const nothing: readonly { readonly given: JsonObject; readonly expect: JsonObject }[] = [
  { given: { path: '', from: 0, above: 0, side: '', kind: 0, edits: [] }, expect: {} },
  { given: { from: '0', above: '0', kind: '' }, expect: {} },
  { given: { from: '', above: '', flag: '', edits: '', tags: '' }, expect: {} },
  { given: { from: ' ', flag: '\n' }, expect: {} },
  {
    given: { context: 0, name: '', tags: [], flag: false },
    expect: { context: 0, name: '', tags: [], flag: false },
  },
  { given: { any: 0 }, expect: { any: 0 } },
  { given: { any: '' }, expect: { any: '' } },
  { given: { from: 1, path: '0', kind: 'all' }, expect: { from: 1, path: '0', kind: 'all' } },
  { given: { name: 0, path: 0 }, expect: { name: '0', path: '0' } },
];

describe('optional arguments that are filled with nothing', () => {
  for (const { given, expect } of nothing) {
    it(`${JSON.stringify(given)} means ${JSON.stringify(expect)}`, () => {
      const bound = bindArguments(optional, given);
      assert.deepEqual(bound.ok && bound.arguments, expect);
      const isWithNote = Object.keys(given).length > Object.keys(expect).length;
      assert.equal(bound.ok && bound.notes.some((note) => note.startsWith('Left out')), isWithNote);
      assert.deepEqual(bound.ok && bound.repairs, []);
    });
  }

  it('are still refused where the argument is required, or the value is something', () => {
    const needed = { ...optional, required: ['from', 'side', 'edits'] };
    const code = (given: JsonObject): string => {
      const bound = bindArguments(needed, given);
      return bound.ok ? JSON.stringify(bound.arguments) : bound.code;
    };
    const rest = { from: 1, side: 'left', edits: ['a'] };
    assert.equal(code({ ...rest, side: '' }), 'invalid-argument');
    assert.equal(code({ ...rest, from: '' }), 'invalid-argument');
    // The tool says what is wrong with a value of the right type.
    assert.equal(code({ ...rest, from: 0, edits: [] }), '{"from":0,"side":"left","edits":[]}');
    assert.equal(code({ ...rest, flag: 'no' }), 'invalid-argument');
    assert.equal(code({ ...rest, context: -1 }), '{"from":1,"side":"left","edits":["a"],"context":-1}');
  });

  it('never change which values the schema allows', () => {
    const schemas = fc.record({
      minimum: fc.integer({ min: -2, max: 2 }),
      value: fc.integer({ min: -2, max: 2 }),
    });
    fc.assert(
      fc.property(schemas, ({ minimum, value }) => {
        const schema: JsonSchema = { type: 'object', properties: { n: { type: 'integer', minimum } } };
        const bound = bindArguments(schema, { n: value });
        const isLeftOut = value === 0 && minimum > 0;
        assert.deepEqual(bound.ok && bound.arguments, isLeftOut ? {} : { n: value });
      }),
      { numRuns: caseCount(500) },
    );
  });
});

describe('bindArguments', () => {
  for (const { name, schema = edit, input, expect } of rows) {
    it(name, () => {
      const bound = bindArguments(schema, input);
      assert.equal(bound.ok ? JSON.stringify(bound.arguments) : `${bound.code}: ${bound.message}`, expect);
    });
  }

  it('reads a text as a number only if all of it is a number', () => {
    const numbers = ['0', '12', '-3', '1.25', '1e5', '1e+5', '2E-3', '1.5e12', ' 7 '];
    const texts = [
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

  it('reports nothing about the types of values that can only be text', () => {
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

  it('reads a list whose quotes are escaped as in JSON text', () => {
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

  it('says what to do instead of what it refuses', () => {
    const hint = (input: JsonObject, schema = edit): string | false => {
      const bound = bindArguments(schema, input);
      return !bound.ok && bound.hint;
    };
    assert.equal(hint(JSON.parse('{"path":"a","__proto__":{}}') as JsonObject), 'Leave it out.');
    assert.equal(hint({}), 'Required: path.');
    assert.equal(hint({ path: 'a', edits: [{ old: 'x' }] }), 'Required: edits[0].old, edits[0].new.');
    assert.equal(hint({ path: 'a', ratio: 'much' }), 'Send "ratio" as number.');
    assert.equal(hint({ path: 'a', side: 'up' }), 'Use one of: "left", "right".');
    assert.equal(hint({ path: 'a', more: 1 }), 'The arguments are: path, edits, dry_run, side, ratio.');
    assert.equal(
      hint({ more: 1 }, { type: 'object', additionalProperties: false }),
      'It takes no arguments.',
    );
    assert.equal(hint({ Path: 'a', PATH: 'b' }), 'Give "path" once.');
  });

  it('drops null for optional arguments', () => {
    const optional: JsonSchema = { type: 'object', properties: { count: { type: 'integer' } } };
    assert.deepEqual(bindArguments(optional, { count: null }), {
      ok: true,
      arguments: {},
      notes: ['Left out "count", which was null.'],
      repairs: [],
    });
  });

  it('reads nested values only if they are an object', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { filter: { type: ['string', 'object'], properties: { size: { type: 'integer' } } } },
    };
    const filter = (value: Json): unknown => {
      const bound = bindArguments(schema, { filter: value });
      return bound.ok && bound.arguments['filter'];
    };
    assert.equal(filter('*.ts'), '*.ts');
    assert.deepEqual(filter({ size: '7' }), { size: 7 });
  });

  it('reads a word for nothing only if it is alone', () => {
    const schema: JsonSchema = { type: 'object', properties: { count: { type: ['integer', 'null'] } } };
    const count = (value: string, form: 'json' | 'text'): unknown => {
      const bound = bindArguments(schema, { count: value }, form);
      return bound.ok ? bound.arguments['count'] : bound.code;
    };
    for (const form of ['json', 'text'] as const) {
      for (const word of ['null', 'None']) assert.equal(count(word, form), null);
      for (const text of ['None left', 'not null', 'nullify', 'Nones', 'xNone'])
        assert.equal(count(text, form), 'invalid-argument', text);
    }
    const optional: JsonSchema = { type: 'object', properties: { count: { type: 'integer' } } };
    for (const text of ['None left', 'not null'])
      assert.equal(bindArguments(optional, { count: text }, 'text').ok, false, text);
  });

  it('keeps a text if any type is allowed and nothing suggests another', () => {
    const schema: JsonSchema = { type: 'object', properties: { any: {} } };
    const input = { any: 'None', other: 'null', third: '[1]' };
    const bound = bindArguments(schema, input, 'text');
    assert.deepEqual(bound.ok && bound.arguments, input);
  });

  it('types a text among several types by what the schema names', () => {
    const text: JsonSchema = { type: 'string' };
    const number: JsonSchema = { type: 'integer' };
    const list: JsonSchema = { type: 'array', items: text };
    const read = (schema: JsonSchema, value: string): unknown => {
      const bound = bindArguments({ type: 'object', properties: { value: schema } }, { value }, 'text');
      return bound.ok ? bound.arguments['value'] : bound.code;
    };
    const numberOrText: JsonSchema = { anyOf: [number, text] };
    assert.equal(read(numberOrText, '5'), '5');
    assert.equal(read(numberOrText, 'None'), 'None');
    assert.equal(read({ oneOf: [number, text] }, '5'), '5');
    assert.equal(read({ type: ['integer', 'string'] }, '5'), '5');
    for (const auto of [{ enum: ['auto', 'off'] }, { const: 'auto' }]) {
      assert.equal(read({ anyOf: [auto, number] }, '5'), 5);
      assert.equal(read({ oneOf: [number, auto] }, '5'), 5);
      assert.equal(read({ anyOf: [auto, number] }, 'auto'), 'auto');
    }
    assert.equal(read({ anyOf: [{ enum: ['1', '2'] }, number] }, '2'), '2');
    assert.equal(read({ oneOf: [number, { const: '1' }] }, '1'), '1');
    // Other keywords beside a type do not remove it.
    assert.equal(read({ type: ['string', 'integer'], anyOf: [{ required: ['a'] }] }, '5'), '5');

    const listOrText: JsonSchema = { anyOf: [text, list] };
    assert.deepEqual(read(listOrText, '["a"]'), ['a']);
    assert.deepEqual(read(listOrText, '\n ["a", "b"]\n'), ['a', 'b']);
    for (const kept of ['a', '["a",]', '["a"', '[a-z]+', '"a"', '{"a": 1}'])
      assert.equal(read(listOrText, kept), kept);
    assert.equal(read(list, '{"a": 1}'), 'invalid-argument');
    assert.equal(read(text, '["a"]'), '["a"]');
  });

  it('checks a union like each of its members', () => {
    const rule: JsonSchema = { anyOf: [{ enum: ['all'] }, { type: 'object', required: ['only'] }] };
    const read = (value: Json, form: 'json' | 'text'): unknown => {
      const bound = bindArguments({ type: 'object', properties: { rule } }, { rule: value }, form);
      return bound.ok ? bound.arguments['rule'] : `${bound.code}: ${bound.message}`;
    };
    for (const form of ['json', 'text'] as const) {
      assert.equal(read('all', form), 'all');
      assert.deepEqual(read({ only: 1 }, form), { only: 1 });
      assert.equal(read('[1,]', form), 'invalid-argument: The argument "rule" cannot be "[1,]".');
      assert.equal(read({}, form), 'missing-argument: The argument "rule.only" is missing.');
    }
  });

  it('keeps escapes other than those of quotes', () => {
    const repairs = (edits: string): unknown => {
      const bound = bindArguments(edit, { path: 'a', edits });
      return bound.ok ? bound.repairs : bound.code;
    };
    assert.equal(repairs(String.raw`[{"old": "x",\n "new": "y"}]`), 'invalid-argument');
    assert.equal(repairs(String.raw`[\n]`), 'invalid-argument');
    // Text that needs two repairs is ambiguous.
    assert.equal(repairs(String.raw`[{\"old\": \"\d\", \"new\": \"y\"}]`), 'invalid-argument');
    assert.deepEqual(repairs(`[{"old": "x", "new": "y"},]`), ['left out a comma before a closing bracket']);
  });

  it('says which digits may be lost in a number that it writes as text', () => {
    const repairs = (path: Json): unknown => {
      const bound = bindArguments(edit, { path });
      return bound.ok && bound.repairs;
    };
    assert.deepEqual(repairs(1.1), ['wrote the number 1.1 as text']);
    assert.deepEqual(repairs(7), []);
    assert.deepEqual(repairs(true), []);
  });

  it('is idempotent', () => {
    for (const { schema = edit, input } of rows) {
      const once = bindArguments(schema, input);
      if (!once.ok) continue;
      const twice = bindArguments(schema, once.arguments);
      assert.deepEqual(twice, { ok: true, arguments: once.arguments, notes: [], repairs: [] });
    }
  });
});

describe('bindGiven', () => {
  const tool: ToolSpec = { name: 'edit', description: 'Changes a file.', parameters: edit };

  it('binds what another program sends, and marks only what was repaired', () => {
    assert.deepEqual(bindGiven(tool, { path: 'a' }), { arguments: { path: 'a' }, mark: 'clean' });
    assert.deepEqual(bindGiven(tool, { file_path: 'a', dry_run: 'true' }), {
      arguments: { path: 'a', dry_run: true },
      mark: 'clean',
    });
    assert.deepEqual(bindGiven(tool, { path: 'a', edits: '[{"old": "x", "new": "y"},]' }), {
      arguments: { path: 'a', edits: [{ old: 'x', new: 'y' }] },
      mark: 'repaired',
    });
  });

  it('refuses what does not fit with what to do instead', () => {
    assert.throws(
      () => bindGiven(tool, {}),
      new ToolError('The argument "path" is missing. Required: path.'),
    );
  });
});
