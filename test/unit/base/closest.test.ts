import fc from 'fast-check';
import assert from 'node:assert/strict';
import { closest, editDistance } from '../../../src/base/closest';

describe('editDistance', () => {
  for (const [first, second, distance] of [
    ['', '', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
    ['read_file', 'raed_file', 2],
  ] as const) {
    it(`is ${distance} from "${first}" to "${second}"`, () => {
      assert.equal(editDistance(first, second), distance);
    });
  }

  it('is a distance', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        assert.equal(editDistance(a, b), editDistance(b, a));
        assert.equal(editDistance(a, b) === 0, a === b);
        assert.ok(editDistance(a, c) <= editDistance(a, b) + editDistance(b, c));
      }),
    );
  });
});

describe('closest', () => {
  it('names the likeliest first, and nothing that is not like it', () => {
    assert.deepEqual(closest('READ_FIL', ['read_files', 'delete', 'read_file']), ['read_file', 'read_files']);
    assert.deepEqual(closest('read_file', ['zzzzzzzzzz']), []);
  });
});
