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
    assert.deepEqual([images.take(), isSettled], [[], false]);
    asked[0]?.(shot);
    await first;
    await tick();
    asked[1]?.(undefined);
    await broken;
    await settled;
    assert.deepEqual(
      images.take().map(({ label }) => label),
      ['a'],
    );
  });
});

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
