import assert from 'node:assert/strict';
import { splitText } from '../../../support/protocols/run-parser';
import { blanksEnd, Cursor, heldBack, type Reading } from '../../../../src/protocols/engine/cursor';

/** Runs a reader over pieces of text; what it returns, and its position then. */
function run<T>(read: (cursor: Cursor) => Reading<T>, parts: readonly string[]): { value: T; at: number } {
  const cursor = new Cursor();
  const reading = read(cursor);
  let step = reading.next();
  for (const part of parts) {
    if (!step.done && cursor.push(part)) step = reading.next();
  }
  cursor.ended = true;
  if (!step.done) step = reading.next();
  assert.ok(step.done, 'waits although the reply has ended');
  return { value: step.value, at: cursor.position };
}

/** The same for the text cut in every two, and in single characters. */
function everyWay<T>(read: (cursor: Cursor) => Reading<T>, text: string): { value: T; at: number } {
  const whole = run(read, [text]);
  for (let at = 1; at < text.length; at++)
    assert.deepEqual(run(read, [text.slice(0, at), text.slice(at)]), whole, `cut at ${at}`);
  assert.deepEqual(run(read, ['', ...splitText(text, 1), '']), whole, 'in single characters');
  return whole;
}

describe('Cursor', () => {
  it('sees a literal without taking it, here and further on', () => {
    const see = (literal: string, offset?: number) =>
      everyWay((cursor) => cursor.sees(literal, offset), 'abcd');
    assert.deepEqual(see('abc'), { value: true, at: 0 });
    assert.deepEqual(see('abd'), { value: false, at: 0 });
    assert.deepEqual(see('cd', 2), { value: true, at: 0 });
    assert.deepEqual(see('cde', 2), { value: false, at: 0 });
  });

  it('waits only for the deciding characters', () => {
    const cursor = new Cursor();
    cursor.push('ax');
    assert.deepEqual(cursor.sees('abc').next(), { value: false, done: true });
    assert.deepEqual(cursor.char(1).next(), { value: 'x', done: true });
    assert.equal(cursor.char(2).next().done, false);
  });

  it('takes a literal only at its place', () => {
    assert.deepEqual(
      everyWay((cursor) => cursor.takes('ab'), 'abc'),
      { value: true, at: 2 },
    );
    assert.deepEqual(
      everyWay((cursor) => cursor.takes('b'), 'abc'),
      { value: false, at: 0 },
    );
  });

  it('takes characters while they match, up to a limit', () => {
    const digits = (limit: number) =>
      everyWay((cursor) => cursor.takeWhile((char) => /\d/.test(char), limit), '1234x');
    assert.deepEqual(digits(Infinity), { value: '1234', at: 4 });
    assert.deepEqual(digits(4), { value: '1234', at: 4 });
    assert.deepEqual(digits(2), { value: '12', at: 2 });
    assert.deepEqual(
      everyWay((cursor) => cursor.takeWhile((char) => /\d/.test(char), 9), '12'),
      { value: '12', at: 2 },
    );
  });

  it('hands over text up to the first of several literals', () => {
    const upTo = (literals: string[], text: string) =>
      everyWay(function* (cursor) {
        const passed: string[] = [];
        const found = yield* cursor.upTo(literals, (piece) => passed.push(piece));
        return `${passed.join('')}|${found}`;
      }, text);
    assert.deepEqual(upTo(['</b>', '<'], 'ab<c'), { value: 'ab|<', at: 2 });
    assert.deepEqual(upTo(['</b>', '</a>'], 'a</ab</a></b>'), { value: 'a</ab|</a>', at: 5 });
    assert.deepEqual(upTo(['</b>'], 'a</</b>'), { value: 'a</|</b>', at: 3 });
    assert.deepEqual(upTo(['</b>'], 'a</b'), { value: 'a</b|undefined', at: 4 });
    assert.deepEqual(upTo([], 'abc'), { value: 'abc|undefined', at: 3 });
  });

  it('hands text on as it arrives while nothing of it can be the literal', () => {
    const cursor = new Cursor();
    const passed: string[] = [];
    const reading = cursor.upTo(['</b>'], (piece) => passed.push(piece));
    reading.next();
    assert.equal(cursor.push('abc'), false);
    assert.equal(cursor.push('d<'), true);
    assert.equal(reading.next().done, false);
    assert.deepEqual([passed.join(''), cursor.position], ['abcd', 4]);
    cursor.push('x</');
    reading.next();
    cursor.push('b>');
    assert.deepEqual(reading.next(), { value: '</b>', done: true });
    assert.deepEqual([passed.join(''), cursor.position], ['abcd<x', 6]);
  });

  it('passes on at once text that only looks like the beginning of the literal', () => {
    const cursor = new Cursor();
    const passed: string[] = [];
    const reading = cursor.upTo(['</b>'], (piece) => passed.push(piece));
    reading.next();
    assert.equal(cursor.push('a<x'), false);
    assert.equal(passed.join(''), 'a<x');
    // Nothing overtakes what waits.
    assert.equal(cursor.push('b<'), true);
    assert.equal(cursor.push('c'), true);
    reading.next();
    assert.equal(passed.join(''), 'a<xb<c');
  });

  it('finds a literal wherever what has arrived is divided', () => {
    const upTo = (parts: readonly string[], loaded: boolean): string => {
      const cursor = new Cursor();
      const [first = '', ...others] = parts;
      cursor.push(first);
      if (loaded) cursor.load();
      for (const part of others) cursor.push(part);
      cursor.ended = true;
      const passed: string[] = [];
      const { value } = cursor.upTo(['</b>'], (piece) => passed.push(piece)).next();
      assert.ok(!passed.includes(''));
      return `${passed.join('').length} ${value}`;
    };
    assert.equal(upTo(['a</', 'b>'], true), '1 </b>');
    for (const length of [4_093, 4_094, 4_095])
      assert.equal(upTo([`${'a'.repeat(length)}</b>`], false), `${length} </b>`);
    assert.equal(upTo([`${'a'.repeat(4_094)}</`], false), '4096 undefined');
  });

  it('looks through so many blanks', () => {
    const end = (blanks: number): number =>
      run((cursor) => blanksEnd(cursor, 1), [`a${' '.repeat(blanks)}b`]).value;
    assert.equal(end(3), 4);
    assert.equal(end(1_024), 1_025);
    assert.equal(end(2_000), 1_025);
  });

  it('hands text to a scanner until it is over', () => {
    const semicolon = (text: string) =>
      everyWay(
        (cursor) => cursor.through((piece) => (piece.includes(';') ? piece.indexOf(';') + 1 : undefined)),
        text,
      );
    assert.deepEqual(semicolon('ab;cd'), { value: true, at: 3 });
    assert.deepEqual(semicolon('abcd'), { value: false, at: 4 });
    const cursor = new Cursor();
    const reading = cursor.through((piece) => (piece.includes(';') ? piece.indexOf(';') + 1 : undefined));
    reading.next();
    assert.equal(cursor.push('ab'), false);
    assert.equal(cursor.push('c;de'), true);
    assert.deepEqual(reading.next(), { value: true, done: true });
    assert.deepEqual([cursor.unread, cursor.position], ['de', 4]);
  });

  it('looks at the rest of a line after a position', () => {
    const rest = (text: string, from: number) =>
      everyWay(function* (cursor) {
        yield* cursor.need(from);
        return yield* cursor.restOfLine(from);
      }, text);
    assert.deepEqual(rest('ab\nc\nd', 0), { value: 'ab', at: 0 });
    assert.deepEqual(rest('ab\nc\nd', 3), { value: 'c', at: 0 });
    assert.deepEqual(rest('ab\nc\nd', 5), { value: 'd', at: 0 });
    assert.deepEqual(rest('abc', 0), { value: 'abc', at: 0 });
    assert.deepEqual(rest('abc', 3), { value: '', at: 0 });
  });

  it('does not wait for more of a line if it ends there', () => {
    const cursor = new Cursor();
    cursor.push('ab');
    cursor.load();
    cursor.push('c');
    cursor.push('d\ne');
    assert.deepEqual(cursor.restOfLine(1).next(), { value: 'bcd', done: true });
  });

  it('looks at a line in what was put back, too', () => {
    const { value } = run(
      function* (cursor) {
        yield* cursor.need(18_001);
        assert.ok(cursor.putBack(cursor.take(18_001)));
        return yield* cursor.restOfLine(0);
      },
      [`${'a'.repeat(9_000)}\n${'b'.repeat(9_000)}`],
    );
    assert.equal(value, 'a'.repeat(9_000));
  });

  it('makes no more of a long line readable by looking at it', () => {
    const { value } = run(
      function* (cursor) {
        const { length } = yield* cursor.restOfLine(0);
        yield* cursor.need(1);
        return { length, readable: cursor.unread.length };
      },
      [...splitText('a'.repeat(50_000), 7), '\n'],
    );
    assert.equal(value.length, 50_000);
    assert.ok(value.readable < 5_000, `${value.readable} characters are readable`);
  });

  it('reads again what it put back, before new text', () => {
    const { value, at } = run(
      function* (cursor) {
        yield* cursor.need(10_000);
        const all = cursor.take(10_000);
        assert.ok(cursor.putBack(all.slice(5_000)));
        assert.equal(cursor.position, 5_000);
        const again: string[] = [];
        const found = yield* cursor.upTo(['!'], (piece) => again.push(piece));
        return found === '!' && again.join('') === `${all.slice(5_000)}xy`;
      },
      ['ab'.repeat(5_000), 'x', 'y!z'],
    );
    assert.deepEqual([value, at], [true, 10_002]);
  });

  it('puts back at most four times, and never in a reply that was cut', () => {
    const cursor = new Cursor();
    cursor.push('abc');
    cursor.load();
    const answers = [1, 2, 3, 4, 5].map(() => cursor.putBack(cursor.take(1)) && cursor.load());
    assert.deepEqual(answers, [true, true, true, true, false]);
    const cut = new Cursor();
    cut.push('abc');
    cut.load();
    cut.isCut = true;
    assert.equal(cut.putBack(cut.take(1)), false);
    assert.deepEqual([cut.position, cut.unread], [1, 'bc']);
  });

  it('goes back to a mark, over all that has arrived since', () => {
    const { value, at } = run(
      function* (cursor) {
        yield* cursor.need(2);
        cursor.take(1);
        cursor.mark();
        const first = yield* cursor.takeWhile((char) => char !== '.', Infinity);
        cursor.rewind();
        const readable = cursor.unread.slice(0, 4);
        const second = yield* cursor.takeWhile((char) => char !== '.', Infinity);
        return [first, readable, second];
      },
      ['ab', 'cd', 'e.f'],
    );
    assert.deepEqual(value, ['bcde', 'bcde', 'bcde']);
    assert.equal(at, 5);
  });

  it('says what was read since a mark that it gives up', () => {
    const { value } = run(
      function* (cursor) {
        yield* cursor.need(2);
        cursor.take(1);
        cursor.mark();
        yield* cursor.takeWhile((char) => char !== '.', Infinity);
        return [cursor.release(), cursor.release(), cursor.unread];
      },
      ['ab', 'cd', 'e.f'],
    );
    assert.deepEqual(value, ['bcde', '', '.f']);
  });

  it('says what was read since a mark by a scanner and up to a literal, as it arrives', () => {
    const { value } = run(
      function* (cursor) {
        cursor.mark();
        yield* cursor.upTo(['!'], () => undefined);
        yield* cursor.through((piece) => (piece.includes(';') ? piece.indexOf(';') + 1 : undefined));
        return cursor.release();
      },
      ['ab', 'c!d', 'e', 'f;g'],
    );
    assert.equal(value, 'abc!def;');
  });

  it('marks a place before what was put back', () => {
    const { value } = run(
      function* (cursor) {
        yield* cursor.need(10_000);
        cursor.putBack(cursor.take(10_000));
        yield* cursor.need(1);
        cursor.mark();
        const first = yield* cursor.takeWhile((char) => char !== '.', Infinity);
        cursor.rewind();
        return first === (yield* cursor.takeWhile((char) => char !== '.', Infinity)) && first.length;
      },
      ['ab'.repeat(5_000), 'cd', '.'],
    );
    assert.equal(value, 10_002);
  });

  it('counts what came from elsewhere for the position alone', () => {
    const cursor = new Cursor();
    cursor.push('abc');
    cursor.load();
    cursor.mark();
    cursor.take(1);
    cursor.skip(10);
    cursor.take(1);
    assert.deepEqual([cursor.position, cursor.taken, cursor.release()], [12, 2, 'ab']);
  });

  it('is done once the reply has ended and everything was taken', () => {
    const cursor = new Cursor();
    cursor.push('ab');
    const states = [cursor.isOver];
    cursor.ended = true;
    states.push(cursor.isOver);
    cursor.load();
    states.push(cursor.isOver);
    cursor.take(2);
    states.push(cursor.isOver);
    cursor.putBack('');
    states.push(cursor.isOver);
    cursor.putBack('b');
    states.push(cursor.isOver);
    assert.deepEqual(states, [false, false, false, true, true, false]);
  });

  it('takes only available text', () => {
    const cursor = new Cursor();
    cursor.push('abc');
    cursor.load();
    assert.deepEqual([cursor.take(2), cursor.unread, cursor.position], ['ab', 'c', 2]);
    assert.deepEqual([cursor.take(9), cursor.unread, cursor.position], ['c', '', 3]);
  });
});

describe('heldBack', () => {
  for (const [text, literal, expect] of [
    ['ab', '</b>', 0],
    ['ab<', '</b>', 1],
    ['a</b', '</b>', 3],
    ['a</b>', '</b>', 0],
    ['a<<', '</b>', 1],
    ['a<<<', '<<[', 2],
    ['', '</b>', 0],
  ] as const) {
    it(`holds ${expect} of ${text} for ${literal}`, () => assert.equal(heldBack(text, literal), expect));
  }
});
