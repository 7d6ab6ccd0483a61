import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, link, readdir, readlink, rename, stat, symlink } from 'node:fs/promises';
import { ToolError } from '../../../../src/core/words/tool';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { posix } from '../../../support/platform';

describe('createFiles', () => {
  let scratch: ScratchWorkspace;

  beforeEach(async () => {
    scratch = await ScratchWorkspace.create({ 'a.txt': 'a\n', 'folder/b.txt': 'b\n' });
  });
  afterEach(() => scratch.dispose());

  posix.it('keeps the mode of a file and leaves nothing beside it', async () => {
    await chmod(scratch.path('a.txt'), 0o755);
    await write(scratch, 'a.txt', 'b\n', 'a\n');
    assert.equal((await stat(scratch.path('a.txt'))).mode & 0o777, 0o755);
    assert.deepEqual(await readdir(scratch.root), ['a.txt', 'folder']);
  });

  posix.it('writes through a link inside the workspace and keeps the link', async () => {
    await symlink('a.txt', scratch.path('link.txt'));
    await write(scratch, 'link.txt', 'new\n', 'a\n');
    assert.equal(await scratch.read('a.txt'), 'new\n');
    assert.equal(await readlink(scratch.path('link.txt')), 'a.txt');
  });

  it('leaves the other name of a file alone', async () => {
    await link(scratch.path('a.txt'), scratch.path('other.txt'));
    await write(scratch, 'a.txt', 'new\n', 'a\n');
    assert.equal(await scratch.read('other.txt'), 'a\n');
  });

  it('refuses a base that is not there any more', async () => {
    await refused(write(scratch, 'a.txt', 'b\n', 'older\n'), /has changed in the meantime/);
    assert.equal(await scratch.read('a.txt'), 'a\n');
  });

  it('refuses a new file if one has appeared', async () => {
    await refused(write(scratch, 'a.txt', 'b\n', undefined), /something is there already/);
    assert.equal(await scratch.read('a.txt'), 'a\n');
  });

  posix.it('G7 refuses a folder that was exchanged for a link after it was looked at', async () => {
    const outside = await ScratchWorkspace.create({ 'b.txt': 'b\n' });
    try {
      const place = await scratch.files.resolve('folder/b.txt', 'write');
      const fresh = await scratch.files.resolve('folder/new.txt', 'write');
      await rename(scratch.path('folder'), scratch.path('old'));
      await symlink(outside.root, scratch.path('folder'));
      await refused(scratch.files.writeText(place, 'x', 'b\n'), /refused|now leads to another place/);
      await refused(scratch.files.writeText(fresh, 'x', undefined), /refused|now leads to another place/);
      assert.equal(await outside.read('b.txt'), 'b\n');
      assert.deepEqual(await readdir(outside.root), ['b.txt']);
    } finally {
      await outside.dispose();
    }
  });

  posix.it('G7 does not read through a link that has appeared', async () => {
    const place = await scratch.files.resolve('a.txt', 'read');
    await rename(scratch.path('a.txt'), scratch.path('c.txt'));
    await symlink('/etc/passwd', scratch.path('a.txt'));
    await refused(scratch.files.readText(place), /has become a link/);
  });

  posix.it('does not wait for a pipe', async () => {
    const place = await scratch.files.resolve('pipe', 'read');
    execFileSync('mkfifo', [scratch.path('pipe')]);
    await refused(scratch.files.readText(place), /not a regular file/);
    assert.equal((await scratch.files.stat(place))?.kind, 'other');
  });

  posix.it('refuses to resolve what the policy denies', async () => {
    await refused(scratch.files.resolve('../x', 'write'), /outside the workspace/);
    await refused(scratch.files.resolve('/dev/null', 'read'), /not a regular file/);
    await refused(scratch.files.resolve('a\0b', 'read'), /control/);
  });

  it('shows paths of a second workspace folder whole', async () => {
    const second = await ScratchWorkspace.create({ 'c.txt': 'c' });
    const both = await ScratchWorkspace.create({}, { roots: [scratch.root, second.root] });
    try {
      assert.equal((await both.files.resolve('a.txt', 'read')).display, 'a.txt');
      assert.equal((await both.files.resolve(second.path('c.txt'), 'read')).display, second.path('c.txt'));
    } finally {
      await both.dispose();
      await second.dispose();
    }
  });

  it('says when nothing is there', async () => {
    assert.equal(await scratch.files.stat(await scratch.files.resolve('nothing', 'read')), undefined);
    assert.equal(await scratch.files.stat(await scratch.files.resolve('a.txt/below', 'read')), undefined);
  });

  posix.it('lists by name and follows no link', async () => {
    await symlink('/etc', scratch.path('folder/zlink'));
    await scratch.write('folder/.hidden', '123');
    const entries = await scratch.files.list(await scratch.files.resolve('folder', 'list'));
    assert.deepEqual(entries, [
      { name: '.hidden', kind: 'file', size: 3 },
      { name: 'b.txt', kind: 'file', size: 2 },
      { name: 'zlink', kind: 'link' },
    ]);
  });

  describe('reading lines', () => {
    for (const { name, content, expect } of [
      { name: 'reads LF and CRLF', content: 'a\r\nb\n\nc', expect: ['a', 'b', '', 'c'] },
      { name: 'knows no line after a final line break', content: 'a\n', expect: ['a'] },
      {
        name: 'reads UTF-16',
        content: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('día\nb', 'utf16le')]),
        expect: ['día', 'b'],
      },
      {
        name: 'joins characters that a chunk has torn',
        content: `${'é\n'.repeat(87_381)}x€\n`,
        expect: [...Array.from({ length: 87_381 }, () => 'é'), 'x€'],
      },
      {
        name: 'cuts a line without end',
        content: `${'x'.repeat(300_000)}\nb`,
        expect: ['x'.repeat(2_000), 'b'],
      },
    ]) {
      it(name, async () => {
        await scratch.write('lines.txt', content);
        assert.deepEqual(await lines(scratch, 'lines.txt'), expect);
      });
    }

    it('refuses a binary file', async () => {
      await scratch.write('x.gz', Buffer.from('\x1f\x8b\0', 'latin1'));
      await refused(lines(scratch, 'x.gz'), /x\.gz is not text: gzip archive/);
    });
  });
});

async function write(
  scratch: ScratchWorkspace,
  path: string,
  text: string,
  base: string | undefined,
): Promise<string> {
  return scratch.files.writeText(await scratch.files.resolve(path, 'write'), text, base);
}

async function lines(scratch: ScratchWorkspace, path: string): Promise<string[]> {
  const place = await scratch.files.resolve(path, 'read');
  const all: string[] = [];
  const start = { line: 1, character: 1 };
  for await (const batch of scratch.files.readLines(place, start, new AbortController().signal))
    all.push(...batch.map(({ text }) => text));
  return all;
}

async function refused(work: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof ToolError, String(error));
    assert.match(error.message, message);
    return true;
  });
}
