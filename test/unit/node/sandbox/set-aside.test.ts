import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { bytePath, toText } from '../../../../src/node/sandbox/byte-paths';
import { OpenFolder } from '../../../../src/node/sandbox/open-folder';
import { AsideFolder, putBack, restoreLink } from '../../../../src/node/sandbox/set-aside';
import { caseCount } from '../../../hosts/random-cases';
import { linux } from '../../../support/platform';

linux.describe('OpenFolder', () => {
  let top: string;
  beforeEach(async () => {
    top = realpathSync(await mkdtemp(path.join(tmpdir(), 'parley-open-')));
    mkdirSync(path.join(top, 'a/b/c'), { recursive: true });
    mkdirSync(path.join(top, 'outside/b/c'), { recursive: true });
  });
  afterEach(() => rm(top, { recursive: true }));

  it('refuses a link in any part of a path', () => {
    const names = ['a', 'b', 'c'];
    for (const [index, name] of names.entries()) {
      const at = path.join(top, ...names.slice(0, index), name);
      renameSync(at, path.join(top, 'away'));
      symlinkSync(path.join(top, 'outside', ...names.slice(1, index + 1)), at);
      assert.equal(OpenFolder.at(bytePath(path.join(top, 'a/b/c'))), undefined, name);
      renameSync(at, path.join(top, `link-${name}`));
      renameSync(path.join(top, 'away'), at);
    }
    const folder = OpenFolder.at(bytePath(path.join(top, 'a/b/c')));
    assert.equal(toText(folder?.path ?? ''), path.join(top, 'a/b/c'));
    folder?.dispose();
  });

  it('stays the same folder when a folder above is exchanged', async () => {
    const folder = OpenFolder.at(bytePath(path.join(top, 'a/b/c'))) ?? assert.fail();
    renameSync(path.join(top, 'a'), path.join(top, 'away'));
    symlinkSync('outside', path.join(top, 'a'));
    writeFileSync(folder.entry('x'), 'x');
    assert.equal(readFileSync(path.join(top, 'away/b/c/x'), 'utf8'), 'x');
    assert.deepEqual(await readdir(path.join(top, 'outside/b/c')), []);
    folder.dispose();
  });

  it('opens folders that cannot be read, but neither files nor what is missing', () => {
    const [locked, file] = [path.join(top, 'locked'), path.join(top, 'file')];
    mkdirSync(locked, { mode: 0 });
    writeFileSync(file, '');
    const folder = OpenFolder.at(bytePath(locked)) ?? assert.fail();
    folder.dispose();
    for (const at of [file, path.join(top, 'missing'), path.join(file, 'x')])
      assert.equal(OpenFolder.at(bytePath(at)), undefined);
  });
});

linux.describe('AsideFolder', () => {
  let top: string;
  beforeEach(async () => {
    top = realpathSync(await mkdtemp(path.join(tmpdir(), 'parley-aside-')));
    mkdirSync(path.join(top, 'ws'));
    mkdirSync(path.join(top, 'outside/.vscode'), { recursive: true });
  });
  afterEach(() => rm(top, { recursive: true }));

  it('moves nothing outside, whatever a link leads to', async () => {
    symlinkSync('../outside', path.join(top, 'ws/d'));
    const aside = new AsideFolder(path.join(top, 'aside'));
    assert.equal(await aside.take(bytePath(path.join(top, 'ws/d/.vscode'))), false);
    assert.equal(await restoreLink(bytePath(path.join(top, 'ws/d/.git')), bytePath('x')), false);
    assert.deepEqual(await readdir(path.join(top, 'outside')), ['.vscode']);
    assert.equal(await aside.take(bytePath(path.join(top, 'ws/d'))), true);
    assert.deepEqual([await readdir(path.join(top, 'ws')), aside.moved.length], [[], 1]);
    assert.deepEqual(await readdir(path.join(top, 'outside')), ['.vscode']);
  });

  it('moves files, folders and links of any name away and back, unchanged', async () => {
    const name = fc
      .uint8Array({ minLength: 1, maxLength: 20 })
      .map((bytes) => bytePath(Buffer.from(bytes.filter((byte) => byte !== 0 && byte !== 0x2f))))
      .filter((each) => !['', '.', '..'].includes(each));
    await fc.assert(
      fc.asyncProperty(name, fc.constantFrom('file', 'folder', 'link'), async (each, kind) => {
        const folder = bytePath(path.join(top, 'ws'));
        const at = bytePath(Buffer.concat([Buffer.from(`${top}/ws/`), Buffer.from(each, 'latin1')]));
        const place = Buffer.from(at, 'latin1');
        if (kind === 'folder') mkdirSync(place);
        else if (kind === 'link') symlinkSync('../outside', place);
        else writeFileSync(place, each);
        const aside = new AsideFolder(await mkdtemp(path.join(top, 'aside-')));
        assert.equal(await aside.take(at), true);
        assert.deepEqual(await readdir(Buffer.from(folder, 'latin1')), []);
        const [moved] = aside.moved;
        assert.equal(moved && (await putBack(moved)), true);
        const [back] = await readdir(Buffer.from(folder, 'latin1'), {
          withFileTypes: true,
          encoding: 'buffer',
        });
        assert.deepEqual(
          [back?.name.toString('latin1'), back?.isDirectory(), back?.isSymbolicLink()],
          [each, kind === 'folder', kind === 'link'],
        );
        await rm(place, { recursive: true });
      }),
      { numRuns: caseCount(200) },
    );
  });
});
