import assert from 'node:assert/strict';
import { isBlock, LongText, ValueText } from '../../../../src/protocols/engine/long-text';
import { splitText } from '../../../support/protocols/run-parser';

function gathered(text: string, size: number): LongText {
  const long = new LongText();
  for (const piece of splitText(text, size)) long.add(piece);
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

  it('takes in more after the joined text', () => {
    const text = gathered('line', 1);
    assert.equal(text.join(), 'line');
    assert.equal(text.join(), 'line');
    assert.equal(text.length, 4);
    text.add('');
    text.add(' and more');
    assert.equal(text.length, 13);
    assert.equal(text.join(), 'line and more');
    assert.equal(new LongText().join(), '');
    assert.equal(new LongText().length, 0);
  });

  it('joins many pieces, or much text, at once', () => {
    const many = (count: number): string[] => new Array<string>(count).fill('a');
    assert.equal(isBlock(many(1_023), 1_023), false);
    assert.equal(isBlock(many(1_024), 1_024), true);
    assert.equal(isBlock(['a'], 16_383), false);
    assert.equal(isBlock(['a'], 16_384), true);
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

describe('ValueText', () => {
  const valueOf = (...added: string[]): ValueText => {
    const value = new ValueText();
    for (const piece of added) value.add(piece);
    return value;
  };

  it('knows whether only blanks have come since a line began', () => {
    for (const starts of [['\n'], ['a\n'], ['a\n \t'], ['a\n', ' ', '\t'], ['a', '\n', ''], ['a\r\n']])
      assert.equal(valueOf(...starts).isLineStart, true, JSON.stringify(starts));
    for (const others of [
      [],
      [''],
      [' '],
      ['a'],
      ['\na'],
      ['\n', 'a'],
      ['\na '],
      ['\n', 'a', '\t'],
      ['a\nb'],
    ])
      assert.equal(valueOf(...others).isLineStart, false, JSON.stringify(others));
  });

  it('knows its last non-blank character', () => {
    assert.equal(valueOf().lastVisible, '');
    assert.equal(valueOf(' \n').lastVisible, '');
    assert.equal(valueOf('a b \n').lastVisible, 'b');
    assert.equal(valueOf('a b', ' ', '\n').lastVisible, 'b');
    assert.equal(valueOf('a b', ' c ').lastVisible, 'c');
  });

  it('treats an unmatched end of a call as a mark', () => {
    const tags = { openers: ['<call>'], closers: ['</call>'] };
    const value = valueOf('a');
    for (const tag of ['<call>', '<call>', '</call>', '</call>']) {
      value.pass(tag, tags);
      value.add(tag);
    }
    assert.deepEqual([value.calls, value.isMarked, value.behind], [0, false, undefined]);
    value.pass('</call>', tags);
    assert.deepEqual([value.isMarked, value.behind], [true, '']);
    value.add('</call>');
    value.mark();
    value.add('b');
    assert.equal(value.behind, '</call>b');
    assert.equal(value.join(), 'a<call><call></call></call></call>b');
  });
});
