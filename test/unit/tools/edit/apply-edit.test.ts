import fc from 'fast-check';
import assert from 'node:assert/strict';
import { applyEdit, type Edit } from '../../../../src/tools/edit/apply-edit';
import { cpuMs } from '../../../support/measure/cpu-time';

interface Row {
  readonly name: string;
  readonly text: string;
  readonly old: string;
  readonly new: string;
  readonly times?: number;
  /** The new text, or `: outcome` with the offsets it names. */
  readonly expect: string;
}

const exact: Row[] = [
  { name: 'replaces the only place', text: 'one two three', old: 'two', new: '2', expect: 'one 2 three' },
  { name: 'deletes text', text: 'a\nb\nc\n', old: 'b\n', new: '', expect: 'a\nc\n' },
  {
    name: 'takes the replacement literally',
    text: 'a x c',
    old: 'x',
    new: "$& $1 $$ $' \\n",
    expect: "a $& $1 $$ $' \\n c",
  },
  {
    name: 'takes regex characters literally',
    text: 'f(a.b) [x]* f(aXb)',
    old: 'f(a.b) [x]*',
    new: 'g',
    expect: 'g f(aXb)',
  },
  {
    name: 'replaces as many places as expected',
    text: 'x-x-x',
    old: 'x',
    new: 'yy',
    times: 3,
    expect: 'yy-yy-yy',
  },
  {
    name: 'refuses more places than expected',
    text: 'x\ny\nx\n',
    old: 'x',
    new: 'z',
    expect: ': wrong-count 0,4',
  },
  {
    name: 'refuses fewer places than expected',
    text: 'x\ny\n',
    old: 'x',
    new: 'z',
    times: 2,
    expect: ': wrong-count 0',
  },
  { name: 'counts places that overlap', text: 'aaa', old: 'aa', new: 'b', expect: ': wrong-count 0,1' },
  {
    name: 'never replaces places that overlap',
    text: 'aaa',
    old: 'aa',
    new: 'b',
    times: 2,
    expect: ': overlapping 0,1',
  },
  { name: 'refuses an edit that changes nothing', text: 'abc', old: 'b', new: 'b', expect: ': no-change' },
  {
    name: 'keeps emoji and combining characters',
    text: 'a 👩‍👩‍👧 é\n',
    old: ' é',
    new: ' è',
    expect: 'a 👩‍👩‍👧 è\n',
  },
  {
    name: 'begins and ends inside a line',
    text: 'return foo(1);\nbar();\n',
    old: 'foo(1);\nbar',
    new: 'baz();\nqux',
    expect: 'return baz();\nqux();\n',
  },
  {
    name: 'gives new lines the ending of the line they come into',
    text: 'a\r\nb\r\nc\r\n',
    old: 'b',
    new: 'b1\nb2',
    expect: 'a\r\nb1\r\nb2\r\nc\r\n',
  },
  {
    name: 'takes line endings literally where both sides show them',
    text: 'a\nb\n',
    old: 'a\nb',
    new: 'a\r\nb',
    expect: 'a\r\nb\n',
  },
  {
    name: 'prefers the exact place to a loose one',
    text: 'x = 1;  \nx = 1;\ny',
    old: 'x = 1;\ny',
    new: 'z',
    expect: 'x = 1;  \nz',
  },
];

const loose: Row[] = [
  {
    name: 'finds LF text in a CRLF file',
    text: 'a\r\nb\r\nc\r\n',
    old: 'a\nb\n',
    new: 'a\nB\nB2\n',
    expect: 'a\r\nB\r\nB2\r\nc\r\n',
  },
  {
    name: 'finds CRLF text in an LF file',
    text: 'a\nb\nc\n',
    old: 'a\r\nb',
    new: 'a\r\nB',
    expect: 'a\nB\nc\n',
  },
  {
    name: 'keeps mixed line endings of lines that stay',
    text: 'a\r\nb\nc\r\nd\n',
    old: 'a\nb\nc\nd',
    new: 'a\nb\nX\nd',
    expect: 'a\r\nb\nX\r\nd\n',
  },
  {
    name: 'finds LF text inside lines of a CRLF file',
    text: 'x(a,\r\n  b);\r\n',
    old: 'a,\n  b',
    new: 'a,\n  c',
    expect: 'x(a,\r\n  c);\r\n',
  },
  {
    name: 'ignores trailing blanks of the file and keeps those of lines that stay',
    text: 'a  \nb\t\nc\n',
    old: 'a\nb\nc',
    new: 'a\nB\nc',
    expect: 'a  \nB\nc\n',
  },
  {
    name: 'ignores trailing blanks of old',
    text: '  foo();\nbar();\n',
    old: '  foo();   \nbar();',
    new: '  foo(1);\nbar();',
    expect: '  foo(1);\nbar();\n',
  },
  {
    name: 'ignores trailing blanks of a single line',
    text: 'a\nfoo();\nb\n',
    old: 'foo(); ',
    new: 'bar();',
    expect: 'a\nbar();\nb\n',
  },
  {
    name: 'does not take trailing blanks for the beginning of a word',
    text: 'x = 10\n',
    old: 'x = 1 ',
    new: 'x = 2',
    expect: ': not-found',
  },
  { name: 'works without a final line break', text: 'a\nb', old: 'b\n', new: 'c\n', expect: 'a\nc' },
  {
    name: 'adds lines before a missing final line break',
    text: 'a\nb',
    old: 'b\n',
    new: 'b\nc\n',
    expect: 'a\nb\nc',
  },
  {
    name: 'shifts to more indentation',
    text: 'class A {\n    f() {\n      x;\n    }\n}\n',
    old: 'f() {\n  x;\n}',
    new: 'f() {\n  y;\n\n  z;\n}',
    expect: 'class A {\n    f() {\n      y;\n\n      z;\n    }\n}\n',
  },
  {
    name: 'shifts to less indentation',
    text: 'f() {\n  x;\n}\n',
    old: '    f() {\n      x;\n    }\n',
    new: '    f() {\n      y;\n    }\n',
    expect: 'f() {\n  y;\n}\n',
  },
  {
    name: 'shifts by tabs',
    text: '\t\tif (a)\n\t\t\tb;\n',
    old: 'if (a)\n\tb;',
    new: 'if (a)\n\tc;',
    expect: '\t\tif (a)\n\t\t\tc;\n',
  },
  {
    name: 'shifts a single line',
    text: 'a:\n    b: 1\n',
    old: '  b: 1  ',
    new: '  b: 2',
    expect: 'a:\n    b: 2\n',
  },
  {
    name: 'refuses an uneven shift',
    text: '  a {\n    b\n  }\n',
    old: 'a {\n    b\n}',
    new: 'x',
    expect: ': not-found',
  },
  {
    name: 'refuses tabs for blanks',
    text: '\ta;\n\t\tb;\n',
    old: '  a;\n    b;\n',
    new: 'x',
    expect: ': not-found',
  },
  {
    name: 'refuses new text with less indentation than the file allows',
    text: 'a {\n  b\n}\n',
    old: '  a {\n    b\n  }',
    new: '  a {\nb\n  }',
    expect: ': unfit-indentation 0',
  },
  {
    name: 'refuses several loose places',
    text: 'a \nb\n-\na\t\nb\n',
    old: 'a\nb',
    new: 'x',
    expect: ': wrong-count 0,7',
  },
  {
    name: 'replaces as many loose places as expected',
    text: 'a \nb\n-\na\t\nb\n',
    old: 'a\nb',
    new: 'x',
    times: 2,
    expect: 'x\n-\nx\n',
  },
  {
    name: 'never matches by first and last line only',
    text: 'begin\nmiddle\nend\n',
    old: 'begin\nother\nend',
    new: 'x',
    expect: ': not-found',
  },
  {
    name: 'never matches what is only similar',
    text: 'const total = sum(items);\n',
    old: 'const total = sum(item);',
    new: 'x',
    expect: ': not-found',
  },
  { name: 'ignores no blank inside a line', text: 'a  b\n', old: 'a b', new: 'x', expect: ': not-found' },
  { name: 'ignores no blank line', text: 'a\n\nb\n', old: 'a\nb', new: 'x', expect: ': not-found' },
  {
    name: 'counts the last line of a text once',
    text: 'foo\n',
    old: 'foo\n\n',
    new: 'x',
    expect: ': not-found',
  },
  {
    name: 'does not match blank lines alone',
    text: 'a\n \nb\n',
    old: '  \n  ',
    new: 'x',
    expect: ': not-found',
  },
];

const MOST = 1 << 21;

describe('applyEdit', () => {
  for (const row of [...exact, ...loose]) {
    it(row.name, () => {
      assert.equal(outcome(row.text, { old: row.old, new: row.new, expect: row.times ?? 1 }), row.expect);
    });
  }

  it('equals indexOf and splice if old occurs once', () => {
    fc.assert(
      fc.property(texts, pieces, pieces, (text, old, replacement) => {
        const at = text.indexOf(old);
        fc.pre(
          at >= 0 && text.indexOf(old, at + 1) < 0 && old !== replacement && !replacement.includes('\n'),
        );
        // That would be the second half of a line ending.
        fc.pre(!(old.startsWith('\n') && text[at - 1] === '\r'));
        assert.equal(
          outcome(text, { old, new: replacement, expect: 1 }),
          text.slice(0, at) + replacement + text.slice(at + old.length),
        );
      }),
    );
  });

  it('never applies to an ambiguous place', () => {
    fc.assert(
      fc.property(texts, pieces, pieces, (text, old, replacement) => {
        fc.pre(text.includes(old) && text.indexOf(old) !== text.lastIndexOf(old));
        assert.equal(applyEdit(text, { old, new: replacement, expect: 1 }, MOST).type, 'wrong-count');
      }),
    );
  });

  it('changes nothing outside the lines it matched, however loosely', () => {
    fc.assert(
      fc.property(looseCases, ({ before, block, after, old, replacement }) => {
        const text = before + block + after;
        const applied = applyEdit(text, { old, new: replacement, expect: 1 }, MOST);
        fc.pre(applied.type === 'applied' && applied.tolerance !== 'exact');
        assert.ok(applied.text.startsWith(before), JSON.stringify(applied.text));
        assert.ok(applied.text.endsWith(after), JSON.stringify(applied.text));
        assert.equal(
          applied.text.slice(before.length, applied.text.length - after.length).trim(),
          replacement.trim(),
        );
      }),
    );
  });

  it('finds a block whatever its line endings, trailing blanks and indentation', () => {
    fc.assert(
      fc.property(looseCases, ({ before, block, after, old }) => {
        const applied = applyEdit(before + block + after, { old, new: 'DONE', expect: 1 }, MOST);
        assert.equal(applied.type, 'applied');
      }),
    );
  });

  for (const { name, text, old } of [
    {
      name: 'a text that repeats one character',
      text: 'a'.repeat(1 << 20),
      old: `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`,
    },
    {
      name: 'a text that repeats one line',
      text: 'x = 1;\n'.repeat(150_000),
      old: `${'x = 1; \n'.repeat(5000)}y`,
    },
  ]) {
    it(`gives up on ${name} without comparing everything with everything`, () => {
      const took = cpuMs(() => {
        assert.notEqual(applyEdit(text, { old, new: 'z', expect: 1 }, MOST).type, 'applied');
      });
      // Quadratic comparing takes minutes here.
      assert.ok(took < 10_000);
    });
  }
});

function outcome(text: string, edit: Edit): string {
  const result = applyEdit(text, edit, MOST);
  if (result.type === 'applied') return result.text;
  const starts = 'starts' in result ? result.starts : 'start' in result ? [result.start] : [];
  return [`: ${result.type}`, starts.join(',')].filter((part) => part !== '').join(' ');
}

/** Few different characters, so that parts occur often and overlap. */
const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '$', '('), maxLength: 40 });
const pieces = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '$', '('),
  minLength: 1,
  maxLength: 4,
});

/** A block with lines of its own in a text, and the same block as a model may remember it. */
const looseCases = fc
  .record({
    lines: fc.array(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 4 }),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    trailing: fc.constantFrom('', ' ', '\t '),
    rememberedTrailing: fc.constantFrom('', '  '),
    shift: fc.constantFrom('', '  ', '\t'),
    surrounding: fc.constantFrom('', '#\n', '## \r\n#\n'),
  })
  .map(({ lines, lineBreak, trailing, rememberedTrailing, shift, surrounding }) => {
    const numbered = lines.map((line, index) => `  ${line}${index}`);
    return {
      before: surrounding,
      block: numbered.map((line) => shift + line + trailing).join(lineBreak),
      after: `\n${surrounding}`,
      old: numbered.map((line) => line + rememberedTrailing).join('\n'),
      replacement: '  REPLACED',
    };
  });
