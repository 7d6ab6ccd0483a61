import assert from 'node:assert/strict';
import { ChangeGuard } from '../../../../../src/core/run/changes/change-guard';
import type { ToolCall } from '../../../../../src/core/words/messages';
import type { PreparedCall } from '../../../../../src/core/words/tool';

let count = 0;
function callOf(name = 'edit_file'): ToolCall {
  return { id: `c${++count}`, name, arguments: {}, start: 0, end: 0, mark: 'clean', notes: [] };
}

function changing(before: string, after: string, path = 'src/a.js'): PreparedCall {
  return {
    title: 'Edit',
    accesses: [],
    preview: { type: 'diff', path, before, after },
    run: () => Promise.resolve({ text: '' }),
  };
}

const reading = (path: string): PreparedCall => ({
  title: 'Read',
  accesses: [{ effect: 'read', target: path, kind: 'path', verdict: { decision: 'auto', reason: 'a test' } }],
  run: () => Promise.resolve({ text: '' }),
});

const CODE = 'function a() {\n  return 1;\n}\nfunction b() {\n  return [2];\n}\n';

describe('a change of a small model', () => {
  const rows: readonly {
    readonly what: string;
    readonly task?: string;
    readonly call?: ToolCall['name'];
    readonly change: readonly [before: string, after: string, path?: string];
    readonly says?: RegExp;
    readonly isAlways?: true;
  }[] = [
    { what: 'of one line is made', change: [CODE, CODE.replace('1', '3')] },
    { what: 'of nothing is never made', change: [CODE, CODE], says: /Nothing is different/, isAlways: true },
    {
      what: 'that loses a function which the file uses is never made',
      task: 'Add c to it; it is the mean.',
      change: ['function mean() {}\nexports.x = { mean };\n', 'function c() {}\nexports.x = { mean, c };\n'],
      says: /remove mean, which src\/a\.js still uses/,
      isAlways: true,
    },
    {
      what: 'that imports a function instead is made',
      task: 'Use money.js.',
      change: [
        'function money() {}\nexports.x = () => money();\n',
        "const { money } = require('./money');\nexports.x = () => money();\n",
      ],
    },
    { what: 'that adds lines is made', change: [CODE, `${CODE}function c() {}\n`] },
    { what: 'of a file without brackets is made', change: ['a (\n', 'a (((\n', 'notes.txt'] },
    {
      what: 'that opens a bracket is never made',
      change: [CODE, CODE.replace('[2]', '[2')],
      says: /without its opening bracket[^]*return \[2\];/,
      isAlways: true,
    },
    { what: 'of brackets in a text is made', change: [CODE, CODE.replace('1', '"}"')] },
    { what: 'of brackets in a comment is made', change: [CODE, `// (\n${CODE}`] },
    {
      what: 'of Python that opens a bracket is never made',
      change: ['a = (1)\n', 'a = (1\n', 'a.py'],
      says: /never closed/,
      isAlways: true,
    },
    { what: 'of a file whose brackets never matched is made', change: ['a(\n', 'a(\nb\n'] },
    {
      what: 'that loses a function is held back',
      change: [CODE, CODE.replace(/function b[^]*/, '')],
      says: /remove b\n/,
    },
    {
      what: 'that renames what the task names is made',
      task: 'Rename b to c.',
      change: [CODE, CODE.replace('function b', 'function c')],
    },
    {
      what: 'that loses most lines is held back',
      change: ['a\nb\nc\nd\ne\n', 'a\nx\n', 'list.txt'],
      says: /these lines:\nb\nc/,
    },
    {
      what: 'that adds the lines above once more is never made',
      change: ['a = 1\n', 'a = 1\na = 1\n', 'a.ini'],
      says: /in a\.ini already/,
      isAlways: true,
    },
    {
      what: 'that adds only lines of the file is held back',
      change: ['a = 1\nb = 2\nc = 3\n', 'a = 1\nb = 2\nc = 3\na = 1\nb = 2\n', 'a.ini'],
      says: /in a\.ini already/,
    },
    { what: 'that adds a bracket of its own is made', change: ['a(\n);\n', 'a(\n);\nb(\n);\n'] },
    {
      what: 'that replaces an unread file is held back',
      call: 'write_file',
      change: ['a\n', 'b\n', 'a.txt'],
      says: /not read it[^]*a\.txt is:\na/,
    },
    { what: 'that makes a new file is made', call: 'write_file', change: ['', 'b\n', 'b.txt'] },
    {
      what: 'that a question does not ask for is held back',
      task: 'What is a?',
      change: ['a\n', 'a\nb\n', 'a.txt'],
      says: /asks for an answer/,
    },
  ];
  for (const { what, task = 'Do it.', call, change, says, isAlways } of rows) {
    it(what, () => {
      const guard = new ChangeGuard(task, !task.endsWith('?'));
      const prepared = changing(...change);
      const first = callOf(call);
      const refusal = guard.refusal(first, prepared);
      if (!says) return assert.equal(refusal, undefined);
      assert.match(refusal ?? '', says);
      assert.equal(guard.mayRepeat(first), !isAlways);
      const again = guard.refusal(callOf(call), prepared);
      assert.equal(again !== undefined, isAlways ?? false);
    });
  }

  // Each of them takes hours if every character is read again from every place.
  const huge: readonly (readonly [what: string, text: string, path: string])[] = [
    ['comments that never end', '/* '.repeat(300_000), 'a.js'],
    ['texts that never end', '\\"'.repeat(400_000), 'a.js'],
    ['long texts of Python that never end', "'''".repeat(300_001), 'a.py'],
    ['imports that never end', 'import {'.repeat(100_000), 'a.ts'],
    ['blank lines', '\n'.repeat(800_000), 'a.py'],
    ['equal lines', 'a = 1\n'.repeat(130_000), 'a.py'],
    ['different lines', Array.from({ length: 100_000 }, (_, at) => `a${at}\n`).join(''), 'a.py'],
  ];
  for (const [what, text, path] of huge) {
    it(`is judged at once in a file of ${what}`, () => {
      const guard = new ChangeGuard('Do it.', true);
      guard.ran(changing('', text, path));
      guard.refusal(callOf('write_file'), changing(text, `${text}b = 2;\nc = 3;\n`, path));
    });
  }

  it('may replace a file that was read', () => {
    const guard = new ChangeGuard('Do it.', true);
    guard.ran(reading('a.txt'));
    assert.equal(guard.refusal(callOf('write_file'), changing('a\n', 'b\n', 'a.txt')), undefined);
  });

  it('of lines that it wrote itself is held back once, with the task', () => {
    const guard = new ChangeGuard('Set x to 2.', true);
    guard.ran(changing('x = 1\ny = 1\nz = 1\n', 'x = 2\ny = 1\nz = 1\n', 'a.ini'));
    const undo = changing('x = 2\ny = 1\nz = 1\n', 'x = 3\ny = 1\nz = 1\n', 'a.ini');
    assert.match(guard.refusal(callOf(), undo) ?? '', /yourself a moment ago\. The task was:\nSet x to 2\./);
    assert.equal(guard.refusal(callOf(), undo), undefined);
    const other = changing('x = 2\ny = 1\nz = 1\n', 'x = 2\ny = 2\nz = 1\n', 'a.ini');
    assert.equal(guard.refusal(callOf(), other), undefined);
  });
});
