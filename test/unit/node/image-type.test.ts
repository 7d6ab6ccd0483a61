import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readImage } from '../../../src/node/image-type';
import { gif, jpeg, png, webp } from '../../support/images';

const rows = [
  { name: 'a PNG', bytes: png(640, 480), expect: ['image/png', 640, 480] },
  { name: 'a GIF', bytes: gif(640, 480), expect: ['image/gif', 640, 480] },
  {
    name: 'a JPEG with what cameras put before the picture',
    bytes: jpeg(640, 480),
    expect: ['image/jpeg', 640, 480],
  },
  { name: 'a WebP with loss', bytes: webp('VP8 ', 640, 480), expect: ['image/webp', 640, 480] },
  { name: 'a WebP without loss', bytes: webp('VP8L', 640, 480), expect: ['image/webp', 640, 480] },
  { name: 'an extended WebP', bytes: webp('VP8X', 16_000, 480), expect: ['image/webp', 16_000, 480] },
] as const;

describe('image type', () => {
  for (const { name, bytes, expect } of rows) {
    it(`reads ${name} from its bytes`, () => {
      const facts = readImage(bytes);
      assert.deepEqual(facts && [facts.mediaType, facts.width, facts.height], expect);
    });

    it(`reads nothing from ${name} that is cut off`, () => {
      for (let length = 0; length < 10; length++)
        assert.equal(readImage(bytes.subarray(0, length)), undefined);
    });
  }

  for (const text of [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'GIF is a format',
    '%PDF-1.7',
    '\x89PNG',
    '',
  ]) {
    it(`takes ${JSON.stringify(text)} for no image`, () => {
      assert.equal(readImage(Buffer.from(text, 'latin1')), undefined);
    });
  }

  it('never throws and always ends', () => {
    const head = fc.constantFrom(...rows.map(({ bytes }) => bytes.subarray(0, 12)), Buffer.alloc(0));
    fc.assert(
      fc.property(head, fc.uint8Array({ maxLength: 200 }), (begin, rest) => {
        readImage(Buffer.concat([begin, rest]));
      }),
    );
    readImage(Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1_000_000, 0xff)]));
    readImage(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), Buffer.alloc(1_000, 0xff)]));
  });
});
