import assert from 'node:assert/strict';
import { countsLine, readCounts } from '../../hosts/counts';

describe('readCounts', () => {
  it('reads the last line that countsLine wrote', () => {
    const output = [
      countsLine({ passed: 1, failed: 1 }),
      '  2 passing',
      countsLine({ passed: 2, failed: 0 }),
      'bye',
    ];
    assert.deepEqual(readCounts(output.join('\n')), { passed: 2, failed: 0 });
  });

  it('finds nothing in a run that broke off', () => {
    assert.equal(readCounts('  ✔ opens\nSegmentation fault'), undefined);
  });
});
