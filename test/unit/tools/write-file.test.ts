import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { runContext } from '../../support/agent/run-context';

describe('write_file', () => {
  let scratch: ScratchWorkspace;

  beforeEach(async () => {
    scratch = await ScratchWorkspace.create({
      'a.txt': 'one\ntwo\n',
      'crlf.txt': 'one\r\ntwo\r\n',
      '.env': 'KEY=1\n',
    });
  });
  afterEach(() => scratch.dispose());

  it('creates a file with its folders', async () => {
    assert.equal(
      await scratch.call('write_file', { path: 'x/y/z.txt', content: 'a\nb' }),
      'Created x/y/z.txt: 2 lines.',
    );
    assert.equal(await scratch.read('x/y/z.txt'), 'a\nb');
  });

  it('says that it left out the name of the workspace folder, and how to keep it', async () => {
    const name = path.basename(scratch.root);
    assert.equal(
      await scratch.call('write_file', { path: `${name}/b.txt`, content: 'b' }),
      'Created b.txt: 1 line. The name of the workspace folder was left out of the path. For a folder of that name in it, begin the path with "./".',
    );
    assert.equal(
      await scratch.call('write_file', { path: `./${name}/b.txt`, content: 'b' }),
      `Created ${name}/b.txt: 1 line.`,
    );
    await scratch.call('write_file', { path: `${name}/c.txt`, content: 'c' });
    assert.equal(await scratch.read(`${name}/c.txt`), 'c');
  });

  it('does not replace a file unless told to', async () => {
    assert.equal(
      await scratch.failure('write_file', { path: 'a.txt', content: 'x' }),
      'a.txt exists already. Change it with edit_file, or set overwrite=true to replace it.',
    );
  });

  it('says how many lines a replacement adds and removes', async () => {
    const result = await scratch.call('write_file', {
      path: 'a.txt',
      content: 'one\n2\n3\n',
      overwrite: true,
    });
    assert.equal(result, 'Replaced a.txt: added 2 lines, removed 1 line.');
    assert.equal(await scratch.read('a.txt'), 'one\n2\n3\n');
  });

  it('keeps the line endings of a file', async () => {
    const result = await scratch.call('write_file', {
      path: 'crlf.txt',
      content: 'one\n2\n',
      overwrite: true,
    });
    assert.equal(
      result,
      'Replaced crlf.txt: added 1 line, removed 1 line. The line endings of the file were kept (CRLF).',
    );
    assert.equal(await scratch.read('crlf.txt'), 'one\r\n2\r\n');
  });

  it('refuses to replace what has changed since it was read', async () => {
    await scratch.call('read_file', { path: 'a.txt' });
    await scratch.write('a.txt', 'someone else\n');
    const failure = await scratch.failure('write_file', { path: 'a.txt', content: 'x', overwrite: true });
    assert.equal(failure, 'a.txt has changed since it was read. Read it again before you change it.');
    assert.equal(await scratch.read('a.txt'), 'someone else\n');
  });

  it('refuses to replace what changed while the user was asked', async () => {
    const prepared = await scratch.prepare('write_file', { path: 'a.txt', content: 'x', overwrite: true });
    await scratch.write('a.txt', 'someone else\n');
    const { signal } = new AbortController();
    await assert.rejects(
      prepared.run(runContext(signal)),
      /a\.txt has changed in the meantime, so nothing was written\. Read it again\./,
    );
    assert.equal(await scratch.read('a.txt'), 'someone else\n');
  });

  it('refuses a file that came to be while the user was asked', async () => {
    const prepared = await scratch.prepare('write_file', { path: 'new.txt', content: 'x' });
    await scratch.write('new.txt', 'someone else\n');
    const { signal } = new AbortController();
    await assert.rejects(prepared.run(runContext(signal)), /something is there already/);
    assert.equal(await scratch.read('new.txt'), 'someone else\n');
  });

  it('shows the difference before it runs', async () => {
    const { preview, accesses, title } = await scratch.prepare('write_file', {
      path: 'a.txt',
      content: 'x',
      overwrite: true,
    });
    assert.equal(title, 'Replace a.txt');
    assert.deepEqual(preview, { type: 'diff', path: 'a.txt', before: 'one\ntwo\n', after: 'x' });
    assert.deepEqual(
      accesses.map(({ effect, kind, verdict }) => [effect, kind, verdict.decision]),
      [['write', 'edit', 'auto']],
    );
    assert.equal(await scratch.read('a.txt'), 'one\ntwo\n');
  });

  it('does not show a secret file', async () => {
    const { preview, accesses } = await scratch.prepare('write_file', {
      path: '.env',
      content: 'KEY=2\n',
      overwrite: true,
    });
    assert.deepEqual(preview, { type: 'diff', path: '.env', before: '', after: 'KEY=2\n' });
    assert.equal(accesses[0]?.verdict.decision, 'ask');
  });

  for (const { name, input, expect } of [
    {
      name: 'refuses to write outside the workspace',
      input: { path: '../a.txt', content: '' },
      expect: /^\.\.\/a\.txt is refused: outside the workspace\. /,
    },
    { name: 'refuses a folder', input: { path: '.', content: '', overwrite: true }, expect: /is not a file/ },
    {
      name: 'refuses more than a file may hold',
      input: { path: 'b.txt', content: 'x'.repeat(1024 ** 2 + 1) },
      expect: /^content has 1 MiB; the limit is 1 MiB\./,
    },
    {
      name: 'refuses half a character',
      input: { path: 'b.txt', content: 'a\ud800b' },
      expect: /contains half a character/,
    },
  ]) {
    it(name, async () => assert.match(await scratch.failure('write_file', input), expect));
  }

  it('creates files with the usual mode', async () => {
    await scratch.call('write_file', { path: 'b.txt', content: 'x' });
    assert.equal(
      (await stat(scratch.path('b.txt'))).mode & 0o777,
      (await stat(scratch.path('a.txt'))).mode & 0o777,
    );
  });
});
