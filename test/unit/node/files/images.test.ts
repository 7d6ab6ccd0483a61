import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readImage } from '../../../../src/node/files/images';
import { gif, jpeg, png, webp } from '../../../support/images';

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
      assert.equal(facts?.isWhole, true);
      assert.ok(readImage(Buffer.concat([bytes, Buffer.alloc(9)]))?.isWhole, 'with data after its end');
    });

    it(`finds no end in ${name} that is cut off`, () => {
      // The check sum of the last chunk of a PNG counts as part of the end.
      for (let length = 0; length < bytes.length; length++)
        assert.ok(readImage(bytes.subarray(0, length))?.isWhole !== true, `${length} bytes`);
    });

    it(`reads nothing from ${name} that is cut off`, () => {
      for (let length = 0; length < 10; length++)
        assert.equal(readImage(bytes.subarray(0, length)), undefined);
    });
  }

  it('treats a PNG without a picture or with a wrong checksum as incomplete', () => {
    const bytes = png(8, 8);
    const [header, end] = [bytes.subarray(0, 33), bytes.subarray(-12)];
    assert.equal(readImage(Buffer.concat([header, end]))?.isWhole, false);
    // From the size on to the end, each byte counts.
    for (let at = 16; at < bytes.length; at++) {
      const broken = Buffer.from(bytes);
      broken[at] = (broken[at] ?? 0) ^ 1;
      assert.equal(readImage(broken)?.isWhole, false, `byte ${at}`);
    }
  });

  it('finds the end after blocks that look like it', () => {
    const head = gif(1, 1).subarray(0, 13);
    head[10] = 0x80;
    const colours = Buffer.alloc(6, ';');
    const comment = Buffer.from([0x21, 0xfe, 2, 0x3b, 0x3b, 0]);
    const picture = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 0x3b, 0]);
    const whole = Buffer.concat([head, colours, comment, picture, Buffer.from(';')]);
    assert.ok(readImage(whole)?.isWhole);
    for (let length = 13; length < whole.length; length++)
      assert.equal(readImage(whole.subarray(0, length))?.isWhole, false, `${length} bytes`);
  });

  it('does not treat the end of an embedded thumbnail as the end', () => {
    const inside = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 6, 0xff, 0xd9, 0xff, 0xd9]);
    const bytes = Buffer.concat([inside, jpeg(1, 1).subarray(2)]);
    assert.equal(readImage(bytes)?.isWhole, true);
    assert.equal(readImage(bytes.subarray(0, -1))?.isWhole, false);
  });

  for (const [name, bytes] of [
    ['PNG', png(0, 1)],
    ['GIF', gif(1, 0)],
    ['JPEG', jpeg(0, 0)],
    ['WebP', webp('VP8 ', 0, 0)],
  ] as const) {
    it(`treats a ${name} without a size as incomplete`, () => {
      assert.equal(readImage(bytes)?.isWhole, false);
    });
  }

  for (const text of [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'GIF is a format',
    '%PDF-1.7',
    '\x89PNG',
    '',
  ]) {
    it(`does not treat ${JSON.stringify(text)} as an image`, () => {
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
