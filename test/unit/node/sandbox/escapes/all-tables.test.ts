import assert from 'node:assert/strict';
import { tables } from '../../../../support/escapes/tables';
import { skippedLine } from '../../../../support/sandbox-available';

describe('the tables of attempts', () => {
  const rows = Object.values(tables).flat();

  it('G38 contain at least 60 that succeed outside on every machine, as every user', () => {
    const certain = rows.filter(({ needs, isRoots }) => needs === undefined && !isRoots);
    assert.ok(certain.length >= 60, `${certain.length} of ${rows.length}`);
  });

  it('name each once', () => {
    const names = rows.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    );
  });

  it('say in one line why they were not run', () => {
    assert.equal(
      skippedLine('attempts', 'bwrap is not installed. Install the package bubblewrap.'),
      'Not tested: attempts. The sandbox does not work here. bwrap is not installed. Install the package bubblewrap.',
    );
  });
});
