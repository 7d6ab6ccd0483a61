import assert from 'node:assert/strict';
import { readPs } from '../../../../src/node/processes/process-list';

describe('processes as ps lists them', () => {
  it('are told apart by when they started', () => {
    const listed = [
      '  1     0     1 Ss   Sat Nov 28 23:01:51 2026',
      ' 42     1    42 S+   Sun Nov 29 00:00:01 2026    ',
      ' 43     1    43 Z    Sun Nov 29 00:00:02 2026',
      '',
    ].join('\n');
    const found = readPs(listed);
    assert.deepEqual(
      found.map(({ pid, parent, group, start }) => [pid, parent, group, start]),
      [
        [1, 0, 1, 'Sat Nov 28 23:01:51 2026'],
        [42, 1, 42, 'Sun Nov 29 00:00:01 2026'],
      ],
    );
  });
});
