import assert from 'node:assert/strict';
import { readResults, resultsLine } from '../../hosts/results';

describe('readResults', () => {
  it('reads the last line that resultsLine wrote', () => {
    const failure = { title: 'the lab opens', message: 'one\ntwo' };
    const first = [{ file: '/a.test.js', passed: 1, failures: [] }];
    const last = [...first, { file: '/b.test.js', passed: 0, failures: [failure] }];
    const output = [resultsLine(first), '  2 passing', resultsLine(last), 'bye'];
    assert.deepEqual(readResults(output.join('\n')), last);
  });

  it('finds nothing in a run that broke off', () => {
    assert.equal(readResults('  ✔ opens\nSegmentation fault'), undefined);
  });
});
