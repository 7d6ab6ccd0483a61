import fc from 'fast-check';
import assert from 'node:assert/strict';
import { LineReader } from '../../../../src/node/search/ripgrep';

describe('LineReader', () => {
  it('reads the same lines however they were cut', () => {
    const chunks = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '\n'), maxLength: 6 }));
    fc.assert(
      fc.property(chunks, (parts) => {
        const expected = parts.join('').split('\n').slice(0, -1);
        assert.deepEqual(read(parts, 100), expected);
      }),
    );
  });

  it('leaves out a line that is too long', () => {
    assert.deepEqual(read(['a\nbbb', 'bbb', 'b\nc\n'], 5), ['a', 'c']);
  });
});

function read(parts: readonly string[], most: number): string[] {
  const lines: string[] = [];
  const reader = new LineReader(most, (line) => lines.push(line.toString()));
  for (const part of parts) reader.push(Buffer.from(part));
  return lines;
}
