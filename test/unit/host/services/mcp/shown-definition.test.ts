import assert from 'node:assert/strict';
import { shownDefinition, splitCommandLine } from '../../../../../src/host/services/mcp/shown-definition';

describe('a definition that is to be approved', () => {
  it('G11.definition: hides nothing behind blanks, to the right, or in other characters', () => {
    const shown = shownDefinition(
      JSON.stringify(
        { args: [`safe${' '.repeat(3_000)}; evil`, 'a\u202eb', `${'x'.repeat(500)}end`] },
        undefined,
        2,
      ),
    );
    assert.match(shown, /safe⟨3000 blanks⟩; evil/);
    assert.match(shown, /a⟨U\+202E⟩b/);
    assert.ok(shown.split('\n').every((line) => line.length <= 90));
    assert.match(shown.replace(/\n {4}⤷ /g, ''), /x{500}end/);
  });

  it('is shown unchanged if it is plain', () => {
    const text = JSON.stringify({ command: 'node', args: ['a b', 'c'] }, undefined, 2);
    assert.equal(shownDefinition(text).trim(), text);
  });
});

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
