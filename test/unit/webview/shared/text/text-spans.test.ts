import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cutAtSpans, inOrder, type TextSpan } from '../../../../../src/webview/shared/text/text-rows';

describe('cutAtSpans', () => {
  const span = (id: string, start: number, end: number): TextSpan => ({
    ...{ id, kind: 'call', start, end },
    label: id,
  });
  /** `0-3 a>b +b`: a piece, the spans that contain it, and those that begin before it. */
  const shown = (start: number, end: number, spans: readonly TextSpan[], isLast = false): readonly string[] =>
    cutAtSpans({ start, end, isLast }, inOrder(spans)).map((piece) => {
      const names = piece.spans.map(({ id }) => id).join('>');
      const opened = piece.opened.map(({ id }) => ` +${id}`).join('');
      return `${piece.start}-${piece.end} ${names}${opened}`;
    });

  const rows: readonly { name: string; actual: readonly string[]; expected: readonly string[] }[] = [
    { name: 'no span', actual: shown(0, 9, []), expected: ['0-9 '] },
    { name: 'a span inside', actual: shown(0, 9, [span('a', 2, 4)]), expected: ['0-2 ', '2-4 a +a', '4-9 '] },
    { name: 'one that began before', actual: shown(5, 9, [span('a', 2, 20)]), expected: ['5-9 a'] },
    {
      name: 'one in another',
      actual: shown(0, 9, [span('b', 2, 4), span('a', 0, 9)]),
      expected: ['0-2 a +a', '2-4 a>b +b', '4-9 a'],
    },
    {
      name: 'two of the same block',
      actual: shown(0, 4, [span('a', 0, 4), span('b', 0, 4)]),
      expected: ['0-4 a>b +a +b'],
    },
    { name: 'a place', actual: shown(0, 4, [span('a', 2, 2)]), expected: ['0-2 ', '2-4  +a'] },
    { name: 'a place at the end of a row', actual: shown(0, 4, [span('a', 4, 4)]), expected: ['0-4 '] },
    {
      name: 'a place at the end of the text',
      actual: shown(0, 4, [span('a', 4, 4)], true),
      expected: ['0-4 ', '4-4  +a'],
    },
  ];
  for (const { name, actual, expected } of rows) {
    it(`cuts at the ends of spans: ${name}`, () => {
      assert.deepEqual(actual, expected);
    });
  }

  it('covers the stretch, names each span once, and has each offset in its spans', () => {
    const anySpan = fc
      .tuple(fc.nat(40), fc.nat(40))
      .map(([one, other]): readonly [number, number] => [Math.min(one, other), Math.max(one, other)]);
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 8 }), fc.integer({ min: 1, max: 40 }), (ends, cut) => {
        const spans = ends.map(([start, end], index) => span(`${index}`, start, end));
        const pieces = [
          ...cutAtSpans({ start: 0, end: cut, isLast: false }, inOrder(spans)),
          ...cutAtSpans({ start: cut, end: 40, isLast: true }, inOrder(spans)),
        ];
        let at = 0;
        for (const piece of pieces) {
          assert.equal(piece.start, at);
          at = piece.end;
          for (const each of spans) {
            const isInside = each.start <= piece.start && piece.start < each.end;
            assert.equal(piece.spans.includes(each), isInside);
          }
        }
        assert.equal(at, 40);
        const opened = pieces.flatMap((piece) => piece.opened.map(({ id }) => id));
        assert.deepEqual(opened.toSorted(), spans.map(({ id }) => id).toSorted());
      }),
    );
  });
});
