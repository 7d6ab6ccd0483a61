import fc from 'fast-check';
import assert from 'node:assert/strict';
import { lineChanges } from '../../../../src/tools/edit/line-changes';

describe('lineChanges', () => {
  for (const { name, before, after, expect } of [
    { name: 'counts nothing for the same text', before: 'a\nb\n', after: 'a\nb\n', expect: [0, 0] },
    { name: 'counts a new file', before: '', after: 'a\nb\n', expect: [2, 0] },
    { name: 'counts changes far apart', before: '1\n2\n3\n4\n5\n', after: 'x\n2\n3\n4\ny\n', expect: [2, 2] },
    { name: 'counts a line that moved', before: 'a\nb\nc\n', after: 'b\nc\na\n', expect: [1, 1] },
    { name: 'does not count line endings', before: 'a\r\nb\r\n', after: 'a\nb\n', expect: [0, 0] },
  ]) {
    it(name, () => assert.deepEqual(lineChanges(before, after), { added: expect[0], removed: expect[1] }));
  }

  it('leaves out as few lines as possible', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const common = longestCommon(before, after);
        assert.deepEqual(lineChanges(before.join('\n'), after.join('\n')), {
          added: after.length - common,
          removed: before.length - common,
        });
      }),
    );
  });

  it('counts texts with nothing in common', () => {
    const many = (letter: string): string =>
      Array.from({ length: 5000 }, (_, index) => `${letter}${index}`).join('\n');
    assert.deepEqual(lineChanges(many('a'), many('b')), { added: 5000, removed: 5000 });
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const [first, ...rest] = a;
  if (first === undefined || b.length === 0) return 0;
  const at = b.indexOf(first);
  const without = longestCommon(rest, b);
  return at < 0 ? without : Math.max(without, 1 + longestCommon(rest, b.slice(at + 1)));
}
