import assert from 'node:assert/strict';
import { newText, type Selected } from '../../../../../src/host/ui/apply-code/new-text';

function selected(
  ...[line, character, endLine, endCharacter]: readonly [number, number, number, number]
): Selected {
  return { start: { line, character }, end: { line: endLine, character: endCharacter } };
}

describe('the text of a file with code of a reply', () => {
  const cases: readonly {
    readonly name: string;
    readonly code: string;
    readonly info?: string;
    readonly before?: string;
    readonly selected?: Selected;
    /** The part and the text, or the reason for a refusal. */
    readonly expect: string;
  }[] = [
    { name: 'is the code in a new file', code: 'a\nb', expect: 'new: a\nb\n' },
    { name: 'is the code in the place of the whole', code: 'x', before: 'a\nb\n', expect: 'whole: x\n' },
    {
      name: 'has the line endings that were there',
      code: 'x\ny',
      before: 'a\r\nb\r\n',
      expect: 'whole: x\r\ny\r\n',
    },
    { name: 'ends as it did', code: 'x', before: 'a\nb', expect: 'whole: x' },
    {
      name: 'is changed at a selection',
      code: 'x',
      before: 'one two three\n',
      selected: selected(0, 4, 0, 7),
      expect: 'selection: one x three\n',
    },
    {
      name: 'is changed in whole lines if these are selected',
      code: 'x\ny',
      before: 'a\r\nb\r\nc\r\n',
      selected: selected(1, 0, 2, 0),
      expect: 'selection: a\r\nx\r\ny\r\nc\r\n',
    },
    {
      name: 'counts lines as the editor does',
      code: 'x',
      before: 'a\rb\r\nc\n',
      selected: selected(2, 0, 2, 1),
      expect: 'selection: a\rb\r\nx\n',
    },
    {
      name: 'is what a diff makes of it',
      code: '-a\n+b',
      info: 'diff',
      before: 'a\nc\n',
      expect: 'diff: b\nc\n',
    },
    {
      name: 'is the result of a diff for any selection',
      code: '-a\n+b',
      info: 'diff',
      before: 'a\nc\n',
      selected: selected(1, 0, 1, 1),
      expect: 'diff: b\nc\n',
    },
    { name: 'is a new one by a diff that only adds', code: '+a', info: 'diff', expect: 'new: a\n' },
    { name: 'needs the file for another diff', code: '-a\n+b', info: 'diff', expect: 'no-file' },
    {
      name: 'rejects an empty diff',
      code: 'a',
      info: 'diff',
      before: 'a\n',
      expect: 'no-diff-of-one-file',
    },
    {
      name: 'rejects a diff without end',
      code: '@@ @@\n-a\n+b\n'.repeat(201),
      info: 'diff',
      before: 'a\n',
      expect: 'too-many-hunks',
    },
    {
      name: 'is not replaced by a part of it',
      code: 'a\n// ... existing code ...\nb',
      before: 'a\nb\n',
      expect: 'left-out',
    },
    {
      name: 'is not replaced by a part of it in Python',
      code: 'a\n    # … rest',
      before: 'a\n',
      expect: 'left-out',
    },
    {
      name: 'may hold dots all the same',
      code: '// Wait...\nf(...rest); // the rest ...',
      before: 'a\n',
      expect: 'whole: // Wait...\nf(...rest); // the rest ...\n',
    },
    { name: 'may be that already', code: 'a', before: 'a\n', expect: 'no-change' },
  ];
  for (const { name, code, info = '', before, selected, expect } of cases) {
    it(name, () => {
      const made = newText({ code, info }, { before, selected });
      assert.equal(made.type === 'applied' ? `${made.part}: ${made.text}` : made.type, expect);
    });
  }
});
