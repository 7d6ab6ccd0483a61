import fc from 'fast-check';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../../src/base/json';
import type { FileChange } from '../../../src/core/words/file-change';
import { ToolError } from '../../../src/core/words/tool';
import { caseCount } from '../../hosts/random-cases';
import { withEachStep } from '../../support/workspace/file-faults';
import { limits } from '../../../src/base/limits';
import { UNRECORDED } from '../../../src/tools/files/record-change';
import { runContext } from '../../support/agent/run-context';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { linux, posix } from '../../support/platform';
import { folderSnapshot } from '../../support/workspace/folder-snapshot';

const FILES = {
  'a.txt': 'A',
  'b.txt': 'B',
  'lib/x.ts': 'X',
  'lib/deep/.y': 'Y',
  'empty/': '',
  'package.json': '{}',
};
const UNCHANGED = [
  ...['a.txt: A', 'b.txt: B', 'empty/', 'inner -> lib', 'lib/', 'lib/deep/', 'lib/deep/.y: Y', 'lib/x.ts: X'],
  ...['lost -> nowhere', 'package.json: {}'],
];

/** A call, its result, and what of the tree differs afterwards: `-` is gone, `+` is new. */
interface Row {
  readonly name: string;
  readonly tool: 'move_path' | 'delete_path';
  readonly input: JsonObject;
  readonly title?: string;
  readonly result: string;
  readonly changes: readonly string[];
}

const rows: readonly Row[] = [
  {
    name: 'renames a file',
    tool: 'move_path',
    input: { from: 'a.txt', to: 'c.txt' },
    title: 'Move a.txt to c.txt (a file)',
    result: 'Moved a.txt to c.txt.',
    changes: ['- a.txt: A', '+ c.txt: A'],
  },
  {
    name: 'makes the folders that are missing',
    tool: 'move_path',
    input: { from: 'a.txt', to: 'new/deep/c.txt' },
    result: 'Moved a.txt to new/deep/c.txt.',
    changes: ['- a.txt: A', '+ new/', '+ new/deep/', '+ new/deep/c.txt: A'],
  },
  {
    name: 'moves into a folder where the new path ends with a slash',
    tool: 'move_path',
    input: { from: 'a.txt', to: 'lib/' },
    title: 'Move a.txt to lib/a.txt (a file)',
    result: 'Moved a.txt to lib/a.txt.',
    changes: ['- a.txt: A', '+ lib/a.txt: A'],
  },
  {
    name: 'moves a folder with all that is in it',
    tool: 'move_path',
    input: { from: 'lib', to: 'src/lib' },
    title: 'Move lib to src/lib (a folder with 2 files)',
    result: 'Moved lib to src/lib.',
    changes: [
      ...['- lib/', '- lib/deep/', '- lib/deep/.y: Y', '- lib/x.ts: X'],
      ...['+ src/', '+ src/lib/', '+ src/lib/deep/', '+ src/lib/deep/.y: Y', '+ src/lib/x.ts: X'],
    ],
  },
  {
    name: 'G6.links moves a link, not what it leads to',
    tool: 'move_path',
    input: { from: 'inner', to: 'outer' },
    title: 'Move inner to outer (a link; its target stays)',
    result: 'Moved inner to outer.',
    changes: ['- inner -> lib', '+ outer -> lib'],
  },
  {
    name: 'G6.links moves a link that leads nowhere',
    tool: 'move_path',
    input: { from: 'lost', to: 'lib/lost' },
    result: 'Moved lost to lib/lost.',
    changes: ['- lost -> nowhere', '+ lib/lost -> nowhere'],
  },
  {
    name: 'moves through a link on the way, and says where that is',
    tool: 'move_path',
    input: { from: 'inner/x.ts', to: 'inner/y.ts' },
    title: 'Move lib/x.ts to lib/y.ts (a file)',
    result: 'Moved lib/x.ts to lib/y.ts.',
    changes: ['- lib/x.ts: X', '+ lib/y.ts: X'],
  },
  {
    name: 'reads arguments under other names',
    tool: 'move_path',
    input: { source: 'a.txt', destination: 'c.txt' },
    result: 'Moved a.txt to c.txt.',
    changes: ['- a.txt: A', '+ c.txt: A'],
  },
  {
    name: 'deletes a file',
    tool: 'delete_path',
    input: { path: 'a.txt' },
    title: 'Delete a.txt (a file)',
    result: 'Deleted a.txt (a file).',
    changes: ['- a.txt: A'],
  },
  {
    name: 'deletes a folder whole, and says how much that is',
    tool: 'delete_path',
    input: { path: 'lib/' },
    title: 'Delete lib (a folder with 2 files)',
    result: 'Deleted lib (a folder with 2 files).',
    changes: ['- lib/', '- lib/deep/', '- lib/deep/.y: Y', '- lib/x.ts: X'],
  },
  {
    name: 'deletes an empty folder',
    tool: 'delete_path',
    input: { path: 'empty' },
    result: 'Deleted empty (a folder without files).',
    changes: ['- empty/'],
  },
  {
    name: 'G6.links deletes a link, not what it leads to',
    tool: 'delete_path',
    input: { path: 'inner' },
    title: 'Delete inner (a link; its target stays)',
    result: 'Deleted inner (a link; its target stays).',
    changes: ['- inner -> lib'],
  },
];

const refusals: readonly { readonly tool: string; readonly input: JsonObject; readonly error: string }[] = [
  {
    tool: 'move_path',
    input: { from: 'a.txt', to: 'b.txt' },
    error: 'b.txt exists already. Choose another place, or delete it first with delete_path.',
  },
  {
    tool: 'move_path',
    input: { from: 'a.txt', to: 'lib' },
    error: 'lib is a folder. To move something into it, end "to" with "/".',
  },
  {
    tool: 'move_path',
    input: { from: 'a.txt', to: 'lost' },
    error: 'lost exists already. Choose another place, or delete it first with delete_path.',
  },
  {
    tool: 'move_path',
    input: { from: 'lib', to: 'lib/deep/lib' },
    error: 'lib/deep/lib is inside lib or is the same place. Choose another place.',
  },
  {
    tool: 'move_path',
    input: { from: 'a.txt', to: './a.txt' },
    error: 'a.txt is inside a.txt or is the same place. Choose another place.',
  },
  {
    tool: 'move_path',
    input: { from: 'a.text', to: 'c.txt' },
    error: 'No file or folder at a.text. Did you mean a.txt or b.txt?',
  },
  {
    tool: 'move_path',
    input: { from: 'a.txt', to: 'b.txt/c.txt' },
    error: 'b.txt is a file, not a folder. Choose another place.',
  },
  {
    tool: 'move_path',
    input: { from: 'a.txt', to: '../a.txt' },
    error: '../a.txt is refused: outside the workspace. Use a path inside the workspace.',
  },
  {
    tool: 'move_path',
    input: { from: '../a.txt', to: 'c.txt' },
    error: '../a.txt is refused: outside the workspace. Use a path inside the workspace.',
  },
  {
    tool: 'delete_path',
    input: { path: 'lib/z.ts' },
    error: 'No file or folder at lib/z.ts. Did you mean lib/x.ts?',
  },
  {
    tool: 'delete_path',
    input: { path: '.' },
    error: '. is refused: the workspace folder itself. Use a path inside the workspace.',
  },
  {
    tool: 'delete_path',
    input: { path: '/etc/hosts' },
    error: '/etc/hosts is refused: outside the workspace. Use a path inside the workspace.',
  },
  { tool: 'delete_path', input: {}, error: 'The argument "path" is missing. Required: path.' },
];

posix.describe('move_path and delete_path', () => {
  let scratch: ScratchWorkspace;
  beforeEach(async () => {
    scratch = await ScratchWorkspace.create(FILES);
    symlinkSync('lib', scratch.path('inner'));
    symlinkSync('nowhere', scratch.path('lost'));
    assert.deepEqual(folderSnapshot(scratch.root), UNCHANGED);
  });
  afterEach(() => scratch.dispose());

  for (const { name, tool, input, title, result, changes } of rows) {
    it(name, async () => {
      const prepared = await scratch.prepare(tool, input);
      if (title !== undefined) assert.equal(prepared.title, title);
      assert.ok(prepared.accesses.every(({ kind, effect }) => kind === 'move' && effect === 'write'));
      assert.deepEqual(folderSnapshot(scratch.root), UNCHANGED, 'nothing happens before it was asked');
      assert.equal((await prepared.run(runContext())).text, result);
      assert.deepEqual([...difference(UNCHANGED, folderSnapshot(scratch.root))].sort(), [...changes].sort());
    });
  }

  for (const { tool, input, error } of refusals) {
    it(`refuses ${tool} ${JSON.stringify(input)}`, async () => {
      assert.equal(await scratch.failure(tool, input), error);
      assert.deepEqual(folderSnapshot(scratch.root), UNCHANGED);
    });
  }

  it('says what would be deleted if a folder contains too much to count', async () => {
    for (let i = 0; i < 5_050; i++) writeFileSync(scratch.path(`empty/${i}`), '');
    const { title, accesses } = await scratch.prepare('delete_path', { path: 'empty' });
    assert.equal(title, 'Delete empty (a folder with more than 5,000 files)');
    assert.deepEqual(accesses[0]?.notes, ['a folder with more than 5,000 files', UNRECORDED]);
    assert.equal(accesses[0].verdict.reason, 'too many files to check for protected ones');
  });

  for (const [code, error] of [
    ['EACCES', 'lib: the system does not permit it. Ask the user.'],
    ['ENOENT', 'lib: nothing is there. List the folder to see what exists.'],
  ] as const) {
    for (const tool of ['delete_path', 'move_path'] as const) {
      it(`says what ${tool} came upon when a folder in it answers ${code}`, async () => {
        const input = tool === 'delete_path' ? { path: 'lib' } : { from: 'lib', to: 'src' };
        let opened = 0;
        const failure = await withEachStep(
          async (_, name, [place, options]) => {
            // What is judged is read with options; what is counted is read without, and first of it lib itself.
            const isCounted = name === 'opendir' && options === undefined;
            if (isCounted && ++opened === 2) throw Object.assign(new Error(code), { code, path: place });
          },
          () => scratch.failure(tool, input),
        );
        assert.equal(failure, error);
        assert.deepEqual(folderSnapshot(scratch.root), UNCHANGED);
      });
    }
  }

  for (const { name, fill } of [
    {
      name: 'too many files',
      fill: () => {
        for (let i = 0; i <= limits.recordedFiles; i++) writeFileSync(scratch.path(`empty/${i}`), '');
      },
    },
    {
      name: 'files too large together',
      fill: () => {
        const count = limits.recordedBytes / limits.readWholeFileBytes + 1;
        for (let i = 0; i < count; i++) {
          writeFileSync(scratch.path(`empty/${i}`), '');
          truncateSync(scratch.path(`empty/${i}`), limits.readWholeFileBytes);
        }
      },
    },
  ]) {
    it(`says before and after that a folder with ${name} cannot be restored, and keeps no copy`, async () => {
      fill();
      const told: FileChange[] = [];
      const context = { ...runContext(), onFileChange: (change: FileChange) => void told.push(change) };
      const moved = await scratch.prepare('move_path', { from: 'empty', to: 'full' });
      assert.equal(moved.accesses[0]?.notes?.at(-1), UNRECORDED);
      assert.equal((await moved.run(context)).text, `Moved empty to full (${UNRECORDED}).`);
      const deleted = await scratch.prepare('delete_path', { path: 'full' });
      assert.equal(deleted.accesses[0]?.notes?.at(-1), UNRECORDED);
      assert.match((await deleted.run(context)).text, new RegExp(`^Deleted full .*; ${UNRECORDED}\\)\\.$`));
      assert.deepEqual(
        told.map(({ display, before, after }) => `${display}: ${before} → ${after ?? '…'}`),
        [
          ...['empty: folder → …', 'full: absent → …', 'empty: folder → absent', 'full: absent → folder'],
          ...['full: folder → …', 'full: folder → absent'],
        ],
      );
    });
  }

  it('says that files at the new place are run', async () => {
    await scratch.call('delete_path', { path: 'package.json' });
    const { accesses } = await scratch.prepare('move_path', { from: 'a.txt', to: 'package.json' });
    assert.deepEqual(
      accesses.map(({ target, notes = [] }) => `${target}: ${notes.join()}`),
      ['a.txt: a file', 'package.json: builds, tests or scripts may run its contents'],
    );
  });

  linux.it('takes a backslash for a part of a name where it is one', async () => {
    await scratch.write('x\\y/in.txt', 'I');
    await scratch.write('x\\z', 'Z');
    assert.equal(await scratch.call('move_path', { from: 'x\\z', to: 'lib/' }), 'Moved x\\z to lib/x\\z.');
    assert.equal(
      await scratch.failure('move_path', { from: 'x\\y', to: 'x\\y/deep' }),
      'x\\y/deep is inside x\\y or is the same place. Choose another place.',
    );
    const taken = new Set<string>();
    const prepared = await scratch.prepare('delete_path', { path: 'x\\y' });
    await prepared.run({ ...runContext(), onFileChange: (change) => void taken.add(change.path) });
    assert.deepEqual([...taken], [scratch.path('x\\y/in.txt')]);
  });

  linux.it('refuses a name of which only the case differs where another file has it', async () => {
    await scratch.write('A.txt', 'other');
    const refusal = 'A.txt exists already. Choose another place, or delete it first with delete_path.';
    await refused(scratch.prepare('move_path', { from: 'a.txt', to: 'A.txt' }), refusal);
    assert.deepEqual([await scratch.read('a.txt'), await scratch.read('A.txt')], ['A', 'other']);
  });

  it('refuses anything but a file, folder or link', async () => {
    execFileSync('mkfifo', [scratch.path('pipe')]);
    assert.match(await scratch.failure('delete_path', { path: 'pipe' }), /is refused: not a regular file/);
  });

  it('G7.swap does nothing when there is more to delete than was shown', async () => {
    const prepared = await scratch.prepare('delete_path', { path: 'lib' });
    await scratch.write('lib/new.ts', 'of the user');
    await refused(
      prepared.run(runContext()),
      'lib has changed since this was shown, so nothing was done. Look at it again.',
    );
    assert.equal(await scratch.read('lib/x.ts'), 'X');
  });

  it('G7.swap does nothing when something has come to be at the new place', async () => {
    const prepared = await scratch.prepare('move_path', { from: 'a.txt', to: 'c.txt' });
    await scratch.write('c.txt', 'of the user');
    await refused(
      prepared.run(runContext()),
      'c.txt exists already. Choose another place, or delete it first with delete_path.',
    );
    assert.equal(await scratch.read('c.txt'), 'of the user');
  });

  for (const tool of ['delete_path', 'move_path'] as const) {
    it(`G7.swap ${tool} does nothing when a folder on the way has become a link`, async () => {
      const input = tool === 'delete_path' ? { path: 'lib/x.ts' } : { from: 'lib/x.ts', to: 'lib/y.ts' };
      const prepared = await scratch.prepare(tool, input);
      renameSync(scratch.path('lib'), scratch.path('elsewhere'));
      symlinkSync('elsewhere', scratch.path('lib'));
      await assert.rejects(prepared.run(runContext()), ToolError);
      assert.equal(await scratch.read('elsewhere/x.ts'), 'X');
    });

    it(`G8.protected ${tool} does nothing to what has come to hold a protected path`, async () => {
      const input = tool === 'delete_path' ? { path: 'empty' } : { from: 'empty', to: 'full' };
      const prepared = await scratch.prepare(tool, input);
      assert.equal(prepared.accesses[0]?.verdict.decision, 'auto');
      mkdirSync(scratch.path('empty/.git'));
      await assert.rejects(prepared.run(runContext()), ToolError);
      assert.ok(folderSnapshot(scratch.root).includes('empty/.git/'));
    });
  }
});

/** Random trees of links: whatever is asked, nothing outside changes and nothing is lost. */
posix.describe('move_path and delete_path on random trees of links', () => {
  const FOLDERS = ['ws/a/b', 'ws/b', 'ws/.git', 'out/a'];
  const CONTENTS = ['ws/a/x', 'ws/a/b/x', 'ws/b/y', 'ws/.env', 'ws/.git/config', 'out/x', 'out/a/y'];
  const LINKS = ['ws/l', 'ws/m', 'ws/a/l', 'ws/b/m'];
  const name = fc.constantFrom('a', 'b', 'l', 'm', 'x', 'y', 'new', '..', '.', '.env', '.git', 'out', '');
  const place = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
  const there = fc.constantFrom('a/x', 'a/b/x', 'b/y', 'l', 'm', 'a/l', 'b/m', 'a', 'b', 'a/b', 'l/x', 'm/a');
  const target = fc.oneof(place, fc.constantFrom('/out', '/ws/a', '/out/x', '/ws/.git', '/ws/b'));

  let base: string;
  before(() => (base = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-moves-')))));
  after(() => rmSync(base, { recursive: true, force: true }));

  it('G6.property changes nothing outside, and loses nothing', async function () {
    this.timeout(120_000);
    let done = 0;
    let tree = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(target, { minLength: LINKS.length, maxLength: LINKS.length }),
        fc.array(fc.tuple(fc.boolean(), fc.oneof(place, there), place), { minLength: 6, maxLength: 6 }),
        async (targets, asked) => {
          const top = path.join(base, String(tree++));
          for (const folder of FOLDERS) mkdirSync(path.join(top, folder), { recursive: true });
          for (const file of CONTENTS) writeFileSync(path.join(top, file), file);
          LINKS.forEach((link, index) => {
            const leads = targets[index] ?? '';
            symlinkSync(leads.startsWith('/') ? top + leads : leads || '.', path.join(top, link));
          });
          const scratch = await ScratchWorkspace.create({}, { roots: [path.join(top, 'ws')] });
          try {
            for (const [deletes, from, to] of asked) {
              const outside = folderSnapshot(path.join(top, 'out'));
              const inside = folderSnapshot(path.join(top, 'ws'));
              const input = deletes ? { path: from } : { from, to };
              const ended = await scratch
                .call(deletes ? 'delete_path' : 'move_path', input)
                .catch((error: unknown) => {
                  if (error instanceof ToolError) return undefined;
                  throw error;
                });
              assert.deepEqual(folderSnapshot(path.join(top, 'out')), outside);
              const now = folderSnapshot(path.join(top, 'ws'));
              if (ended === undefined) assert.deepEqual(now, inside, 'what fails changes nothing');
              else if (deletes)
                assert.ok(now.every((line) => inside.includes(line)) && now.length < inside.length);
              else assert.deepEqual(contents(now), contents(inside), 'what is moved is all there');
              if (ended !== undefined) done += 1;
            }
          } finally {
            await scratch.dispose();
          }
        },
      ),
      { numRuns: caseCount(60) },
    );
    assert.ok(done >= caseCount(50), `only ${done} calls did something`);
  });

  /** What files hold and where links lead, without their names. */
  function contents(tree: readonly string[]): readonly string[] {
    return tree
      .filter((line) => !line.endsWith('/'))
      .map((line) => line.replace(/^.*?(?=: | -> )/, ''))
      .sort();
  }
});

function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ];
}

async function refused(work: Promise<unknown>, message: string): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof ToolError, String(error));
    assert.equal(error.message, message);
    return true;
  });
}
