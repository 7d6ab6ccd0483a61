import assert from 'node:assert/strict';
import { cleanOutput } from '../../../src/tools/commands';

const rows = [
  { name: 'removes colours', output: '\x1b[1;31mred\x1b[0m', expect: 'red' },
  {
    name: 'removes titles and links',
    output: '\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\',
    expect: 'alink',
  },
  { name: 'removes cursor movements', output: 'a\x1b[2Kb\x1b(Bc\x1b=d', expect: 'abcd' },
  {
    name: 'keeps the last state of a progress bar',
    output: '10%\r50%\r100%\ndone\n',
    expect: '100%\ndone\n',
  },
  { name: 'keeps a line that ends with a carriage return', output: 'a\r\nb\r\n', expect: 'a\nb\n' },
  { name: 'applies backspaces', output: 'abc\b\bX', expect: 'aX' },
  { name: 'draws invisible characters', output: 'a\u202eb', expect: 'a⟨U+202E⟩b' },
  { name: 'draws tag characters', output: 'a\u{e0041}', expect: 'a⟨U+E0041⟩' },
];

describe('cleanOutput', () => {
  for (const { name, output, expect } of rows) it(name, () => assert.equal(cleanOutput(output), expect));
});
