import assert from 'node:assert/strict';
import { LongText } from '../../../../src/protocols/engine/long-text';
import { pieces } from '../../../support/parse';

function gathered(text: string, size: number): LongText {
  const long = new LongText();
  for (const piece of pieces(text, size)) long.add(piece);
  return long;
}

describe('LongText', () => {
  const inner = 'line\r\n'.repeat(3_000);
  const outer = ['', '\n', '\r\n', '\r', '\n\n', 'a'];
  const texts = outer.flatMap((begin) =>
    outer.flatMap((end) => [begin + end, begin + inner + end, begin + inner.slice(0, 1022) + end]),
  );

  it('joins what was given', () => {
    for (const text of texts) {
      for (const size of [1, 2, 3, 16_383, 16_384, 100_000]) assert.equal(gathered(text, size).join(), text);
    }
  });

  const ends = {
    each: (text: string) => text.replace(/^\r?\n/, '').replace(/\r?\n$/, ''),
    pair: (text: string) => /^\r?\n([^]*?)\r?\n$/.exec(text)?.[1] ?? text,
    trimmed: (text: string) => text.trim(),
  };
  for (const [kind, without] of Object.entries(ends) as [keyof typeof ends, (text: string) => string][]) {
    it(`leaves out what belongs to the form at its ends: ${kind}`, () => {
      for (const text of texts) {
        for (const size of [1, 2, 3, 16_383, 16_384, 100_000]) {
          assert.equal(
            gathered(text, size).joinInner(kind),
            without(text),
            JSON.stringify([text.slice(0, 4), text.slice(-4), size]),
          );
        }
      }
    });
  }
});
