import assert from 'node:assert/strict';
import { succeeded, summary } from '../../hosts/summary';

const good = { file: '/out/test/e2e/lab.test.js', passed: 2, failures: [] };
const bad = {
  file: '/out/test/e2e/mcp.test.js',
  passed: 1,
  failures: [{ title: 'a server starts', message: 'AssertionError: 1 == 2\n  more' }],
};

describe('summary', () => {
  it('has a row for each step, what failed and why, and the counts in its last line', () => {
    const steps = [
      { name: 'unit', seconds: 61.26, results: [good] },
      { name: 'e2e', seconds: 7, results: [good, bad] },
    ];
    assert.equal(
      summary(steps),
      `
unit           61.3 s  2 passed, 0 failed
e2e             7.0 s  3 passed, 1 failed

Failed in e2e: mcp.test.js: a server starts
    AssertionError: 1 == 2
      more

5 passed, 1 failed`,
    );
    assert.equal(succeeded(steps), false);
  });

  it('has one row for the parts of a step', () => {
    const steps = [
      { name: 'unit', seconds: 1, results: [good] },
      { name: 'e2e', seconds: 7, results: [good], again: [good] },
      { name: 'unit', seconds: 2, results: [good] },
    ];
    assert.match(
      summary(steps),
      /^unit {12}3\.0 s {2}4 passed, 0 failed\ne2e .* 2 passed, 0 failed; run once more: lab\.test\.js$/m,
    );
  });

  it('says what was run once more, and why', () => {
    const steps = [{ name: 'e2e', seconds: 7, results: [good, { ...good, file: bad.file }], again: [bad] }];
    assert.equal(
      summary(steps),
      `
e2e             7.0 s  4 passed, 0 failed; run once more: mcp.test.js

Failed at the first try in e2e: mcp.test.js: a server starts
    AssertionError: 1 == 2
      more

4 passed, 0 failed`,
    );
    assert.equal(succeeded(steps), true);
  });
});

describe('succeeded', () => {
  it('is false if nothing ran', () => {
    assert.equal(succeeded([{ name: 'unit', seconds: 0, results: [] }]), false);
  });
});
