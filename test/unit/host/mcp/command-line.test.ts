import assert from 'node:assert/strict';
import { splitCommandLine } from '../../../../src/host/mcp/shown-definition';

describe('a command line', () => {
  for (const [text, words] of [
    ['npx -y @a/b', ['npx', '-y', '@a/b']],
    ['  node  "my server.js" --name=\'a "b"\' ', ['node', 'my server.js', '--name=a "b"']],
    [String.raw`C:\tools\x.exe ""`, [String.raw`C:\tools\x.exe`, '']],
    ['', []],
  ] as const) {
    it(`${JSON.stringify(text)} has ${words.length} words`, () => {
      assert.deepEqual(splitCommandLine(text), words);
    });
  }
});
