import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readJson } from '../../../../src/base/json-reader';
import { jsonEnd } from '../../../support/protocols/json-end';

/** Objects as models write them: all that readJson repairs, and some of what it refuses. */
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

describe('JsonStream over random texts', () => {
  it('ends exactly where readJson ends', () => {
    const size = fc.integer({ min: 1, max: 9 });
    let read = 0;
    fc.assert(
      fc.property(looseObject, fc.string(), size, (text, behind, cut) => {
        if (!readJson(text).ok) return;
        read++;
        assert.equal(jsonEnd(text + behind, cut), `complete ${text.length}`);
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
        const whole = jsonEnd(text);
        assert.equal(jsonEnd(text, cut), whole);
        const read = readJson(text);
        if (!read.ok) return;
        const [state, length] = whole.split(' ');
        const upTo = readJson(text.slice(0, Number(length)));
        // Comments may follow the object.
        assert.deepEqual([state, upTo.ok && upTo.value], ['complete', read.value]);
      }),
      { numRuns: 5_000 },
    );
  });
});
