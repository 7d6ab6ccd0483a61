import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import fc from 'fast-check';
import { ABSENT } from '../../../../src/core/words/file-change';
import { changesSince } from '../../../../src/core/transcript/file-changes';
import { limits } from '../../../../src/base/limits';
import { planRestore, restoreFile } from '../../../../src/tools/files/restore-file';
import { caseCount } from '../../../hosts/random-cases';
import { CheckpointHarness, type RestoreResult } from '../../../support/workspace/checkpoint-harness';
import { posix } from '../../../support/platform';

const UTF16 = Buffer.from('\ufeffone\r\ntwo\r\n', 'utf16le');
const MARKED = Buffer.from('\ufeffone\r\ntwo', 'utf8');

posix.describe('restoring files', () => {
  let harness: CheckpointHarness;

  beforeEach(async () => {
    harness = await CheckpointHarness.begin({
      'a.txt': 'one\n',
      'sub/b.txt': 'two\n',
      'u.txt': UTF16,
      'm.txt': MARKED,
    });
  });
  afterEach(() => harness.dispose());

  const edit = (path: string, from: string, to: string): Promise<string | undefined> =>
    harness.call('edit_file', { path, old: from, new: to });
  const write = (path: string, content: string): Promise<string | undefined> =>
    harness.call('write_file', { path, content, overwrite: true });
  const read = (file: string): Promise<string> => harness.scratch.read(file);
  /** `a.txt: changed shared` for each file that was asked about, and `a.txt! moved` for each that could not be. */
  const said = ({ planned, left }: RestoreResult): string[] => [
    ...planned.flatMap(({ change, doubts }) =>
      doubts.length === 0 ? [] : [`${change.display}: ${doubts.map(({ type }) => type).join(' ')}`],
    ),
    ...left.map(({ change, why }) => `${change.display}! ${why.type}`),
  ];

  it('gives each file exactly the bytes and the mode it had', async () => {
    await chmod(harness.scratch.path('u.txt'), 0o755);
    const first = harness.message();
    await edit('a.txt', 'one', '1');
    await edit('u.txt', 'two', '2');
    await edit('m.txt', 'one', '1');
    const second = harness.message();
    await edit('a.txt', '1', 'I');
    await write('new/c.txt', 'made');
    assert.deepEqual(said(await harness.restore(second)), []);
    assert.equal(await read('a.txt'), '1\n');
    assert.deepEqual(await readdir(harness.scratch.path('new')), []);
    assert.deepEqual(said(await harness.restore(first)), []);
    assert.equal(await read('a.txt'), 'one\n');
    assert.deepEqual(await harness.scratch.bytes('u.txt'), UTF16);
    assert.deepEqual(await harness.scratch.bytes('m.txt'), MARKED);
    assert.equal((await stat(harness.scratch.path('u.txt'))).mode & 0o777, 0o755);
  });

  it('recreates a deleted file with its folders and its mode', async () => {
    await chmod(harness.scratch.path('sub/b.txt'), 0o750);
    const first = harness.message();
    await edit('sub/b.txt', 'two', '2');
    await rm(harness.scratch.path('sub'), { recursive: true });
    assert.deepEqual(said(await harness.restore(first)), ['sub/b.txt: changed']);
    assert.deepEqual(said(await harness.restore(first, () => true)), ['sub/b.txt: changed']);
    assert.equal(await read('sub/b.txt'), 'two\n');
    assert.equal((await stat(harness.scratch.path('sub/b.txt'))).mode & 0o777, 0o750);
  });

  it('can be undone and redone', async () => {
    const first = harness.message();
    await edit('a.txt', 'one', '1');
    await write('c.txt', 'made');
    await harness.restore(first);
    const restored = harness.transcript.entries.length - 1;
    assert.deepEqual(said(await harness.restore(restored)), []);
    assert.deepEqual([await read('a.txt'), await read('c.txt')], ['1\n', 'made']);
    const undone = harness.transcript.entries.length - 1;
    assert.deepEqual(said(await harness.restore(undone)), []);
    assert.equal(await read('a.txt'), 'one\n');
    await assert.rejects(read('c.txt'));
  });

  it('asks about files changed by others since, and leaves them without confirmation', async () => {
    const first = harness.message();
    await edit('a.txt', 'one', '1');
    await edit('sub/b.txt', 'two', '2');
    await harness.scratch.write('a.txt', 'mine\n');
    assert.deepEqual(said(await harness.restore(first)), ['a.txt: changed']);
    assert.deepEqual([await read('a.txt'), await read('sub/b.txt')], ['mine\n', 'two\n']);
    assert.deepEqual(said(await harness.restore(first, () => true)), ['a.txt: changed']);
    assert.equal(await read('a.txt'), 'one\n');
    await harness.restore(harness.transcript.entries.length - 1);
    assert.equal(await read('a.txt'), 'mine\n');
  });

  it('asks about files changed by others in between', async () => {
    const first = harness.message();
    await edit('a.txt', 'one', '1');
    await harness.scratch.write('a.txt', '1 and mine\n');
    await harness.call('read_file', { path: 'a.txt' });
    await edit('a.txt', '1', 'I');
    assert.deepEqual(said(await harness.restore(first)), ['a.txt: shared']);
    assert.equal(await read('a.txt'), 'I and mine\n');
  });

  it('works after git has put other contents there, and never touches what belongs to git', async () => {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: harness.scratch.root,
        encoding: 'utf8',
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    const first = harness.message();
    await edit('a.txt', 'one', '1');
    await write('sub/b.txt', 'both\n');
    git('commit', '-qam', 'second');
    git('checkout', '-q', 'HEAD~1');
    const before = git('rev-parse', 'HEAD') + git('ls-files', '-s') + git('stash', 'list');
    // What git has put there is what is wanted: there is nothing to do.
    assert.deepEqual(said(await harness.restore(first)), []);
    git('checkout', '-q', '-');
    assert.deepEqual(said(await harness.restore(first)), []);
    assert.equal(await read('sub/b.txt'), 'two\n');
    git('checkout', '-qf', 'HEAD~1');
    assert.equal(git('rev-parse', 'HEAD') + git('ls-files', '-s') + git('stash', 'list'), before);
    assert.doesNotMatch(git('status', '--porcelain'), /\S/);
  });

  it('restores what was moved and deleted, folders with all their files', async () => {
    await harness.scratch.write('sub/deep/.c', 'three');
    await chmod(harness.scratch.path('sub/deep/.c'), 0o700);
    const first = harness.message();
    await harness.call('move_path', { from: 'a.txt', to: 'sub/deep/a.txt' });
    await edit('sub/deep/a.txt', 'one', '1');
    const second = harness.message();
    await harness.call('move_path', { from: 'sub', to: 'other' });
    await harness.call('delete_path', { path: 'other' });
    await harness.call('delete_path', { path: 'u.txt' });
    assert.deepEqual((await readdir(harness.scratch.root)).sort(), ['m.txt']);
    assert.deepEqual(said(await harness.restore(second)), []);
    assert.deepEqual([await read('sub/deep/a.txt'), await read('sub/b.txt')], ['1\n', 'two\n']);
    assert.equal((await stat(harness.scratch.path('sub/deep/.c'))).mode & 0o777, 0o700);
    assert.deepEqual(said(await harness.restore(first)), []);
    assert.deepEqual((await readdir(harness.scratch.root)).sort(), ['a.txt', 'm.txt', 'sub', 'u.txt']);
    assert.deepEqual(await readdir(harness.scratch.path('sub/deep')), ['.c']);
    await harness.restore(harness.transcript.entries.length - 1);
    assert.equal(await read('sub/deep/a.txt'), '1\n');
  });

  it('says that a deleted link and an overfull folder cannot be restored', async () => {
    await symlink('a.txt', harness.scratch.path('link'));
    for (const full of ['full', 'full2']) {
      await mkdir(harness.scratch.path(full));
      const files = Array.from({ length: limits.recordedFiles + 1 }, (_, index) => `${full}/${index}`);
      await Promise.all(files.map((each) => harness.scratch.write(each, '')));
    }
    const first = harness.message();
    await harness.call('delete_path', { path: 'link' });
    await harness.call('delete_path', { path: 'full' });
    await harness.call('move_path', { from: 'full2', to: 'moved' });
    await edit('a.txt', 'one', '1');
    assert.deepEqual(said(await harness.restore(first)), [
      'link! unkept',
      'full! full',
      'full2! full',
      'moved! full',
    ]);
    assert.equal(await read('a.txt'), 'one\n');
  });

  it('G27: asks about a file if the process was killed during its change', async () => {
    const first = harness.message();
    await edit('sub/b.txt', 'two', '2');
    harness.end();
    const second = harness.message();
    const path = harness.scratch.path('a.txt');
    const call = {
      id: 'k',
      name: 'edit_file',
      arguments: {},
      start: 0,
      end: 0,
      notes: [],
      mark: 'clean',
    } as const;
    harness.record({ type: 'call-end', index: 0, call });
    harness.record({ type: 'tool-start', callId: 'k', title: '' });
    const bytes = await harness.scratch.bytes('a.txt');
    await harness.shelf.images.keep(bytes);
    const before = harness.shelf.images.nameOf(bytes);
    harness.record({ type: 'file-change', callId: 'k', change: { path, display: 'a.txt', before } });
    await harness.scratch.write('a.txt', 'half');
    harness.record({ type: 'run-end', outcome: { type: 'aborted' } });
    assert.deepEqual(said(await harness.restore(second)), ['a.txt: interrupted']);
    assert.deepEqual(said(await harness.restore(second, () => true)), ['a.txt: interrupted']);
    assert.equal(await read('a.txt'), 'one\n');
    assert.deepEqual(said(await harness.restore(first)), []);
    assert.equal(await read('sub/b.txt'), 'two\n');
  });

  it('G31.links: does not follow a link that has appeared, and restores the others', async () => {
    const first = harness.message();
    await edit('a.txt', 'one', '1');
    await edit('sub/b.txt', 'two', '2');
    await edit('m.txt', 'one', '1');
    await rename(harness.scratch.path('sub'), harness.scratch.path('real'));
    await symlink('real', harness.scratch.path('sub'));
    await rename(harness.scratch.path('m.txt'), harness.scratch.path('other.txt'));
    await symlink('other.txt', harness.scratch.path('m.txt'));
    assert.deepEqual(said(await harness.restore(first, () => true)), ['sub/b.txt! moved', 'm.txt! moved']);
    assert.deepEqual([await read('real/b.txt'), await read('a.txt')], ['2\n', 'one\n']);
    assert.match(await read('other.txt'), /1\r\n/);
  });

  it('G6: is refused outside of the workspace', async () => {
    const outside = await CheckpointHarness.begin({ 'a.txt': 'x' });
    try {
      const first = harness.message();
      await edit('sub/b.txt', 'two', '2');
      await rm(harness.scratch.path('sub'), { recursive: true });
      await symlink(outside.scratch.root, harness.scratch.path('sub'));
      assert.deepEqual(said(await harness.restore(first, () => true)), ['sub/b.txt! failed']);
      assert.deepEqual(await readdir(outside.scratch.root), ['a.txt']);
    } finally {
      await outside.dispose();
    }
  });

  it('G8: asks about a protected file each time', async () => {
    const first = harness.message();
    await write('.vscode/settings.json', '{}');
    assert.deepEqual(said(await harness.restore(first)), ['.vscode/settings.json: protected']);
    assert.equal(await read('.vscode/settings.json'), '{}');
    await harness.restore(first, () => true);
    await assert.rejects(read('.vscode/settings.json'));
  });

  it('says what blocks one file, and restores the others', async () => {
    const first = harness.message();
    await write('c.txt', 'made');
    await edit('a.txt', 'one', '1');
    await edit('sub/b.txt', 'two', '2');
    await edit('u.txt', 'two', '2');
    await rm(harness.scratch.path('c.txt'));
    await mkdir(harness.scratch.path('c.txt'));
    const [, kept] = harness.transcript.changes;
    assert.ok(kept?.change.display === 'a.txt' && kept.change.before !== ABSENT);
    await rm(`${harness.storage}/s-${kept.change.before}.image`);
    assert.deepEqual(said(await harness.restore(first, () => true)), ['c.txt! failed', 'a.txt! unkept']);
    assert.equal(await read('sub/b.txt'), 'two\n');
    assert.deepEqual(await harness.scratch.bytes('u.txt'), UTF16);
  });

  it('loses nothing that is written between check and restore', async () => {
    const first = harness.message();
    await edit('a.txt', 'one', '1');
    const { files } = harness.shelf;
    const place = await files.resolve('a.txt', 'write');
    const present = await files.snapshot(place);
    await harness.scratch.write('a.txt', 'mine\n');
    await assert.rejects(files.put(place, undefined, present?.bytes), /has changed in the meantime/);
    await assert.rejects(files.put(place, { bytes: UTF16 }, present?.bytes), /has changed in the meantime/);
    await assert.rejects(files.put(place, { bytes: UTF16 }, undefined), /something is there already/);
    await assert.rejects(files.put(place, undefined, undefined), /has changed in the meantime/);
    assert.equal(await read('a.txt'), 'mine\n');
    assert.equal(first, 0);
  });

  it('overwrites and removes nothing that it could not back up', async () => {
    const first = harness.message();
    await edit('a.txt', 'one', '1');
    await write('c.txt', 'made');
    await edit('sub/b.txt', 'two', '2');
    await harness.scratch.write('a.txt', 'mine\n');
    await rm(harness.scratch.path('sub/b.txt'));
    const { shelf, transcript } = harness;
    const full = { ...shelf, images: { ...shelf.images, keep: () => Promise.resolve(false) } };
    const { files } = await planRestore(changesSince(transcript, first), full);
    const done = [];
    for (const each of files) done.push(await restoreFile(each, full));
    assert.deepEqual(
      done.map(({ change, why }) => [change.display, why?.type, change.before === change.after]),
      [
        ['a.txt', 'unsaved', true],
        ['c.txt', 'unsaved', true],
        // Nothing is there that could be lost.
        ['sub/b.txt', undefined, false],
      ],
    );
    assert.deepEqual(
      [await read('a.txt'), await read('c.txt'), await read('sub/b.txt')],
      ['mine\n', 'made', 'two\n'],
    );
  });

  it('is exactly the chosen state or names the file, after any events', async function () {
    this.timeout(120_000);
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), check), {
      numRuns: caseCount(60),
    });
  });
});

const NAMES = ['a', 'b', 'd/c'] as const;
const TEXTS = ['', 'one\n', 'two\r\n', '\ufeffthree', 'four'] as const;

const file = fc.constantFrom(...NAMES);
const content = fc.constantFrom(...TEXTS);

type Step =
  | { readonly type: 'message' }
  | { readonly type: 'tool' | 'user'; readonly file: string; readonly content: string }
  | { readonly type: 'delete' | 'tool-delete'; readonly file: string }
  | { readonly type: 'link'; readonly file: string }
  | { readonly type: 'restore'; readonly at: number; readonly all: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: fc.constant('message' as const) }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('tool' as const), file, content }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('user' as const), file, content }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), file }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('tool-delete' as const), file }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('link' as const), file }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('restore' as const), at: fc.nat(20), all: fc.boolean() }),
  },
);

/** Plays the steps, with a record of its own of what each file held when Parley touched it. */
async function check(steps: readonly Step[]): Promise<void> {
  const harness = await CheckpointHarness.begin({ a: 'one\n', 'd/c': 'two\r\n', target: 'linked' });
  const record: { entry: number; file: string; held: Buffer | undefined }[] = [];
  const held = async (name: string): Promise<Buffer | undefined> => {
    const found = await lstat(harness.scratch.path(name)).catch(() => undefined);
    return found?.isSymbolicLink() ? Buffer.from('a link') : found && harness.scratch.bytes(name);
  };
  try {
    harness.message();
    for (const each of steps) {
      switch (each.type) {
        case 'message':
          harness.message();
          break;
        case 'user':
          // As an editor writes that does not follow links.
          await rm(harness.scratch.path(each.file), { force: true });
          await harness.scratch.write(each.file, each.content);
          break;
        case 'delete':
          await rm(harness.scratch.path(each.file), { force: true });
          break;
        case 'link':
          await rm(harness.scratch.path(each.file), { force: true });
          await symlink(harness.scratch.path('target'), harness.scratch.path(each.file));
          break;
        case 'tool': {
          const name = (await isLink(harness, each.file)) ? 'target' : each.file;
          const before = await held(name);
          await harness.call('read_file', { path: each.file });
          const input = { path: each.file, content: each.content, overwrite: true };
          assert.equal(await harness.call('write_file', input), undefined);
          record.push({ entry: harness.transcript.entries.length - 1, file: name, held: before });
          break;
        }
        case 'tool-delete': {
          const before = await held(each.file);
          // A link is not a file that could be put back.
          if (before && !(await isLink(harness, each.file))) {
            assert.equal(await harness.call('delete_path', { path: each.file }), undefined);
            record.push({ entry: harness.transcript.entries.length - 1, file: each.file, held: before });
          }
          break;
        }
        case 'restore':
          await checkRestore(harness, each, { record, held });
          break;
      }
    }
    assert.equal(await isLink(harness, 'target'), false);
  } finally {
    await harness.dispose();
  }
}

async function isLink(harness: CheckpointHarness, name: string): Promise<boolean> {
  const { resolved } = await harness.scratch.files.resolve(name, 'write');
  return resolved !== harness.scratch.path(name);
}

interface Oracle {
  readonly record: { entry: number; file: string; held: Buffer | undefined }[];
  readonly held: (name: string) => Promise<Buffer | undefined>;
}

async function checkRestore(
  harness: CheckpointHarness,
  { at, all }: { readonly at: number; readonly all: boolean },
  { record, held }: Oracle,
): Promise<void> {
  const points = harness.transcript.entries.flatMap(({ type }, index) =>
    type === 'user' || type === 'restore' ? [index] : [],
  );
  const entry = points[at % points.length] ?? 0;
  const names = [...NAMES, 'target'];
  const before = new Map<string, Buffer | undefined>();
  const links = new Set<string>();
  for (const name of names) {
    if (await isLink(harness, name)) links.add(name);
    before.set(name, await held(name));
  }
  const count = harness.transcript.entries.length;
  const { planned, left } = await harness.restore(entry, () => all);
  const named = new Set([
    ...left.map(({ change }) => change.display),
    ...planned.filter(({ doubts }) => doubts.length > 0).map(({ change }) => change.display),
  ]);
  for (const name of names) {
    const first = record.find((each) => each.entry >= entry && each.file === name);
    const now = await held(name);
    if (!first) assert.deepEqual(now, before.get(name), `${name} was not Parley's`);
    else if (links.has(name)) {
      assert.ok(named.has(name), `${name} is a link and was not named`);
      assert.ok(await isLink(harness, name), `${name} is no longer a link`);
    } else if (!all && named.has(name)) assert.deepEqual(now, before.get(name), `${name} was not asked for`);
    else assert.deepEqual(now, first.held, `${name} at ${entry}`);
  }
  // A restore is a change like any other.
  if (harness.transcript.entries.length > count) {
    for (const { change } of planned) {
      const name = change.display;
      if (all || !named.has(name)) record.push({ entry: count, file: name, held: before.get(name) });
    }
  }
}
