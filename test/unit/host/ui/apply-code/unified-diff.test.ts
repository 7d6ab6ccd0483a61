import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyDiff, isDiff, readDiff } from '../../../../../src/host/ui/apply-code/unified-diff';

function apply(text: string, diff: string): string {
  const read = readDiff(diff);
  if (!read) return 'no diff';
  const outcome = applyDiff(text, read);
  return outcome.type === 'applied' ? outcome.text : `${outcome.type} ${outcome.hunk}`;
}

describe('a unified diff', () => {
  const cases: readonly {
    readonly name: string;
    readonly text: string;
    readonly diff: string;
    readonly expect: string;
  }[] = [
    {
      name: 'changes lines where it says',
      text: 'a\nb\nc\nb\nc\n',
      diff: '--- a/x\n+++ b/x\n@@ -4,2 +4,2 @@\n b\n-c\n+d',
      expect: 'a\nb\nc\nb\nd\n',
    },
    {
      name: 'finds its only place if the numbers are wrong',
      text: 'a\nb\nc\n',
      diff: '@@ -90,2 +90,2 @@\n b\n-c\n+d',
      expect: 'a\nb\nd\n',
    },
    {
      name: 'is refused if its place is ambiguous',
      text: 'b\nc\nb\nc\n',
      diff: '@@ -90,2 +90,2 @@\n b\n-c\n+d',
      expect: 'many-places 1',
    },
    {
      name: 'is refused as a whole if one part does not fit',
      text: 'a\nb\n',
      diff: '@@ -1 +1 @@\n-a\n+A\n@@ -2 +2 @@\n-x\n+y',
      expect: 'no-place 2',
    },
    {
      name: 'needs no header and no numbers',
      text: 'a\nb\nc\n',
      diff: ' a\n-b\n+B\n c',
      expect: 'a\nB\nc\n',
    },
    {
      name: 'matches whole lines only',
      text: 'foobar\nbar\n',
      diff: '@@ @@\n-bar\n+x',
      expect: 'foobar\nx\n',
    },
    {
      name: 'keeps line endings, trailing blanks and an end without a line break',
      text: 'a  \r\nb\r\nc',
      diff: '@@ -1,3 +1,4 @@\n a\n b\n+B\n c',
      expect: 'a  \r\nb\r\nB\r\nc',
    },
    {
      name: 'appends after the last line',
      text: 'a\nb',
      diff: '@@ -1,2 +1,3 @@\n a\n b\n+c\n\\ No newline at end of file',
      expect: 'a\nb\nc',
    },
    {
      name: 'has kept blank lines without their blank, and a blank line between its parts',
      text: 'a\n\nb\nc\nd\n',
      diff: '@@ -1,3 +1,3 @@\n-a\n+A\n\n b\n\n@@ -5 +5 @@\n-d\n+D\n',
      expect: 'A\n\nb\nc\nD\n',
    },
    {
      name: 'may remove a line that looks like a header',
      text: '-- x\nb\n',
      diff: '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- x\n+++ y\n b',
      expect: '++ y\nb\n',
    },
    {
      name: 'makes a new file',
      text: '',
      diff: '--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b',
      expect: 'a\nb\n',
    },
    {
      name: 'adds nothing without a line around it to a file that holds something',
      text: 'a\n',
      diff: '@@ -1,0 +2 @@\n+b',
      expect: 'no-place 1',
    },
    { name: 'that changes nothing is not a diff', text: 'a\n', diff: '@@ -1 +1 @@\n a', expect: 'no diff' },
    {
      name: 'of several files is not a diff',
      text: 'a\n',
      diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b',
      expect: 'no diff',
    },
  ];
  for (const { name, text, diff, expect } of cases) {
    it(name, () => assert.equal(apply(text, diff), expect));
  }

  it('names the file as it is after the change', () => {
    const path = (header: string): string | undefined => readDiff(`${header}\n@@ -1 +1 @@\n-a\n+b`)?.path;
    assert.equal(
      path('diff --git a/old.ts b/new.ts\nindex 1..2 100644\n--- a/old.ts\n+++ b/new.ts'),
      'new.ts',
    );
    assert.equal(path('--- src/a b.ts\t2024-01-01\n+++ src/a b.ts\t2024-01-02'), 'src/a b.ts');
    assert.equal(path('--- a/x\n+++ /dev/null'), undefined);
  });

  it('is known by its fence or by its form', () => {
    assert.ok(isDiff('-a\n+b', 'diff'));
    assert.ok(isDiff('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b', 'ts'));
    assert.ok(!isDiff('- one\n- two', 'markdown'));
    assert.ok(!isDiff('let different;', 'ts different'));
  });

  it('of any two texts, with all their lines, makes the second of the first', () => {
    const lines = fc.array(fc.constantFrom('', 'a', 'b', ' c', '-d', '+e', '@@', '--- f', '\\'), {
      minLength: 1,
    });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const signed = [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
        const diff = ['--- a/x', '+++ b/x', `@@ -1,${before.length} +1,${after.length} @@`, ...signed].join(
          '\n',
        );
        assert.equal(apply(`${before.join('\n')}\n`, diff), `${after.join('\n')}\n`);
      }),
    );
  });
});
