import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FileSearch, linePattern } from '../../../../src/node/search/file-search';
import { KeptMatches } from '../../../../src/node/search/matches';
import type { FileWithMatches } from '../../../../src/tools/ports/search';

interface Look {
  readonly query: string;
  readonly isRegex: boolean;
  readonly context: number;
  readonly maxPerFile: number;
}

function look(
  pieces: readonly Buffer[],
  { query, isRegex, context, maxPerFile }: Look,
): readonly FileWithMatches[] {
  const kept = new KeptMatches({ maxPerFile, most: 1000, lineCharacters: 20 });
  const search = new FileSearch(
    linePattern({ query, isRegex, caseSensitive: true }),
    context,
    kept.file('a'),
  );
  for (const [index, piece] of pieces.entries()) search.add(piece, index === pieces.length - 1);
  search.end();
  return kept.files;
}

describe('FileSearch', () => {
  it('finds the same wherever the file was cut', () => {
    const line = fc.constantFrom(
      '',
      'x',
      'a needle',
      'needle\r',
      'é needle needle',
      'y'.repeat(30),
      'needle 😀',
    );
    const text = fc
      .record({ lines: fc.array(line, { maxLength: 12 }), end: fc.constantFrom('', '\n') })
      .map(({ lines, end }) => Buffer.from(lines.join('\n') + end));
    const file = fc
      .tuple(text, fc.constantFrom('utf8', 'utf16le'))
      .map(([bytes, encoding]) =>
        encoding === 'utf8' ? bytes : Buffer.from(`\ufeff${bytes.toString()}`, 'utf16le'),
      );
    const how = fc.record({
      query: fc.constantFrom('needle', 'n[^x]+e', '^$', 'needle\\n', '\\w+$'),
      isRegex: fc.constantFrom(true),
      context: fc.nat(3),
      maxPerFile: fc.constantFrom(1, 3, 50),
    });
    fc.assert(
      fc.property(file, fc.array(fc.nat(400), { maxLength: 6 }), how, (bytes, cuts, options) => {
        // A byte order mark is never split: it is in the first piece that is read.
        const at = [...new Set(cuts.map((cut) => Math.min(cut + 2, bytes.length)))].sort((a, b) => a - b);
        const pieces = [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
        assert.deepEqual(look(pieces, options), look([bytes], options));
      }),
      { numRuns: 500 },
    );
  });

  it('leaves out a line that is too long, and finds what is after it', () => {
    const pieces = Array.from({ length: 9 }, () => Buffer.alloc(1024 * 1024, 'needle '));
    const options = { query: 'needle', isRegex: false, context: 0, maxPerFile: 5 };
    assert.deepEqual(look([Buffer.from('x\n'), ...pieces, Buffer.from('\nneedle')], options), [
      { path: 'a', lines: [{ line: 3, text: 'needle', isMatch: true }], total: 1 },
    ]);
  });
});
