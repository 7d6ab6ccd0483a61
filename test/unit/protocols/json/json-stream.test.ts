import assert from 'node:assert/strict';
import { readJson } from '../../../../src/base/json-reader';
import { JsonStream } from '../../../../src/protocols/json/json-stream';
import { jsonEnd } from '../../../support/protocols/json-end';
import { splitText } from '../../../support/protocols/run-parser';

function shown(text: string, size: number): Record<string, string> {
  const values: Record<string, string> = {};
  const stream = new JsonStream({ onText: (key, piece) => (values[key] = (values[key] ?? '') + piece) });
  for (const piece of splitText(text, size)) stream.push(piece);
  return values;
}

const rows: [name: string, text: string, expect: string][] = [
  ['ends after the last bracket', '{"a":[1,{}]} x', 'complete 12'],
  ['passes brackets and quotes in strings by', '{"a":"}\\"]"}', 'complete 12'],
  ['knows single quotes', "{'a':'}\"'}", 'complete 10'],
  ['knows smart quotes', '{“a”:“}"”}', 'complete 10'],
  ['knows comments', '{// }\n"a":1/* } **/}', 'complete 20'],
  ['lets a string end after an unknown escape', '{“a”:“\\”}', 'complete 9'],
  ['lets a string end inside a broken code', '{"a":"\\u12"}', 'complete 12'],
  ['is not over inside a comment', '{"a":1 // }', 'open'],
  ['is not over inside a string', '{"a":"}', 'open'],
  ['breaks off at a tag', '{"a": <b>}', 'broken 6'],
  ['stops after a string that nothing continues', '{"a" is (b', 'broken 5'],
  ['breaks off at a bracket that does not match', '{"a":[1}', 'broken 7'],
  ['breaks off at a closing quote', '{“a”: ”', 'broken 6'],
  ['stops after a slash that begins no comment', '{"a": 1 / 2}', 'broken 9'],
  ['breaks off at a letter that no word of JSON has', '{"a": ü', 'broken 6'],
  ['stops at a word after a number', '{"a": 80 to {"b":1}}', 'broken 9'],
  ['stops at a bracket after a word', '{"a":true {', 'broken 10'],
  ['stops at a list after a word', '{"a":true [1]}', 'broken 10'],
  ['does not end a comment at a star alone', '{"a":1 /* b * } */}', 'complete 19'],
  ['does not end a comment at a slash alone', '{"a":1 /*b/} */}', 'complete 16'],
  ['ends after a text', '"a\\"b" c', 'complete 6'],
  ['stops at a quote right after a word', '{"a":null"', 'broken 9'],
  ['allows a comment after a number', '{"a":1 /* } */ , b /**/ :2}', 'complete 27'],
  ['stops where readJson would not go deeper', '['.repeat(70), 'broken 64'],
];

describe('JsonStream', () => {
  for (const [name, text, expect] of rows) {
    it(name, () => {
      for (let size = 1; size <= text.length; size++) assert.equal(jsonEnd(text, size), expect);
    });
  }

  it('reads the value that it has followed', () => {
    const text = '{"a":"x\\n","b":[1,{"c":null}],\'d\':“e”, f: True /* g */}';
    for (let size = 1; size <= text.length; size++) {
      const stream = new JsonStream();
      for (const piece of splitText(text, size)) stream.push(piece);
      assert.deepEqual(stream.read(), readJson(text));
    }
  });

  it('reads long strings as readJson does, and repairs them as it does', () => {
    const long = 'line "quoted" \\d\n'.repeat(2_500);
    const text = `{"a":${JSON.stringify(long)},"b":"${'raw\t\\q\\u00e9\\u0g '.repeat(2_500)}","c":"short"}`;
    for (const size of [1, 7, 16, 4096, 100_000, text.length]) {
      const stream = new JsonStream();
      for (const piece of splitText(text, size)) stream.push(piece);
      assert.deepEqual(stream.read(), readJson(text));
    }
  });

  it('says where the items of a list end', () => {
    const text = '{"x":[[1,2],{"y":[3,4]},5],"z":[6]}';
    for (let size = 1; size <= text.length; size++) {
      const ends: string[] = [];
      const stream = new JsonStream({ onItemEnd: (key, at) => ends.push(`${key} ${text.slice(0, at)}`) });
      for (const piece of splitText(text, size)) stream.push(piece);
      assert.deepEqual(ends, ['x {"x":[[1,2]', 'x {"x":[[1,2],{"y":[3,4]}']);
    }
  });

  it('says where the items of the outer list end', () => {
    const text = '[{"a":[1,2]},"b,c",3]';
    for (let size = 1; size <= text.length; size++) {
      const ends: string[] = [];
      const stream = new JsonStream({
        onItemEnd: (key, at) => ends.push(`${key}:${text.slice(0, at)}`),
      });
      for (const piece of splitText(text, size)) stream.push(piece);
      assert.deepEqual(ends, [':[{"a":[1,2]}', ':[{"a":[1,2]},"b,c"']);
    }
  });

  it('knows the list whose items it reads', () => {
    const lists = (text: string): string => {
      const stream = new JsonStream();
      const keys = Array.from(text, (char) => {
        stream.push(char);
        return stream.list || '-';
      });
      return keys.join('');
    };
    assert.equal(lists('{"x":[{"y":1}]}'), '------xxxxxx---');
    assert.match(lists('{"x":{"y":{"z":1}}}'), /^-+$/);
    assert.match(lists('[[[1]]]'), /^-+$/);
  });

  it('shows the values of the keys as readJson reads them', () => {
    const text = '{"a":"\\u00e9\\n\\d\\u12x", b: \'c\', "d":[{"e":"f"}, 1]}';
    for (let size = 1; size <= text.length; size++) {
      assert.deepEqual(shown(text, size), { a: 'é\n\\d\\u12x', b: 'c', d: '[{"e":"f"},1]' });
    }
  });
});
