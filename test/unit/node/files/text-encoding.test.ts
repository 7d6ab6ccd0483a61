import fc from 'fast-check';
import assert from 'node:assert/strict';
import { ToolError } from '../../../../src/core/words/tool';
import { decodeText, encodeText } from '../../../../src/node/files/text-encoding';

const marks = { 'utf-8': [0xef, 0xbb, 0xbf], 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] };

describe('text encodings', () => {
  for (const [encoding, mark] of Object.entries(marks)) {
    it(`gives back the bytes of ${encoding}`, () => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
          const bytes = encodeText(text, { encoding, byteOrderMark: true }, 'f');
          assert.deepEqual([...bytes.subarray(0, mark.length)], mark);
          const file = decodeText(bytes, 'f');
          assert.deepEqual(file, { text, encoding, byteOrderMark: true });
        }),
      );
    });
  }

  it('returns any bytes or refuses them', () => {
    const bytes = fc.uint8Array({ maxLength: 12 }).map((list) => Buffer.from(list));
    const marked = fc
      .constantFrom(...Object.values(marks), [])
      .chain((mark) => bytes.map((rest) => Buffer.concat([Buffer.from(mark), rest])));
    fc.assert(
      fc.property(marked, (content) => {
        try {
          const file = decodeText(content, 'f');
          assert.deepEqual(encodeText(file.text, file, 'f'), content);
        } catch (error) {
          assert.ok(error instanceof ToolError, String(error));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses UTF-16 without a mark, which cannot be told from binary data', () => {
    assert.throws(() => decodeText(Buffer.from('abc', 'utf16le'), 'f'), ToolError);
  });
});
