import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readJson, readString } from '../../../src/base/json-reader';

function outcome(text: string): string {
  const read = readJson(text);
  if (!read.ok) return `refuses: ${read.message}`;
  return (
    JSON.stringify(read.value) + (read.repairs.length === 0 ? '' : ` repaired: ${read.repairs.join(', ')}`)
  );
}

const rows: [name: string, text: string, expect: string][] = [
  ['strict JSON', ' {"a":[1,-2.5e3,true,null,"x\\n\\u00e9"]} ', '{"a":[1,-2500,true,null,"x\\né"]}'],
  ['a trailing comma', '{"a":[1,],}', '{"a":[1]} repaired: left out a comma before a closing bracket'],
  [
    'a raw line end in a string',
    '{"a":"x\ny"}',
    '{"a":"x\\ny"} repaired: kept a raw control character in a string',
  ],
  [
    'Python words',
    "{'a': True, 'b': None}",
    '{"a":true,"b":null} repaired: read \'…\' as a string, read True as true, read None as null',
  ],
  ['smart quotes', '{“a”: “b”}', '{"a":"b"} repaired: read “…” as a string'],
  ['smart quotes inside a string', '{"a":"“b”"}', '{"a":"“b”"}'],
  [
    'an escape that JSON does not have',
    '{"a":"C:\\Users\\q \\d"}',
    '{"a":"C:\\\\Users\\\\q \\\\d"} repaired: kept the backslash in \\U, kept the backslash in \\q, kept the backslash in \\d',
  ],
  ['full-width punctuation', '{"a"：1，"b":2}', '{"a":1,"b":2} repaired: read ： as :, read ， as ,'],
  ['comments', '{/* x */"a":1 // y\n}', '{"a":1} repaired: left out a comment'],
  ['a bare key', '{a:1}', '{"a":1} repaired: read the bare word a as a key'],
  ['slashes in a string', '{"a":"http://x"}', '{"a":"http://x"}'],
  [
    'a big number',
    '{"a":12345678901234567890}',
    '{"a":"12345678901234567890"} repaired: kept the big number 12345678901234567890 as text',
  ],
  [
    'an escape that another one follows',
    '["\\ux\\u0041", "\\uu0041"]',
    '["\\\\uxA","\\\\uu0041"] repaired: kept the backslash in \\u',
  ],
  ['a word with a capital letter inside', '[nUll]', 'refuses: there is no value at "nUll]"'],
  ['an unclosed string', '{"a":"half', 'refuses: a string is not closed'],
  ['an unclosed object', '{"a":1', 'refuses: it ends in the middle'],
  ['a missing value', '{"a":}', 'refuses: there is no value at "}"'],
  ['a quote in the middle', '{"a":"say "hi""}', 'refuses: a comma is missing'],
  ['a key given twice', '{"a":1,"a":2}', 'refuses: the key "a" appears twice'],
  ['NaN', '{"a":NaN}', 'refuses: there is no value at "NaN}"'],
  ['hexadecimal', '{"a":0x1F}', 'refuses: a number is malformed'],
  ['a leading zero', '{"a":007}', 'refuses: a number is malformed'],
  ['text after it', '{"a":1} ok', 'refuses: there is text after the value'],
  ['an ellipsis', '{"a":[1, ...]}', 'refuses: there is no value at "...]}"'],
  ['a prototype key as an ordinary one', '{"__proto__":1}', '{"__proto__":1}'],
  ['a text alone', ' "x" ', '"x"'],
  ['nothing', ' ', 'refuses: it ends in the middle'],
  ['characters of no width', '\ufeff{\u200b"a"\u2060:\u200d1}', '{"a":1}'],
  ['full-width blanks', '{\u3000"a":\u00a01}', '{"a":1}'],
  ['an escaped apostrophe', '["it\\\'s"]', "[\"it's\"] repaired: read \\' as '"],
  ['every escape', '["\\b\\f\\n\\r\\t\\"\\\\\\/\\u0041"]', '["\\b\\f\\n\\r\\t\\"\\\\/A"]'],
  ['half an escape', '["\\u00zz \\u1"]', '["\\\\u00zz \\\\u1"] repaired: kept the backslash in \\u'],
  ['an escape at the end', '["\\', 'refuses: a string is not closed'],
  [
    'other quotes in a string',
    '[\'"”\', “"\'”, "\'”"]',
    '["\\"”","\\"\'","\'”"] repaired: read \'…\' as a string, read “…” as a string',
  ],
  [
    'a tab in quotes of every kind',
    "['a\tb', “a\tb”]",
    '["a\\tb","a\\tb"] repaired: read \'…\' as a string, kept a raw control character in a string, read “…” as a string',
  ],
  ['several comments', '// a\n/* b **/ /*c*/[1 // d', 'refuses: it ends in the middle'],
  ['a comment at the end', '[1] // d', '[1] repaired: left out a comment'],
  ['a comment that never ends', '[1] /* d', 'refuses: there is text after the value'],
  ['half a comment', '[1] /', 'refuses: there is text after the value'],
  ['a comment of a slash and a star', '[1 /*/]', 'refuses: a comma is missing'],
  ['a comment that holds stars and slashes', '[/*/ * **/1]', '[1] repaired: left out a comment'],
  ['a missing colon', '{"a" 1}', 'refuses: a colon is missing after "a"'],
  ['a missing comma', '{"a":1 "b":2}', 'refuses: a comma is missing'],
  ['a missing comma in a list', '[1 2]', 'refuses: a comma is missing'],
  ['a list that never ends', '[1', 'refuses: it ends in the middle'],
  ['a list that ends after a comma', '[1,', 'refuses: it ends in the middle'],
  ['an object that ends after a comma', '{"a":1,', 'refuses: it ends in the middle'],
  ['the wrong bracket', '[1}', 'refuses: a comma is missing'],
  ['two commas', '[1,,2]', 'refuses: there is no value at ",2]"'],
  ['a comma alone', '{,}', 'refuses: a key is missing'],
  [
    'a full-width comma at the end',
    '[1，]',
    '[1] repaired: read ， as ,, left out a comma before a closing bracket',
  ],
  [
    'a bare key of all kinds of characters',
    '{ $a-b_1 : 1}',
    '{"$a-b_1":1} repaired: read the bare word $a-b_1 as a key',
  ],
  ['a bare key that begins with a digit', '{1a:1}', 'refuses: a key is missing'],
  ['a word that begins like a known one', '[Truex]', 'refuses: there is no value at "Truex]"'],
  ['a long word', '[abcdefghijklmnopq]', 'refuses: there is no value at "abcdefghijkl"'],
  ['the name of an inherited property', '[constructor]', 'refuses: there is no value at "constructor]"'],
  ['False', '[False]', '[false] repaired: read False as false'],
  ['empty brackets', '[{},[],{ },[ ]]', '[{},[],{},[]]'],
  ['64 levels', `${'['.repeat(64)}${']'.repeat(64)}`, `${'['.repeat(64)}${']'.repeat(64)}`],
  ['many brackets side by side', `[${'[],'.repeat(80)}1]`, `[${'[],'.repeat(80)}1]`],
  ['numbers of all kinds', '[0,-0.5,1.25,10,1e2,1E+2,1e-2]', '[0,-0.5,1.25,10,100,100,0.01]'],
  ['a minus alone', '[-]', 'refuses: a number is malformed'],
  ['a point without digits', '[1.]', 'refuses: a number is malformed'],
  ['digits followed by letters', '[1a]', 'refuses: a number is malformed'],
  ['a number beyond all bounds', '[1e400]', 'refuses: a number is too big'],
  ['a big number that a double holds', '[9007199254740992,1e20]', '[9007199254740992,100000000000000000000]'],
  [
    'a big number beyond any type',
    '[-9007199254740993]',
    '["-9007199254740993"] repaired: kept the big number -9007199254740993 as text',
  ],
  [
    'a very long number',
    `[${'1'.repeat(50)}]`,
    `["${'1'.repeat(50)}"] repaired: kept the big number ${'1'.repeat(40)} as text`,
  ],
  ['65 levels', '['.repeat(65), 'refuses: it is nested more than 64 levels deep'],
];

describe('readString', () => {
  it('reads the text between two quotes and reports repairs', () => {
    assert.deepEqual(readString('a\\nb'), { value: 'a\nb', repairs: [] });
    assert.deepEqual(readString('a\nb\\d'), {
      value: 'a\nb\\d',
      repairs: ['kept a raw control character in a string', 'kept the backslash in \\d'],
    });
  });
});

describe('readJson', () => {
  it('inserts strings that were read before, with their repairs', () => {
    const taken = new Map([[5, { value: 'long', repairs: ['kept a raw control character in a string'] }]]);
    assert.deepEqual(readJson('{"a":"","b":""}', taken), {
      ok: true,
      value: { a: 'long', b: '' },
      repairs: ['kept a raw control character in a string'],
    });
  });

  for (const [name, text, expect] of rows) it(`reads ${name}`, () => assert.equal(outcome(text), expect));

  it('reads strict JSON as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        assert.deepEqual(readJson(text), { ok: true, value: JSON.parse(text) as unknown, repairs: [] });
      }),
    );
  });

  it('never throws', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '\\',
      ',',
      ':',
      'a',
      '1',
      '-',
      'True',
      '/',
      '*',
      '\n',
      '“',
      '”',
      '：',
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 20 }), (all) => void readJson(all.join(''))),
      { numRuns: 2_000 },
    );
  });
});
