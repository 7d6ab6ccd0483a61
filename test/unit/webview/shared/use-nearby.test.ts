import assert from 'node:assert/strict';
import fc from 'fast-check';
import { drawnEntries, EntryHeights, indicesIn, NEWEST } from '../../../../src/webview/shared/use-nearby';

describe('EntryHeights', () => {
  const heightsOf = (...heights: readonly number[]): EntryHeights => {
    const known = new EntryHeights();
    for (const [index, height] of heights.entries()) known.set(index, height);
    return known;
  };

  const rows: readonly { name: string; top: number; bottom: number; expected: readonly number[] }[] = [
    { name: 'at the top', top: -50, bottom: 15, expected: [0, 1] },
    { name: 'from the middle of one to the middle of another', top: 25, bottom: 65, expected: [1, 2, 3] },
    { name: 'without one that only touches', top: 10, bottom: 30, expected: [1] },
    { name: 'at the end', top: 80, bottom: 500, expected: [3] },
    { name: 'behind the end', top: 200, bottom: 300, expected: [] },
  ];
  for (const { name, top, bottom, expected } of rows) {
    it(`finds the entries between two places: ${name}`, () => {
      assert.deepEqual(indicesIn(heightsOf(10, 20, 30, 40).between(top, bottom, 4)), expected);
    });
  }

  it('uses the average for unmeasured entries, once it is known', () => {
    const heights = heightsOf(10, 30);
    assert.equal(heights.of({ from: 2, to: 4 }), 200);
    heights.learn();
    assert.equal(heights.of({ from: 2, to: 4 }), 40);
    assert.equal(heights.of({ from: 0, to: 4 }), 80);
  });

  it('remembers the last height of each', () => {
    const heights = heightsOf(10, 30);
    heights.set(0, 50);
    assert.equal(heights.of({ from: 0, to: 2 }), 80);
  });

  it('finds the entry at a position for any heights', () => {
    const height = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(fc.array(height), fc.nat(5000), fc.nat(2000), (list, top, length) => {
        const heights = heightsOf(...list);
        const near = heights.between(top, top + length, list.length);
        const before = heights.of({ from: 0, to: near.from });
        const whole = heights.of({ from: 0, to: list.length });
        assert.ok(before <= top);
        assert.ok(before + heights.of(near) >= Math.min(top + length, whole));
        // None of them could be left out.
        if (near.to - near.from > 1) {
          assert.ok(before + heights.of({ from: near.from, to: near.from + 1 }) > top);
          assert.ok(before + heights.of({ from: near.from, to: near.to - 1 }) < top + length);
        }
      }),
    );
  });
});

describe('drawnEntries', () => {
  it('draws the near ones, the newest and those that are held, and keeps the room of the others', () => {
    assert.deepEqual(drawnEntries(100, { from: 40, to: 43 }, [7]), [
      { from: 0, to: 7 },
      7,
      { from: 8, to: 40 },
      ...[40, 41, 42],
      { from: 43, to: 96 },
      ...[96, 97, 98, 99],
    ]);
  });

  it('draws a short conversation as a whole', () => {
    assert.deepEqual(drawnEntries(3, { from: 3, to: 3 }, []), [0, 1, 2]);
    assert.deepEqual(drawnEntries(0, { from: 0, to: 0 }, []), []);
  });

  it('has each entry once, in order, and always the newest', () => {
    const index = fc.nat(60);
    fc.assert(
      fc.property(index, index, index, fc.array(index), (count, from, length, held) => {
        const drawn = drawnEntries(count, { from, to: from + length }, held);
        const all = drawn.flatMap((item) => (typeof item === 'number' ? [item] : indicesIn(item)));
        assert.deepEqual(all, indicesIn({ from: 0, to: count }));
        const entries = new Set(drawn.filter((item) => typeof item === 'number'));
        const wanted = [...held, ...indicesIn({ from, to: from + length }), ...all.slice(-NEWEST)];
        for (const each of wanted) assert.equal(entries.has(each), each < count);
      }),
    );
  });
});
