import assert from 'node:assert/strict';
import type { ImageAttachment } from '../../../src/core/attachment';
import { PastedImages } from '../../../src/host/pasted-images';

const shot: ImageAttachment = {
  ...{ type: 'image', label: 'shot', isPasted: true },
  image: { mediaType: 'image/png', data: 'AA==' },
};

describe('pasted images', () => {
  it('are settled once each is there or was refused', async () => {
    const asked: ((image: ImageAttachment | undefined) => void)[] = [];
    const images = new PastedImages({
      pastedImage: ({ name }) =>
        new Promise((resolve, reject) =>
          asked.push((image) => (image ? resolve({ ...image, label: name }) : reject(new Error('broken')))),
        ),
    });
    const first = images.add('a', 'AA==');
    const broken = assert.rejects(images.add('b', 'AA=='), /broken/);
    let isSettled = false;
    const settled = images.settled().then(() => (isSettled = true));
    await tick();
    assert.deepEqual([images.take({ isForEarlier: false }), isSettled], [[], false]);
    asked[0]?.(shot);
    await first;
    await tick();
    asked[1]?.(undefined);
    await broken;
    await settled;
    assert.deepEqual(
      images.take({ isForEarlier: false }).map(({ label }) => label),
      ['a'],
    );
  });

  it('go along with the earlier message that they were given to, the others wait for the next one', async () => {
    const images = new PastedImages({ pastedImage: async ({ name }) => ({ ...shot, label: name }) });
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
});

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
