import fc from 'fast-check';
import assert from 'node:assert/strict';
import { occurrences } from '../../../../src/tools/edit/edit-matching';

describe('occurrences', () => {
  it('finds every place, even overlapping ones', () => {
    const letters = fc.constantFrom('a', 'b');
    fc.assert(
      fc.property(
        fc.string({ unit: letters, maxLength: 60 }),
        fc.string({ unit: letters, minLength: 1, maxLength: 5 }),
        (text, part) => {
          assert.deepEqual(occurrences(text, part), bySlices(text, part));
        },
      ),
    );
  });

  it('finds long parts', () => {
    const block = `${'ab'.repeat(300)}c`;
    const text = `${block}${block}x${block}`;
    assert.deepEqual(occurrences(text, block), bySlices(text, block));
  });

  it('finds long parts of a repetitive text', () => {
    const text = 'a'.repeat(5000);
    assert.equal(occurrences(text, 'a'.repeat(4000)).length, 1001);
  });

  it('finds nothing nowhere', () => {
    assert.deepEqual(occurrences('abc', ''), []);
  });
});

function bySlices(text: string, part: string): number[] {
  return Array.from(text, (_, at) => at).filter((at) => text.startsWith(part, at));
}
