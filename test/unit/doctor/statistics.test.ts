import assert from 'node:assert/strict';
import { chancesOfBest, threeInARow, wilson } from '../../../src/doctor/statistics';

const percent = (share: number): number => Math.round(share * 100);

describe("Wilson's interval", () => {
  for (const [right, n, low, high] of [
    [8, 8, 68, 100],
    [16, 16, 81, 100],
    [24, 24, 86, 100],
    [20, 24, 64, 93],
    [0, 8, 0, 32],
    [0, 0, 0, 100],
  ] as const) {
    it(`of ${right} of ${n} is ${low}–${high} %`, () => {
      assert.deepEqual(wilson({ right, n }).map(percent), [low, high]);
    });
  }
});

it('three in a row are rarer than one', () => {
  assert.deepEqual(threeInARow(wilson({ right: 16, n: 16 })).map(percent), [52, 100]);
});

describe('the chance to be within five points of the best', () => {
  it('is certain for one alone', () => {
    assert.deepEqual(chancesOfBest([{ right: 1, n: 8 }]).map(percent), [100]);
  });

  it('is the same for equal results, in any order', () => {
    const [one, other] = chancesOfBest([
      { right: 20, n: 24 },
      { right: 20, n: 24 },
    ]);
    assert.equal(one, other);
    assert.ok(one! > 0.5 && one! < 0.9);
  });

  it('is as when drawn', () => {
    const tallies = [
      { right: 7, n: 8 },
      { right: 4, n: 8 },
      { right: 1, n: 8 },
    ];
    // Drawn 400,000 times from three beta distributions, with another program.
    const drawn = [0.96, 0.102, 0.002];
    for (const [at, chance] of chancesOfBest(tallies).entries())
      assert.ok(Math.abs(chance - drawn[at]!) < 0.01, `${at}: ${chance}`);
  });

  it('grows with what was seen', () => {
    const lead = (times: number): number =>
      chancesOfBest([
        { right: 7 * times, n: 8 * times },
        { right: 5 * times, n: 8 * times },
      ])[0]!;
    assert.ok(lead(1) < lead(2) && lead(2) < lead(4));
  });

  it('is the whole range if nothing was counted', () => {
    for (const chance of chancesOfBest([
      { right: 0, n: 0 },
      { right: 0, n: 0 },
    ]))
      assert.equal(percent(chance), 55);
  });
});
