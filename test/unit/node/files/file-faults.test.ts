import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ToolError } from '../../../../src/core/words/tool';
import { createFiles } from '../../../../src/node/files/files';
import type { Files } from '../../../../src/tools/ports/files';
import { stepsOf, withEachStep } from '../../../support/workspace/file-faults';
import { posix } from '../../../support/platform';

const OLD = 'old text\n';
const NEW = 'new text, and longer\n';
const FOREIGN = 'a foreigner\n';

/** A workspace with a folder that is swapped during an operation, and a similar place outside. */
class Stage {
  readonly top = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-faults-')));
  readonly files: Files = createFiles({ roots: [path.join(this.top, 'ws')] });

  constructor(private readonly outside = FOREIGN) {
    for (const name of ['ws/sub', 'out']) mkdirSync(path.join(this.top, name), { recursive: true });
    writeFileSync(path.join(this.top, 'ws/sub/a.txt'), OLD);
    writeFileSync(path.join(this.top, 'out/a.txt'), this.outside);
  }

  exchangeFolder(): void {
    renameSync(path.join(this.top, 'ws/sub'), path.join(this.top, 'ws/away'));
    symlinkSync('../out', path.join(this.top, 'ws/sub'));
  }

  exchangeFile(): void {
    renameSync(path.join(this.top, 'ws/sub/a.txt'), path.join(this.top, 'ws/sub/away.txt'));
    symlinkSync('../../out/a.txt', path.join(this.top, 'ws/sub/a.txt'));
  }

  bringFolderBack(): void {
    unlinkSync(path.join(this.top, 'ws/sub'));
    renameSync(path.join(this.top, 'ws/away'), path.join(this.top, 'ws/sub'));
  }

  /** The file of the workspace, wherever it is now. */
  inside(name: string): string | undefined {
    const found = ['ws/away', 'ws/sub'].map((folder) => path.join(this.top, folder, name)).find(existsSync);
    return found === undefined ? undefined : readFileSync(found, 'utf8');
  }

  /** Nothing was changed outside, and nothing of ours is there but an empty file or folder. */
  mustBeCleanOutside(): void {
    const out = path.join(this.top, 'out');
    const names = readdirSync(out, { recursive: true, encoding: 'utf8' });
    const full = names.filter((name) => {
      const stats = statSync(path.join(out, name));
      return stats.isFile() && stats.size > 0;
    });
    assert.deepEqual(full, ['a.txt']);
    assert.equal(readFileSync(path.join(this.top, 'out/a.txt'), 'utf8'), this.outside);
  }

  dispose(): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}

interface Work {
  readonly name: string;
  readonly run: (files: Files) => Promise<unknown>;
}

const replace: Work = {
  name: 'replacing a file',
  run: async (files) => files.writeText(await inWorkspace(files, 'sub/a.txt'), NEW, OLD),
};
const create: Work = {
  name: 'creating a file',
  run: async (files) => files.writeText(await inWorkspace(files, 'sub/new/b.txt'), NEW, undefined),
};
const read: Work = {
  name: 'reading a file',
  run: async (files) => {
    const place = await files.resolve('sub/a.txt', 'read');
    // A place outside would be asked about.
    return place.verdict.decision === 'auto' ? (await files.readText(place)).text : OLD;
  },
};
const lines: Work = {
  name: 'reading lines',
  run: async (files) => {
    const place = await files.resolve('sub/a.txt', 'read');
    const all: string[] = [];
    if (place.verdict.decision !== 'auto') return OLD;
    for await (const batch of files.readLines(place, { line: 1, character: 1 }, new AbortController().signal))
      all.push(...batch.map(({ text }) => text));
    return `${all.join('\n')}\n`;
  },
};

async function inWorkspace(files: Files, name: string) {
  return files.resolve(name, 'write');
}

/** Possible errors after a failed step or a swapped place. */
type Outcome =
  { readonly done: true; readonly value: unknown } | { readonly done: false; readonly error: unknown };

async function outcomeOf(work: Promise<unknown>): Promise<Outcome> {
  try {
    return { done: true, value: await work };
  } catch (error) {
    return { done: false, error };
  }
}

async function lengthOf(work: Work): Promise<readonly string[]> {
  const stage = new Stage();
  try {
    return await stepsOf(() => work.run(stage.files));
  } finally {
    stage.dispose();
  }
}

/** Runs the work on a fresh stage and acts before the steps given by number. */
async function act(
  work: Work,
  acts: ReadonlyMap<number, (stage: Stage) => void>,
  look: (stage: Stage, outcome: Outcome) => void,
  outside?: string,
): Promise<void> {
  const stage = new Stage(outside);
  try {
    const outcome = await outcomeOf(
      withEachStep(
        async (index) => acts.get(index)?.(stage),
        () => work.run(stage.files),
      ),
    );
    look(stage, outcome);
  } finally {
    stage.dispose();
  }
}

const exchanges = [
  { name: 'its folder', exchange: (stage: Stage) => stage.exchangeFolder() },
  { name: 'the file', exchange: (stage: Stage) => stage.exchangeFile() },
] as const;

posix.describe('files at every step', () => {
  it('runs the expected steps', async () => {
    const steps = new Set(await lengthOf(replace));
    for (const step of ['open', 'handle.readFile', 'handle.writeFile', 'handle.sync', 'rename'])
      assert.ok(steps.has(step), step);
    assert.ok((await lengthOf(create)).includes('link'));
  });

  for (const { name, exchange } of exchanges) {
    it(`G7.exchange ${name} for a link at any step of a replacement changes nothing outside`, async () => {
      for (const [index, step] of (await lengthOf(replace)).entries()) {
        await act(
          replace,
          new Map([[index, exchange]]),
          (stage, { done }) => {
            stage.mustBeCleanOutside();
            const kept = stage.inside('away.txt') ?? stage.inside('a.txt');
            if (!done) assert.ok(name === 'the file' || kept === OLD, `${index} ${step}: ${kept}`);
            assert.ok(kept === OLD || kept === NEW, `${index} ${step}: ${kept}`);
          },
          // The place outside looks the same, so its text does not reveal it.
          OLD,
        );
      }
    });
  }

  it('G7.exchange its folder for a link at any step of a creation creates nothing outside', async () => {
    for (const [index, step] of (await lengthOf(create)).entries()) {
      await act(create, new Map([[index, exchanges[0].exchange]]), (stage, { done }) => {
        stage.mustBeCleanOutside();
        const made = stage.inside('new/b.txt');
        assert.ok(done ? made === NEW : made === undefined || made === '', `${index} ${step}: ${made}`);
      });
    }
  });

  for (const work of [read, lines]) {
    for (const { name, exchange } of exchanges) {
      it(`G7.exchange ${name} for a link at any step of ${work.name} shows nothing from outside`, async () => {
        for (const [index, step] of (await lengthOf(work)).entries()) {
          await act(work, new Map([[index, exchange]]), (_, outcome) => {
            if (outcome.done) assert.equal(outcome.value, OLD, `${index} ${step}`);
            else assert.ok(outcome.error instanceof ToolError, String(outcome.error));
          });
        }
      });
    }
  }

  for (const work of [read, lines, replace, create]) {
    it(`G7.exchange and back while ${work.name} shows and changes nothing outside`, async () => {
      const { length } = await lengthOf(work);
      for (let first = 0; first < length; first++) {
        // Every distance for reading; for the many steps of writing the shortest ones and some long ones.
        for (let later = first + 1; later <= length; later += length < 30 || later < first + 2 ? 1 : 29) {
          const acts = new Map([
            [first, (stage: Stage) => stage.exchangeFolder()],
            [later, (stage: Stage) => stage.bringFolderBack()],
          ]);
          await act(work, acts, (stage, outcome) => {
            stage.mustBeCleanOutside();
            const isRead = work === read || work === lines;
            if (isRead && outcome.done) assert.equal(outcome.value, OLD, `${first} to ${later}`);
            const kept = stage.inside('a.txt');
            assert.ok(
              kept === OLD || (work === replace && outcome.done && kept === NEW),
              `${first} to ${later}`,
            );
          });
        }
      }
    });
  }

  for (const work of [replace, create]) {
    it(`G27.failure at any step of ${work.name} leaves the old or the new content`, async () => {
      for (const [index, step] of (await lengthOf(work)).entries()) {
        const fail = () => {
          throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
        };
        await act(work, new Map([[index, fail]]), (stage, { done }) => {
          const kept = stage.inside(work === replace ? 'a.txt' : 'new/b.txt');
          const before = work === replace ? OLD : undefined;
          // Only closing remains when everything is done.
          const may = done ? [NEW] : step === 'handle.close' ? [before, NEW] : [before];
          assert.ok(may.includes(kept), `${index} ${step}: ${kept}`);
        });
      }
    });
  }

  it('writes a new file if the file system has no hard links', async () => {
    const stage = new Stage();
    try {
      await withEachStep(
        async (_, name) => {
          if (name === 'link') throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
        },
        () => create.run(stage.files),
      );
      assert.equal(stage.inside('new/b.txt'), NEW);
      assert.deepEqual(readdirSync(path.join(stage.top, 'ws/sub/new')), ['b.txt']);
    } finally {
      stage.dispose();
    }
  });
});
