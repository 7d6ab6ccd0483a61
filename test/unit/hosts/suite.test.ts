import assert from 'node:assert/strict';
import { partOf } from '../../hosts/suite';

describe('partOf', () => {
  const files = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

  it('is all of them if there is one part', () => {
    assert.deepEqual(partOf(files, '1/1'), files);
  });

  it('has each file in one part of three', () => {
    const parts = ['1/3', '2/3', '3/3'].map((part) => partOf(files, part));
    assert.deepEqual(parts, [
      ['a', 'd', 'g'],
      ['b', 'e'],
      ['c', 'f'],
    ]);
  });
});
