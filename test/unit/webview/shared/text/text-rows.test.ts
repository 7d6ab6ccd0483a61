import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TextRows, type Row } from '../../../../../src/webview/shared/text/text-rows';

describe('TextRows', () => {
  const all = (text: string): readonly Row[] => {
    const rows = new TextRows(text);
    return rows.boxes.flatMap((_, box) => rows.rowsOf(box));
  };
  const drawn = (text: string): readonly string[] =>
    all(text).map(({ start, end }) => text.slice(start, end));

  const tables: readonly { name: string; text: string; expected: readonly string[] }[] = [
    { name: 'nothing', text: '', expected: [] },
    { name: 'one line', text: 'a', expected: ['a'] },
    { name: 'a line end at the end begins no row', text: 'a\n', expected: ['a'] },
    { name: 'empty lines', text: 'a\n\nb', expected: ['a', '', 'b'] },
    { name: 'line ends of Windows', text: 'a\r\nb\r', expected: ['a', 'b\r'] },
    { name: 'a long line', text: 'x'.repeat(4001), expected: ['x'.repeat(2000), 'x'.repeat(2000), 'x'] },
    {
      name: 'a long line that ends where the next row would begin',
      text: `${'x'.repeat(2000)}\ny`,
      expected: ['x'.repeat(2000), 'y'],
    },
    {
      name: 'no cut in a character',
      text: `${'x'.repeat(1999)}😀`,
      expected: ['x'.repeat(1999), '😀'],
    },
    {
      name: 'no cut in a line end',
      text: `${'x'.repeat(1999)}\r\ny`,
      expected: ['x'.repeat(1999), 'y'],
    },
  ];
  for (const { name, text, expected } of tables) {
    it(`cuts a text into rows: ${name}`, () => {
      assert.deepEqual(drawn(text), expected);
    });
  }

  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom('\n', '\r\n', '\r', '😀', 'a', ''),
        fc.nat(5000).map((length) => 'x'.repeat(length)),
      ),
      { maxLength: 120 },
    )
    .map((parts) => parts.join(''));

  it('leaves nothing out, and keeps boxes small', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const rows = new TextRows(whole);
        let at = 0;
        for (const row of all(whole)) {
          assert.equal(row.start, at);
          assert.match(whole.slice(row.end, row.next), /^(?:\r?\n)?$/);
          assert.ok(row.next > row.start && row.end - row.start <= 2000);
          at = row.next;
        }
        assert.equal(at, whole.length);
        rows.boxes.forEach((_, box) => {
          const { start, end } = rows.rangeOf(box);
          assert.ok(rows.rowsOf(box).length <= 50);
          assert.ok(end - start <= 8 * 1024);
        });
      }),
    );
  });

  it('finds the box of every offset', () => {
    fc.assert(
      fc.property(text, fc.nat(), (whole, number) => {
        fc.pre(whole !== '');
        const rows = new TextRows(whole);
        const offset = number % (whole.length + 1);
        const { start, end } = rows.rangeOf(rows.boxAt(offset));
        assert.ok(start <= offset && (offset < end || offset === whole.length));
      }),
    );
  });

  it('draws the line endings of a text of hundreds of thousands of lines as symbols', () => {
    const rows = new TextRows('\n'.repeat(1_000_000));
    assert.equal(rows.keepsLines, false);
    assert.ok(rows.boxes.length < 300);
  });
});
