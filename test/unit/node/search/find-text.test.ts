import fc from 'fast-check';
import assert from 'node:assert/strict';
import { findText } from '../../../../src/node/search/find-text';
import { KeptMatches } from '../../../../src/node/search/matches';
import type { MatchLine } from '../../../../src/tools/ports/search';

function find(content: Buffer, query: string, context: number): readonly MatchLine[] {
  const kept = new KeptMatches({ maxPerFile: 100, most: 1000, lineCharacters: 200 });
  findText(content, { query, caseSensitive: true, context }, kept.file('a'));
  return kept.files[0]?.lines ?? [];
}

describe('findText', () => {
  const line = fc.constantFrom('', 'x', 'a needle', 'needle\r', 'é needle needle', 'needle 😀', 'needl');
  const texts = fc.array(line, { maxLength: 12 });

  it('finds the lines that contain a text, in every encoding', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('utf8', 'utf16le'), (lines, encoding) => {
        const expected = lines.flatMap((text, index) => (text.includes('needle') ? [index + 1] : []));
        const found = find(Buffer.from(`\ufeff${lines.join('\n')}`, encoding), 'needle', 0);
        assert.deepEqual(
          found.map((each) => each.line),
          expected,
        );
      }),
    );
  });

  it('shows each line near a match once, in order', () => {
    fc.assert(
      fc.property(texts, fc.nat(3), (lines, context) => {
        const isMatch = (text: string | undefined): boolean => text?.includes('needle') ?? false;
        const expected = lines.flatMap((text, index) => {
          const near = lines.slice(Math.max(0, index - context), index + context + 1);
          const shown = { line: index + 1, text: text.replace(/\r$/, ''), isMatch: isMatch(text) };
          return near.some(isMatch) ? [shown] : [];
        });
        // The last line has a line break, so no empty line follows it.
        assert.deepEqual(
          find(Buffer.from(lines.map((each) => `${each}\n`).join('')), 'needle', context),
          expected,
        );
      }),
    );
  });

  it('finds a text over several lines', () => {
    const found = find(Buffer.from('a\nb\r\nc\nd\n'), 'b\r\nc\nd', 0);
    assert.deepEqual(
      found.map(({ line: number, text }) => `${number} ${text}`),
      ['2 b', '3 c', '4 d'],
    );
  });

  it('skips a binary file', () => {
    assert.deepEqual(find(Buffer.from('needle\0'), 'needle', 0), []);
  });
});
