import assert from 'node:assert/strict';
import type { Json } from '../../../../src/base/json';
import { Cursor, type Reading } from '../../../../src/protocols/engine/cursor';
import {
  isBareKey,
  LiteralReader,
  Unreadable,
  type Literals,
} from '../../../../src/protocols/engine/literals';
import { splitText } from '../../../support/protocols/run-parser';

const PYTHON: Literals = { closers: ['</calls>'] };
const MARKED: Literals = { mark: '<|"|>', closers: ['<tool_call|>', '</calls>'] };

type Read = (reader: LiteralReader) => Reading<Json>;

const value: Read = (reader) => reader.value();
const textOrOther: Read = (reader) => reader.value(true);
const python: Read = function* (reader) {
  yield* reader.cursor.need(1);
  return yield* reader.pairs(')', '=', () => reader.value());
};

/** What was read with its repairs, or why nothing was. */
function outcome(form: Literals, text: string, read = value): string {
  const [whole = '', ...others] = [text.length, 1, 3].map((size) =>
    outcomeOf(form, splitText(text, size), read),
  );
  for (const other of others) assert.equal(other, whole);
  return whole;
}

function outcomeOf(form: Literals, parts: readonly string[], read: Read): string {
  const cursor = new Cursor();
  const reader = new LiteralReader(cursor, form);
  const reading = read(reader);
  try {
    for (let at = 0; ; at++) {
      const step = reading.next();
      if (step.done) return [JSON.stringify(step.value), ...reader.repairs].join('; ');
      const part = parts[at];
      if (part === undefined) cursor.ended = true;
      else cursor.push(part);
    }
  } catch (problem) {
    assert.ok(problem instanceof Unreadable);
    return `refused: ${problem.message}`;
  }
}

const rows: readonly (readonly [form: Literals, text: string, expect: string, read?: Read])[] = [
  [PYTHON, '{}', '{}'],
  [PYTHON, '{1}', '[1]'],
  [PYTHON, '{"a": 1, "b": 2}', '{"a":1,"b":2}'],
  [PYTHON, '{"a": 1, "b"}', 'refused: an object has no keys or values'],
  [PYTHON, '{"a", "b": 1}', 'refused: an object has no keys or values'],
  [PYTHON, '{1: 2}', 'refused: an object has no keys or values'],
  [PYTHON, '{"a": 1, "a": 2}', 'refused: "a" is given twice'],
  [PYTHON, '()', '[]'],
  [PYTHON, '(1)', '1'],
  [PYTHON, '(1,)', '[1]'],
  [PYTHON, '(1, 2)', '[1,2]'],
  [PYTHON, '[1]', '[1]'],
  [PYTHON, '[1 2]', 'refused: there is no comma or ] after a value'],
  [PYTHON, '(1; 2)', 'refused: there is no comma or ) after a value'],
  [PYTHON, `[${'[],'.repeat(70)}]`, JSON.stringify(new Array(70).fill([]))],
  [PYTHON, '['.repeat(64) + ']'.repeat(64), '['.repeat(64) + ']'.repeat(64)],
  [PYTHON, '['.repeat(65) + ']'.repeat(65), 'refused: it is nested more than 64 levels deep'],

  [PYTHON, '(a=1, b="c")', '{"a":1,"b":"c"}', python],
  [PYTHON, '(**{"a-b": 1}, c=2)', '{"a-b":1,"c":2}', python],
  [PYTHON, '(**[1])', 'refused: no object follows **', python],
  [PYTHON, '(="a")', 'refused: an argument is not written as name=value', python],
  [PYTHON, '("a"="b")', 'refused: an argument is not written as name=value', python],
  [PYTHON, '(a=="b")', 'refused: an argument is not written as name=value', python],
  [PYTHON, '(a=1, a=2)', 'refused: "a" is given twice', python],
  [MARKED, '{a:1,<|"|>b<|"|>:2,"c":3}', '{"a":1,"b":2,"c":3}; read "…" as a text'],
  [MARKED, '{a 1}', 'refused: an argument is not written as name:value'],
  [MARKED, '{**{a:1}}', 'refused: an argument is not written as name:value'],
  [MARKED, '{:1}', 'refused: an argument is not written as name:value'],
  [MARKED, '{a:{}}', '{"a":{}}'],
  [MARKED, '(1)', 'refused: "" is invalid'],

  [PYTHON, '"a\\x41\\u00e9\\n\\"" ', '"aAé\\n\\""'],
  [PYTHON, '"\\d+"', '"\\\\d+"; kept the backslash in \\d'],
  [PYTHON, '"\\033"', 'refused: a text has an invalid escape'],
  [PYTHON, '"\\x4"', 'refused: a text has an invalid escape'],
  [PYTHON, '"a', 'refused: a text is not closed'],
  [PYTHON, '"a}', 'refused: a text is not closed'],
  [PYTHON, '"""a"', 'refused: a text is not closed'],
  [PYTHON, '"a\nb"', '"a\\nb"; kept a line break inside a text'],
  [PYTHON, '"a\rb"', '"a\\rb"; kept a line break inside a text'],
  [PYTHON, "r'a\nb'", '"a\\nb"; kept a line break inside a text'],
  [PYTHON, "r'a\rb'", '"a\\rb"; kept a line break inside a text'],
  [PYTHON, '"""a\nb"""', '"a\\nb"'],
  [PYTHON, "r'''a\n\\d'''", '"a\\n\\\\d"'],
  [PYTHON, '["it said "hi" twice"]', '["it said \\"hi\\" twice"]; kept " inside a text'],
  [PYTHON, "['it's', 1]", '["it\'s",1]; kept \' inside a text'],
  [PYTHON, "['it's']</calls>, 'more']", '["it\'s"]; kept \' inside a text'],
  [PYTHON, "['it's', 'mine']", "refused: it is unclear which ' ends a text"],
  [PYTHON, '["say "hi now', 'refused: it is unclear which " ends a text'],
  [PYTHON, '["a" + "b"]', 'refused: it is unclear which " ends a text'],
  [PYTHON, '["a\nb "c" d"]', 'refused: it is unclear which " ends a text'],

  [MARKED, '<|"|>a "b" \\n<|"|>', '"a \\"b\\" \\\\n"'],
  [MARKED, '<|"|>a\nb<|"|>', '"a\\nb"'],
  [MARKED, '"a"', '"a"; read "…" as a text'],
  [MARKED, "'a'", '"a"; read \'…\' as a text'],
  [MARKED, `'a <|"|> b'`, '"a <|\\"|> b"'],
  [MARKED, '<|"|> the last words } \n', '" the last words "; added the end of the last text'],
  [MARKED, '<|"|> {a}}\n<tool_call|>\n', '" {a}"; added the end of the last text'],
  [MARKED, '<|"|>a} \n<tool_call|>\n', '"a"; added the end of the last text'],
  [MARKED, '<|"|>the last words', 'refused: a text is not closed'],
  [MARKED, '[<|"|>a}', 'refused: a text is not closed'],
  [MARKED, '"a}', 'refused: a text is not closed'],

  [PYTHON, 'True', 'true'],
  [PYTHON, 'None', 'null'],
  [PYTHON, 'null', 'null'],
  [MARKED, 'True', 'true; read True as true'],
  [PYTHON, '+5', '5'],
  [PYTHON, '-1_000', '-1000'],
  [PYTHON, '1e+5', '100000'],
  [PYTHON, '007', '7; read 007 as 7'],
  [PYTHON, '-07', '-7; read -07 as -7'],
  [PYTHON, '0', '0'],
  [PYTHON, '1__0', 'refused: "1__0" is invalid'],
  [PYTHON, 'word', 'refused: "word" is invalid'],
  [PYTHON, 'w'.repeat(50), `refused: "${'w'.repeat(40)}" is invalid`],
  [MARKED, 'some words }', '"some words"; read a bare word as a text', textOrOther],
  [MARKED, '12 ,', '12', textOrOther],
  [MARKED, '12 // a dozen}', '"12 // a dozen"; read a bare word as a text', textOrOther],
  [MARKED, '/* a dozen */ 12}', '"/* a dozen */ 12"; read a bare word as a text', textOrOther],
  [MARKED, '}', 'refused: "" is invalid', textOrOther],
];

describe('values as Python writes them, and between marks', () => {
  for (const [form, text, expect, read] of rows) {
    it(`${form.mark ?? 'Python'} ${JSON.stringify(text.slice(0, 60))}`, () => {
      assert.equal(outcome(form, text, read), expect);
    });
  }

  it('hands over a text in pieces that hold something', () => {
    for (const text of ['"abc"', '"a\\nb"', '"a "b" c"', '""', '"\\n"', '"""a"b"""', "r'\\d'"]) {
      const shown: string[] = [];
      const read: Read = (reader) => reader.value(false, (piece) => shown.push(piece));
      const whole = outcomeOf(PYTHON, [`${text}]`], read);
      assert.ok(!shown.includes(''), text);
      assert.equal(JSON.stringify(shown.join('')), whole.split('; ')[0]);
    }
  });
});

describe('isBareKey', () => {
  it('takes letters of any script, digits and a few marks', () => {
    for (const key of ['a', 'a1', 'file.path', 'a-b_c$', 'ключ', '路径'])
      assert.equal(isBareKey(key), true, key);
    for (const key of ['', 'a b', 'a:', ':a', 'a\n', '"a"', '𝒂']) assert.equal(isBareKey(key), false, key);
  });
});
