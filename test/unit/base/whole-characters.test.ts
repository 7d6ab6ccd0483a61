import assert from 'node:assert/strict';
import fc from 'fast-check';
import { wholeCharacters, wholeJson } from '../../../src/base/text';

const ROWS: readonly { name: string; text: string; expect: string }[] = [
  { name: 'keeps whole characters', text: 'a 😀 \\ud800', expect: 'a 😀 \\ud800' },
  { name: 'replaces the first half alone', text: 'a\ud83db', expect: 'a\ufffdb' },
  { name: 'replaces the second half alone', text: '\ude00', expect: '\ufffd' },
  { name: 'replaces halves in the wrong order', text: '\ude00\ud83d', expect: '\ufffd\ufffd' },
];

describe('whole characters', () => {
  for (const { name, text, expect } of ROWS) {
    it(name, () => {
      assert.equal(wholeCharacters(text), expect);
      assert.deepEqual(JSON.parse(wholeJson({ [text]: [text] })), { [expect]: [expect] });
    });
  }

  it('does not change values without half characters', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        assert.equal(wholeJson(value), JSON.stringify(value));
      }),
    );
  });
});
