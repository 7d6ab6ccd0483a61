import assert from 'node:assert/strict';
import { overlaps } from '../../../../src/policy/paths/path-text';
import { cpuMs } from '../../../support/measure/cpu-time';

describe('overlaps', () => {
  for (const { first, second, expect } of [
    { first: '', second: '', expect: true },
    { first: '', second: '**', expect: true },
    { first: '', second: '*a', expect: false },
    { first: '*', second: '', expect: true },
    { first: 'a', second: '**', expect: true },
    { first: 'a', second: 'a*', expect: true },
    { first: 'a', second: 'b*', expect: false },
    { first: 'a*c', second: '*b*', expect: true },
    { first: 'a?', second: '?b', expect: true },
    { first: 'a?', second: 'a', expect: false },
    { first: '*.pem', second: 'x.*', expect: true },
    { first: '*.pem', second: 'x.p', expect: false },
  ]) {
    it(`${first || 'nothing'} and ${second || 'nothing'}: ${expect ? 'yes' : 'no'}`, () => {
      assert.equal(overlaps(first, second), expect);
      assert.equal(overlaps(second, first), expect);
    });
  }

  it('takes time as the product of both lengths, and no more', () => {
    const took = cpuMs(() => {
      for (const letter of ['*', 'b']) overlaps('a*', letter.repeat(100_000));
    });
    assert.ok(took < 1_000);
  });
});
