import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readJson } from '../../../src/base/json-reader';
import { JsonStream } from '../../../src/protocols/json-stream';
import { pieces } from '../../support/parse';

/** Where the value ends: `complete 7`, `broken 3` in front of what broke it off, or `open`. */
function end(text: string, size = text.length): string {
  const stream = new JsonStream();
  let before = 0;
  for (const piece of pieces(text, size)) {
    const used = stream.push(piece);
    if (used !== undefined) return `${stream.state} ${before + used}`;
    before += piece.length;
  }
  return stream.state;
}

function shown(text: string, size: number): Record<string, string> {
  const values: Record<string, string> = {};
  const stream = new JsonStream({ onText: (key, piece) => (values[key] = (values[key] ?? '') + piece) });
  for (const piece of pieces(text, size)) stream.push(piece);
  return values;
}

/** Objects as models write them: all that readJson mends, and some of what it refuses. */
const { looseObject } = fc.letrec<{ looseObject: string; value: string }>((tie) => {
  const blank = fc.constantFrom('', '', '', ' ', '\n', '\u200b', '\ufeff', '/* }"\' */', '// ]"\n', '/**/');
  const inner = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 3 }).map((text) => text.replace(/["'”“\\]/g, '')),
        fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          '//',
          '/*',
          '\\"',
          '\\n',
          '\\d',
          '\\u00e9',
          '\\u1',
          '\\\\',
          '\n',
          '<',
        ),
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join(''));
  const string = fc
    .tuple(inner, fc.constantFrom<[string, string]>(['"', '"'], ['"', '"'], ["'", "'"], ['“', '”']))
    .map(([text, [open, close]]) => open + text + close);
  const word = fc.constantFrom('true', 'False', 'None', 'null', '-1.5e3', '0', '12345678901234567890');
  const list = fc
    .tuple(fc.array(fc.tuple(blank, tie('value'), blank), { maxLength: 3 }), fc.constantFrom(',', '，'))
    .map(([items, comma]) => `[${items.map((item) => item.join('')).join(comma)}]`);
  const key = fc.oneof(string, fc.constantFrom('bare', '$key-1'));
  const pair = fc
    .tuple(blank, key, blank, fc.constantFrom(':', '：'), blank, tie('value'), blank)
    .map((parts) => parts.join(''));
  return {
    value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, string, word, list, tie('looseObject')),
    looseObject: fc
      .tuple(fc.uniqueArray(pair, { maxLength: 4 }), fc.constantFrom('', '', ','))
      .map(([pairs, comma]) => `{${pairs.join(',')}${pairs.length > 0 ? comma : ''}}`),
  };
});

const rows: [name: string, text: string, expect: string][] = [
  ['ends behind the last bracket', '{"a":[1,{}]} x', 'complete 12'],
  ['passes brackets and quotes in strings by', '{"a":"}\\"]"}', 'complete 12'],
  ['knows single quotes', "{'a':'}\"'}", 'complete 10'],
  ['knows smart quotes', '{“a”:“}"”}', 'complete 10'],
  ['knows comments', '{// }\n"a":1/* } **/}', 'complete 20'],
  ['lets a string end behind an unknown escape', '{“a”:“\\”}', 'complete 9'],
  ['lets a string end inside a broken code', '{"a":"\\u12"}', 'complete 12'],
  ['is not over inside a comment', '{"a":1 // }', 'open'],
  ['is not over inside a string', '{"a":"}', 'open'],
  ['breaks off at a tag', '{"a": <b>}', 'broken 6'],
  ['breaks off behind a string that nothing goes on', '{"a" is (b', 'broken 5'],
  ['breaks off at a bracket that does not match', '{"a":[1}', 'broken 7'],
  ['breaks off at a closing quote', '{“a”: ”', 'broken 6'],
  ['breaks off behind a slash that begins no comment', '{"a": 1 / 2}', 'broken 9'],
  ['breaks off at a letter that no word of JSON has', '{"a": ü', 'broken 6'],
  ['breaks off where readJson would not go deeper', '['.repeat(70), 'broken 64'],
];

describe('JsonStream', () => {
  for (const [name, text, expect] of rows) {
    it(name, () => {
      for (let size = 1; size <= text.length; size++) assert.equal(end(text, size), expect);
    });
  }

  it('reads the value that it has followed', () => {
    const text = '{"a":"x\\n","b":[1,{"c":null}],\'d\':“e”, f: True /* g */}';
    for (let size = 1; size <= text.length; size++) {
      const stream = new JsonStream();
      for (const piece of pieces(text, size)) stream.push(piece);
      assert.deepEqual(stream.read(), readJson(text));
    }
  });

  it('reads long strings as readJson does, and mends them as it does', () => {
    const long = 'line "quoted" \\d\n'.repeat(20_000);
    const text = `{"a":${JSON.stringify(long)},"b":"${'raw\t\\q\\u00e9\\u0g '.repeat(20_000)}","c":"short"}`;
    for (const size of [1, 7, 16, 4096, 100_000, text.length]) {
      const stream = new JsonStream();
      for (const piece of pieces(text, size)) stream.push(piece);
      assert.deepEqual(stream.read(), readJson(text));
    }
  });

  it('says where the items of a list end', () => {
    const text = '{"x":[[1,2],{"y":[3,4]},5],"z":[6]}';
    for (let size = 1; size <= text.length; size++) {
      const ends: string[] = [];
      const stream = new JsonStream({ onItemEnd: (key, at) => ends.push(`${key} ${text.slice(0, at)}`) });
      for (const piece of pieces(text, size)) stream.push(piece);
      assert.deepEqual(ends, ['x {"x":[[1,2]', 'x {"x":[[1,2],{"y":[3,4]}']);
    }
  });

  it('shows the values of the keys as readJson reads them', () => {
    const text = '{"a":"\\u00e9\\n\\d\\u12x", b: \'c\', "d":[{"e":"f"}, 1]}';
    for (let size = 1; size <= text.length; size++) {
      assert.deepEqual(shown(text, size), { a: 'é\n\\d\\u12x', b: 'c', d: '[{"e":"f"},1]' });
    }
  });

  it('ends exactly where readJson ends', () => {
    const size = fc.integer({ min: 1, max: 9 });
    let read = 0;
    fc.assert(
      fc.property(looseObject, fc.string(), size, (text, behind, cut) => {
        if (!readJson(text).ok) return;
        read++;
        assert.equal(end(text + behind, cut), `complete ${text.length}`);
      }),
      { numRuns: 2_000 },
    );
    assert.ok(read > 500, `only ${read} of the texts were readable`);
  });

  it('is complete wherever readJson reads an object, however it is cut', () => {
    const fragments = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        '"',
        "'",
        '“',
        '”',
        '\\',
        ',',
        ':',
        '：',
        '，',
        '/',
        '*',
        '#',
        '(',
        'a',
        'T',
        '1',
        '-',
      ],
      ...['.', ' ', '\n', '\u200b', 'u00e9', '//', '/*', '*/', '"a"', '":'],
    );
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 14 }), fc.integer({ min: 1, max: 5 }), (parts, cut) => {
        const text = `{${parts.join('')}}`;
        const whole = end(text);
        assert.equal(end(text, cut), whole);
        const read = readJson(text);
        if (!read.ok) return;
        const [state, length] = whole.split(' ');
        const upTo = readJson(text.slice(0, Number(length)));
        // Comments may stand behind the object.
        assert.deepEqual([state, upTo.ok && upTo.value], ['complete', read.value]);
      }),
      { numRuns: 5_000 },
    );
  });
});
