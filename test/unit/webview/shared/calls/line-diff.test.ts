import fc from 'fast-check';
import assert from 'node:assert/strict';
import { countChanges, lineDiff, type DiffLine } from '../../../../../src/webview/shared/calls/line-diff';

describe('lineDiff', () => {
  const shown = (before: string, after: string): string[] => lineDiff(before, after).map(written);

  it('shows a change with two lines around it', () => {
    const lines = Array.from({ length: 9 }, (_, index) => `${index}`);
    const after = lines.with(4, 'x').join('\n');
    assert.deepEqual(shown(lines.join('\n'), after), ['…', ' 2', ' 3', '-4', '+x', ' 5', ' 6', '…']);
  });

  it('shows the old lines before those that replace them', () => {
    assert.deepEqual(shown('a\nb\nc', 'a\nx\ny\nc'), [' a', '-b', '+x', '+y', ' c']);
  });

  it('shows a new file, an emptied one, and nothing for the same text', () => {
    assert.deepEqual(shown('', 'a\nb\n'), ['+a', '+b']);
    assert.deepEqual(shown('a\r\n', ''), ['-a']);
    assert.deepEqual(
      shown('a\n', 'a\n').filter((line) => !/^[ …]/.test(line)),
      [],
    );
  });

  it('contains both texts if it shows all lines', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const found = lineDiff([...before, ''].join('\n'), [...after, ''].join('\n'));
        const { added, removed } = countChanges(found);
        assert.equal(added - removed, after.length - before.length);
        if (found.some(({ type }) => type === 'gap')) return;
        assert.deepEqual(textsOf(found, 'added'), after);
        assert.deepEqual(textsOf(found, 'removed'), before);
      }),
    );
  });

  it('adds many lines to a few, one of which changes', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `new ${index}`);
    const { added, removed } = countChanges(
      lineDiff('a\nb\nc\nd\n', ['A', 'b', ...many, 'c', 'D', ''].join('\n')),
    );
    assert.deepEqual({ added, removed }, { added: 5_002, removed: 2 });
  });

  it('finds a few changes far apart in a long text', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    const after = lines.with(5, 'one').with(19_000, 'two').join('\n');
    assert.deepEqual(countChanges(lineDiff(lines.join('\n'), after)), { added: 2, removed: 2 });
  });

  it('shows texts with nothing in common as all old, then all new lines', () => {
    const many = (letter: string): string =>
      Array.from({ length: 3_000 }, (_, index) => `${letter}${index}`).join('\n');
    const found = lineDiff(many('a'), many('b'));
    assert.deepEqual(countChanges(found), { added: 3_000, removed: 3_000 });
    assert.equal(found[2_999]?.type, 'removed');
  });
});

const MARKS = { same: ' ', removed: '-', added: '+' };

function written(line: DiffLine): string {
  return line.type === 'gap' ? '…' : MARKS[line.type] + line.text;
}

/** One of the two texts: the lines that both have, and its own. */
function textsOf(lines: readonly DiffLine[], own: 'added' | 'removed'): string[] {
  return lines.flatMap((line) => (line.type === 'same' || line.type === own ? [line.text] : []));
}
