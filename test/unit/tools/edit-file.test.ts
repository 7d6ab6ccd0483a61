import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import { Scratch } from '../../support/scratch';
import { runContext } from '../../support/run-context';

const utf16 = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

interface Row {
  readonly name: string;
  readonly before: string | Buffer;
  readonly input: JsonObject;
  readonly result?: string;
  readonly failure?: string;
  readonly after?: string | Buffer;
}

const rows: Row[] = [
  {
    name: 'applies edits in order, each to the result of the one before',
    before: 'a\nb\nc\n',
    input: {
      edits: [
        { old: 'a', new: 'x\ny' },
        { old: 'y\nb', new: 'z' },
        { old: 'c', new: 'd' },
      ],
    },
    after: 'x\nz\nd\n',
    result: 'Edited f.txt: added 3 lines, removed 3 lines.\nedit 1: line 1\nedit 2: line 2\nedit 3: line 3',
  },
  {
    name: 'takes one edit given flat',
    before: 'a\n',
    input: { old_string: 'a', new_string: 'b' },
    after: 'b\n',
    result: 'Edited f.txt: added 1 line, removed 1 line.\nedit 1: line 1',
  },
  {
    name: 'names the lines where edits stand in the end',
    before: 'one\ntwo\nthree\n',
    input: {
      edits: [
        { old: 'three', new: '3' },
        { old: 'one\n', new: '1\n1\n1\n' },
      ],
    },
    after: '1\n1\n1\ntwo\n3\n',
    result: 'Edited f.txt: added 4 lines, removed 2 lines.\nedit 1: line 5\nedit 2: line 1',
  },
  {
    name: 'says what it did not take literally',
    before: '  a\r\n  b\r\n',
    input: { edits: [{ old: 'a\nb', new: 'a\nc' }] },
    after: '  a\r\n  c\r\n',
    result: 'Edited f.txt: added 1 line, removed 1 line.\nedit 1: line 1 (indentation shifted)',
  },
  {
    name: 'replaces all when told how many there are',
    before: 'x\ny\nx\n',
    input: { edits: [{ old: 'x', new: 'z', expect: 2 }] },
    after: 'z\ny\nz\n',
    result: 'Edited f.txt: added 2 lines, removed 2 lines.\nedit 1: lines 1, 3',
  },
  {
    name: 'keeps the byte order mark',
    before: '\ufeffa\r\nb',
    input: { edits: [{ old: 'b', new: 'c' }] },
    after: '\ufeffa\r\nc',
  },
  {
    name: 'keeps UTF-16',
    before: utf16('día\r\nb'),
    input: { edits: [{ old: 'b', new: 'ñ😀' }] },
    after: utf16('día\r\nñ😀'),
  },
  {
    name: 'applies none when one fails',
    before: 'a\nb\n',
    input: {
      edits: [
        { old: 'a', new: 'x' },
        { old: 'q', new: 'y' },
      ],
    },
    failure:
      'Edit 2 of 2: old does not occur in f.txt. Nothing in it is like it. Copy old from the file as read_file shows it, without line numbers. No edit was applied.',
  },
  {
    name: 'names every place of an ambiguous text',
    before: 'x\ny\nx\n',
    input: { edits: [{ old: 'x', new: 'z' }] },
    failure:
      'old occurs 2 times in f.txt (lines 1, 3). Add lines around it until only the place you mean fits, or set expect to 2 to replace all.',
  },
  {
    name: 'says when there are fewer places than expected',
    before: 'x\n',
    input: { edits: [{ old: 'x', new: 'z', expect: 3 }] },
    failure:
      'old occurs 1 time in f.txt (line 1), not 3 times. Correct expect, or edit each place by itself.',
  },
  {
    name: 'names the closest place and what differs',
    before: 'function a() {\n  return b + 1;\n}\n',
    input: { edits: [{ old: 'function a() {\n  return b;\n}', new: '' }] },
    failure:
      'old does not occur in f.txt. The closest place is lines 1-3; line 2 is "  return b + 1;", where old has "  return b;". Copy old from the file as read_file shows it, without line numbers.',
  },
  {
    name: 'finds the closest place of a single line by its words',
    before: 'const a = 1;\nconst total = sum(items, 0);\n',
    input: { edits: [{ old: 'const total = sum(item, 0);', new: '' }] },
    failure:
      'old does not occur in f.txt. The closest place is line 2; line 2 is "const total = sum(items, 0);", where old has "const total = sum(item, 0);". Copy old from the file as read_file shows it, without line numbers.',
  },
  {
    name: 'refuses an edit that changes nothing',
    before: 'a',
    input: { old: 'a', new: 'a' },
    failure: 'old and new are the same, so the edit changes nothing. Leave it out.',
  },
  {
    name: 'refuses edits that together change nothing',
    before: 'a',
    input: {
      edits: [
        { old: 'a', new: 'b' },
        { old: 'b', new: 'a' },
      ],
    },
    failure: 'The edits together change nothing. Leave them out.',
  },
  {
    name: 'refuses a call without an edit',
    before: 'a',
    input: {},
    failure: 'There is no edit. Give edits, or old and new for a single one.',
  },
  {
    name: 'refuses half an edit',
    before: 'a',
    input: { old: 'a' },
    failure: 'A single edit needs old and new. Give both.',
  },
  {
    name: 'refuses a list beside a flat edit',
    before: 'a',
    input: { edits: [{ old: 'a', new: 'b' }], old: 'a', new: 'c' },
    failure: 'Both edits and a single edit are given. Put all of them into edits.',
  },
  {
    name: 'refuses a text that the file cannot hold',
    before: 'a',
    input: { old: 'a', new: '\udc00' },
    failure: 'The text for f.txt holds half a character (a lone surrogate). Write the whole character.',
  },
  {
    name: 'refuses a large file',
    before: 'a'.repeat(1024 ** 2 + 1),
    input: { old: 'b', new: 'c' },
    failure: 'f.txt has 1 MiB; files are edited up to 1 MiB. Use a command.',
  },
];

describe('edit_file', () => {
  let scratch: Scratch;

  beforeEach(async () => {
    scratch = await Scratch.create();
  });
  afterEach(() => scratch.dispose());

  for (const { name, before, input, result, failure, after } of rows) {
    it(name, async () => {
      await scratch.write('f.txt', before);
      if (failure !== undefined)
        assert.equal(await scratch.failure('edit_file', { path: 'f.txt', ...input }), failure);
      else {
        const text = await scratch.call('edit_file', { path: 'f.txt', ...input });
        if (result !== undefined) assert.equal(text, result);
      }
      assert.deepEqual(await scratch.bytes('f.txt'), Buffer.from(after ?? before));
    });
  }

  it('leaves either exactly the expected bytes or the file untouched', async () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n', 'é', '😀'), maxLength: 20 });
    const edits = fc.array(fc.record({ old: texts.filter((text) => text !== ''), new: texts }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(texts, edits, fc.boolean(), async (text, list, mark) => {
        const before = Buffer.from(`${mark ? '\ufeff' : ''}${text}`);
        await scratch.write('f.txt', before);
        const prepared = await scratch
          .prepare('edit_file', { path: 'f.txt', edits: list })
          .catch(() => undefined);
        const shown = prepared?.preview?.type === 'diff' ? prepared.preview.after : text;
        const { signal } = new AbortController();
        await prepared?.run(runContext(signal));
        assert.deepEqual(await scratch.bytes('f.txt'), Buffer.from(`${mark ? '\ufeff' : ''}${shown}`));
        // The next one is made from this text; what the model saw of it is another matter.
        await scratch.call('read_file', { path: 'f.txt' });
      }),
      { numRuns: 60 },
    );
  });

  it('refuses to edit what has changed since it was read', async () => {
    await scratch.write('f.txt', 'a\nb\n');
    await scratch.call('read_file', { path: 'f.txt', start_line: 1, end_line: 1 });
    await scratch.write('f.txt', 'a\nB\n');
    assert.equal(
      await scratch.failure('edit_file', { path: 'f.txt', old: 'a', new: 'x' }),
      'f.txt has changed since it was read. Read it again before you change it.',
    );
    await scratch.call('read_file', { path: 'f.txt' });
    await scratch.call('edit_file', { path: 'f.txt', old: 'a', new: 'x' });
    await scratch.call('edit_file', { path: 'f.txt', old: 'B', new: 'y' });
    assert.equal(await scratch.read('f.txt'), 'x\ny\n');
  });

  it('refuses to write over what changed while the user was asked', async () => {
    await scratch.write('f.txt', 'a\n');
    const prepared = await scratch.prepare('edit_file', { path: 'f.txt', old: 'a', new: 'b' });
    await scratch.write('f.txt', 'a\nmore\n');
    const { signal } = new AbortController();
    await assert.rejects(prepared.run(runContext(signal)), /has changed in the meantime/);
    assert.equal(await scratch.read('f.txt'), 'a\nmore\n');
  });

  it('tells nothing about a secret file before it was asked about', async () => {
    await scratch.write('.env', 'PASSWORD=hunter2\n');
    const prepared = await scratch.prepare('edit_file', {
      path: '.env',
      old: 'PASSWORD=x',
      new: 'PASSWORD=y',
    });
    assert.deepEqual(
      prepared.accesses.map(({ effect, verdict }) => [effect, verdict.decision]),
      [
        ['read', 'ask'],
        ['write', 'ask'],
      ],
    );
    assert.deepEqual(prepared.preview, {
      type: 'diff',
      path: '.env',
      before: 'PASSWORD=x',
      after: 'PASSWORD=y',
    });
  });

  it('names a file that may be meant', async () => {
    await scratch.write('src/file.ts', 'a');
    assert.equal(
      await scratch.failure('edit_file', { path: 'file.ts', old: 'a', new: 'b' }),
      'No file at file.ts. Did you mean src/file.ts?',
    );
  });
});
