import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readJson } from '../../../src/base/json-reader';

function outcome(text: string): string {
  const read = readJson(text);
  if (!read.ok) return `refuses: ${read.message}`;
  return (
    JSON.stringify(read.value) + (read.repairs.length === 0 ? '' : ` mended: ${read.repairs.join(', ')}`)
  );
}

const rows: [name: string, text: string, expect: string][] = [
  ['strict JSON', ' {"a":[1,-2.5e3,true,null,"x\\n\\u00e9"]} ', '{"a":[1,-2500,true,null,"x\\né"]}'],
  ['a trailing comma', '{"a":[1,],}', '{"a":[1]} mended: left out a comma before a closing bracket'],
  [
    'a raw line end in a string',
    '{"a":"x\ny"}',
    '{"a":"x\\ny"} mended: kept a raw control character in a string',
  ],
  [
    'Python words',
    "{'a': True, 'b': None}",
    '{"a":true,"b":null} mended: read \'…\' as a string, read True as true, read None as null',
  ],
  ['smart quotes', '{“a”: “b”}', '{"a":"b"} mended: read “…” as a string'],
  ['smart quotes inside a string', '{"a":"“b”"}', '{"a":"“b”"}'],
  [
    'an escape that JSON does not have',
    '{"a":"C:\\Users\\q \\d"}',
    '{"a":"C:\\\\Users\\\\q \\\\d"} mended: kept the backslash in \\U, kept the backslash in \\q, kept the backslash in \\d',
  ],
  ['full-width punctuation', '{"a"：1，"b":2}', '{"a":1,"b":2} mended: read ： as :, read ， as ,'],
  ['comments', '{/* x */"a":1 // y\n}', '{"a":1} mended: left out a comment'],
  ['a bare key', '{a:1}', '{"a":1} mended: read the bare word a as a key'],
  ['slashes in a string', '{"a":"http://x"}', '{"a":"http://x"}'],
  [
    'a big number',
    '{"a":12345678901234567890}',
    '{"a":"12345678901234567890"} mended: kept the big number 12345678901234567890 as text',
  ],
  ['an unclosed string', '{"a":"half', 'refuses: a string is not closed'],
  ['an unclosed object', '{"a":1', 'refuses: it ends in the middle'],
  ['a missing value', '{"a":}', 'refuses: there is no value at "}"'],
  ['a quote in the middle', '{"a":"say "hi""}', 'refuses: a comma is missing'],
  ['a key given twice', '{"a":1,"a":2}', 'refuses: the key "a" stands there twice'],
  ['NaN', '{"a":NaN}', 'refuses: there is no value at "NaN}"'],
  ['hexadecimal', '{"a":0x1F}', 'refuses: a number is malformed'],
  ['a leading zero', '{"a":007}', 'refuses: a number is malformed'],
  ['text behind it', '{"a":1} ok', 'refuses: there is text after the value'],
  ['an ellipsis', '{"a":[1, ...]}', 'refuses: there is no value at "...]}"'],
  ['a prototype key as an ordinary one', '{"__proto__":1}', '{"__proto__":1}'],
  ['65 levels', '['.repeat(65), 'refuses: it is nested more than 64 levels deep'],
];

describe('readJson', () => {
  for (const [name, text, expect] of rows) it(`reads ${name}`, () => assert.equal(outcome(text), expect));

  it('reads strict JSON as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        assert.deepEqual(readJson(text), { ok: true, value: JSON.parse(text) as unknown, repairs: [] });
      }),
    );
  });

  for (const [text, isCutOff] of [
    ['{"a": "half', true],
    ['{"a": [1', true],
    ['{"a"', true],
    ['{"a": "x" y', false],
    ['{"a": 1}}', false],
  ] as const) {
    it(`says ${isCutOff ? '' : 'not '}that ${text} only ends too early`, () => {
      const read = readJson(text);
      assert.ok(!read.ok);
      assert.equal(read.isCutOff, isCutOff);
    });
  }

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
