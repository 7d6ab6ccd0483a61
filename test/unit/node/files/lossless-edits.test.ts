import assert from 'node:assert/strict';
import { chmod, stat, utimes, writeFile } from 'node:fs/promises';
import { editRows, undecodable } from '../../../support/workspace/edit-rows';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { runContext } from '../../../support/agent/run-context';
import { posix } from '../../../support/platform';

describe('edits of files on the disk', () => {
  let scratch: ScratchWorkspace;
  beforeEach(async () => (scratch = await ScratchWorkspace.create()));
  afterEach(() => scratch.dispose());

  for (const { name, before, edits, after } of editRows) {
    it(`G30.bytes: keeps ${name}`, async () => {
      await scratch.write('a.txt', before);
      await scratch.call('read_file', { path: 'a.txt' });
      await scratch.call('edit_file', { path: 'a.txt', edits: edits.map((edit) => ({ ...edit })) });
      assert.deepEqual(await scratch.bytes('a.txt'), after);
    });
  }

  it('G30.bytes: keeps line separators, which an editor would offer to remove', async () => {
    await scratch.write('a.txt', 'one\u2028two\u2029');
    await scratch.call('edit_file', { path: 'a.txt', old: 'two', new: '2' });
    assert.equal(await scratch.read('a.txt'), 'one\u20282\u2029');
  });

  for (const { name, bytes } of undecodable) {
    it(`G30.undecodable: refuses ${name} and leaves every byte`, async () => {
      await scratch.write('a.txt', bytes);
      const refusal = /is not (?:text|utf-8 text|utf-16le text)/;
      assert.match(await scratch.failure('edit_file', { path: 'a.txt', old: 'two', new: '2' }), refusal);
      assert.match(
        await scratch.failure('write_file', { path: 'a.txt', content: 'x', overwrite: true }),
        refusal,
      );
      assert.deepEqual(await scratch.bytes('a.txt'), bytes);
    });
  }

  for (const mode of [0o644, 0o755, 0o600, 0o664]) {
    posix.it(`G30.mode: keeps the mode ${mode.toString(8)}`, async () => {
      await scratch.write('a.txt', 'one two');
      await chmod(scratch.path('a.txt'), mode);
      await scratch.call('edit_file', { path: 'a.txt', old: 'two', new: '2' });
      assert.equal((await stat(scratch.path('a.txt'))).mode & 0o7777, mode);
    });
  }

  it('G30.atomic: one edit that fails changes nothing', async () => {
    await scratch.write('a.txt', 'one\ntwo\n');
    const edits = [
      { old: 'one', new: '1' },
      { old: 'seven', new: '7' },
    ];
    assert.match(await scratch.failure('edit_file', { path: 'a.txt', edits }), /edit 2/i);
    assert.equal(await scratch.read('a.txt'), 'one\ntwo\n');
  });

  it('G30.between: refuses files changed between approval and run, even with the same size and time', async () => {
    await scratch.write('a.txt', 'one two');
    const { atime, mtime } = await stat(scratch.path('a.txt'));
    const prepared = await scratch.prepare('edit_file', { path: 'a.txt', old: 'two', new: '2' });
    await writeFile(scratch.path('a.txt'), 'six two');
    await utimes(scratch.path('a.txt'), atime, mtime);
    const context = runContext();
    await assert.rejects(prepared.run(context), /has changed in the meantime/);
    assert.equal(await scratch.read('a.txt'), 'six two');
  });
});
