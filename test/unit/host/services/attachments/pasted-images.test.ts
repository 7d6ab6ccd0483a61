import assert from 'node:assert/strict';
import type { ImageAttachment } from '../../../../../src/core/words/attachment';
import { KeptImages } from '../../../../../src/host/services/attachments/kept-images';
import { PastedImages } from '../../../../../src/host/services/attachments/pasted-images';
import { limits } from '../../../../../src/base/limits';

const shot: ImageAttachment = {
  ...{ type: 'image', label: 'shot', isPasted: true },
  image: { mediaType: 'image/png', data: 'AA==' },
};

describe('pasted images', () => {
  it('are ready once each is there or was refused', async () => {
    const asked: ((image: ImageAttachment | undefined) => void)[] = [];
    const images = new PastedImages(
      {
        pastedImage: ({ name }) =>
          new Promise((resolve, reject) =>
            asked.push((image) => (image ? resolve({ ...image, label: name }) : reject(new Error('broken')))),
          ),
      },
      new Window().kept,
    );
    const first = images.add('a', 'AA==');
    const broken = assert.rejects(images.add('b', 'AA=='), /broken/);
    let isReady = false;
    const ready = images.ready().then(() => (isReady = true));
    await tick();
    assert.deepEqual([images.take({ isForEarlier: false }), isReady], [[], false]);
    asked[0]?.(shot);
    await first;
    await tick();
    asked[1]?.(undefined);
    await broken;
    await ready;
    assert.deepEqual(
      images.take({ isForEarlier: false }).map(({ label }) => label),
      ['a'],
    );
  });

  it('are sent with the earlier message that they were added to; the others wait for the next one', async () => {
    const images = open(new Window());
    const labels = (isForEarlier: boolean): string[] =>
      images.take({ isForEarlier }).map(({ label }) => label);
    await images.add('draft', 'AA==');
    await images.add('earlier', 'AA==', true);
    assert.deepEqual(
      images.shown.map(({ label, isForEarlier }) => [label, isForEarlier]),
      [
        ['draft', undefined],
        ['earlier', true],
      ],
    );
    assert.deepEqual(labels(true), ['earlier']);
    assert.deepEqual(labels(true), []);
    // The change was given up: nothing that was pasted is lost.
    await images.add('given up', 'AA==', true);
    assert.deepEqual(labels(false), ['draft', 'given up']);
  });

  describe('over a reload of the window', () => {
    it('are there again until their message has gone or they are taken away', async () => {
      const before = new Window();
      const images = open(before);
      for (const name of ['draft', 'queued', 'sent', 'removed']) await images.add(name, 'AA==');
      await images.add('earlier', 'AA==', true);
      images.remove(3);
      const taken = images.take({ isForEarlier: false });
      images.forget(taken.filter(({ label }) => label === 'sent'));
      images.putBack(taken.filter(({ label }) => label === 'earlier'));
      await before.ready();
      const after = before.reload();
      const again = open(after);
      await again.restore();
      assert.deepEqual(
        again.shown.map(({ label, url }) => [label, url]),
        ['draft', 'queued', 'earlier'].map((label) => [label, 'data:image/png;base64,AA==']),
      );
      assert.equal(before.files.size, 3);
      again.forget(again.take({ isForEarlier: false }));
      await after.ready();
      assert.deepEqual((await load(after.reload())).length, 0);
      assert.equal(before.files.size, 0);
    });

    it('stay with the message that they were pasted for', async () => {
      const before = new Window();
      await open(before).add('earlier', 'AA==', true);
      const again = open(before.reload());
      await again.restore();
      assert.deepEqual(
        again.shown.map(({ isForEarlier }) => isForEarlier),
        [true],
      );
    });

    it('belong to this window only; abandoned ones are deleted some time later', async () => {
      const one = new Window();
      await open(one).add('one', 'AA==');
      const other = one.beside();
      assert.deepEqual(await load(other), []);
      assert.equal(one.files.size, 1);
      other.age = limits.keptImageMs + 1;
      await open(other).add('other', 'AA==');
      assert.deepEqual(await load(other.reload()), ['other']);
      assert.equal(other.files.size, 1);
    });

    it('are dropped if their file has changed, which is reported', async () => {
      const before = new Window();
      const images = open(before);
      for (const name of ['whole', 'gone', 'other']) await images.add(name, 'AA==');
      const [, gone = '', other = ''] = before.files.keys();
      before.files.delete(gone);
      before.files.set(other, Buffer.from('{"type":"image"}'));
      const after = before.reload();
      assert.deepEqual(await load(after), ['whole']);
      assert.equal(after.errors.length, 1);
      assert.equal(before.files.size, 1);
    });

    it('are bounded; one more lasts as long as the window', async () => {
      const before = new Window();
      const images = open(before);
      for (let count = 0; count <= limits.keptImages; count++) await images.add(String(count), 'AA==');
      assert.equal(images.shown.length, limits.keptImages + 1);
      assert.equal((await load(before.reload())).length, limits.keptImages);
    });

    it('are shown even if they cannot be stored', async () => {
      const full = new Window();
      full.folder.put = () => Promise.reject(new Error('The disk is full.'));
      const images = open(full);
      await images.add('shot', 'AA==');
      assert.equal(images.shown.length, 1);
      assert.match(String(full.errors), /disk is full/);
    });
  });
});

/** A window whose disk is a map. */
class Window {
  readonly errors: unknown[] = [];
  readonly kept: KeptImages;
  /** Makes every file so many milliseconds older. */
  age = 0;

  constructor(
    readonly files = new Map<string, Uint8Array>(),
    private readonly name = 'one',
  ) {
    const onError = (error: unknown): void => void this.errors.push(error);
    this.kept = new KeptImages({
      storage: () => Promise.resolve({ folder: this.folder, window: name }),
      onError,
    });
  }

  readonly folder = {
    names: async () => [...this.files.keys()],
    head: async () => ({ bytes: new Uint8Array(), size: 0, modified: Date.now() - this.age }),
    read: async (name: string) => this.files.get(name) ?? Promise.reject(missing),
    put: async (name: string, bytes: Uint8Array) => void this.files.set(name, bytes),
    rename: async (from: string, to: string) => {
      this.files.set(to, this.files.get(from) ?? assert.fail());
      this.files.delete(from);
    },
    remove: async (name: string) => void this.files.delete(name),
  };

  reload(): Window {
    return new Window(this.files, this.name);
  }

  /** Everything so far is on its disk. */
  ready(): Promise<void> {
    return this.kept.forget([]);
  }

  /** Another one on the same machine. */
  beside(): Window {
    return new Window(this.files, 'other');
  }
}

const missing = Object.assign(new Error('No such file.'), { code: 'ENOENT' });

function open({ kept }: Window): PastedImages {
  return new PastedImages({ pastedImage: async ({ name }) => ({ ...shot, label: name }) }, kept);
}

/** What a window shows when it opens. */
async function load(window: Window): Promise<readonly string[]> {
  const images = open(window);
  await images.restore();
  return images.shown.map(({ label }) => label);
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
