import assert from 'node:assert/strict';
import fc from 'fast-check';
import { vcp } from '../../../../src/protocols/vcp/vcp';
import { parseText } from '../../../support/protocols/run-parser';

const START = '<<<[TOOL_REQUEST]>>>';
const END = '<<<[END_TOOL_REQUEST]>>>';

function request(...lines: string[]): string {
  return [START, ...lines, END].join('\n');
}

const READ = request('tool_name:「始」read_file「末」', 'path:「始」a.txt「末」');
const FENCE = '```';

describe('vcp', () => {
  const fragments = [
    START,
    END,
    '「始」',
    '「末」',
    '「始ESCAPE」',
    '「末ESCAPE」',
    '「末exp」',
    '<<<[TOOL_REQUEST_ESCAPE]>>>',
    '\n',
    ' ',
    ',',
    '//',
    'path:',
    '```',
    '`',
    '<think>',
    '</think>',
    'a',
    '，',
    '：',
    '\r\n',
    '😀',
    '<<<[TOOL_RESULT]>>>',
  ];
  const value = fc
    .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: 'binary' })), { maxLength: 8 })
    .map((all) => all.join(''));
  const key = fc
    .stringMatching(/^[a-z_][a-z0-9_-]{0,12}$/)
    .filter((name) => name !== 'tool_name' && name !== 'request_id');
  const call = fc.record({
    id: fc.constant('id1'),
    name: fc.stringMatching(/^[a-z][a-z_]{0,12}$/),
    arguments: fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }),
  });

  function render(calls: readonly { id: string; name: string; arguments: Record<string, string> }[]): string {
    return vcp
      .renderReply(calls.map((each) => ({ type: 'call', call: each })))
      .map((delta) => (delta.type === 'text' ? delta.text : ''))
      .join('');
  }

  it('reads back the calls it renders, whatever their values hold', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 3 }), (calls) => {
        const parsed = parseText(vcp, [render(calls)]);
        assert.deepEqual(parsed.errors, []);
        assert.deepEqual(
          parsed.calls.map((each) => ({ name: each.name, arguments: each.arguments })),
          calls.map((each) => ({ name: each.name, arguments: each.arguments })),
        );
      }),
      { numRuns: 300 },
    );
  });

  const reply = fc
    .array(
      fc.oneof(
        fc.constantFrom(...fragments, READ, 'tool_name:「始」list「末」'),
        fc.string({ maxLength: 6 }),
      ),
      { maxLength: 24 },
    )
    .map((all) => all.join(''));

  it('never throws, and gives the same for every way of cutting any text', () => {
    fc.assert(
      fc.property(reply, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (text, sizes) => {
        const cut: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          cut.push(text.slice(at, at + size));
          at += size;
        }
        assert.deepEqual(parseText(vcp, cut), parseText(vcp, [text]));
      }),
      { numRuns: 500 },
    );
  });

  it('gives back text without markers unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!/<<<\[|think|<\|/.test(text));
        assert.equal(parseText(vcp, [text]).text, text);
      }),
    );
  });

  it('covers the reply: spans do not overlap, and text and blocks are all of it', () => {
    fc.assert(
      fc.property(reply, (text) => {
        fc.pre(!/think|TOOL_RESULT/.test(text));
        const parsed = parseText(vcp, [text]);
        const spans = [...parsed.calls, ...parsed.errors].sort((a, b) => a.start - b.start);
        let rest = '';
        let at = 0;
        for (const { start, end } of spans) {
          assert.ok(start >= at && end > start);
          rest += text.slice(at, start);
          at = end;
        }
        assert.equal(parsed.text, rest + text.slice(at));
      }),
      { numRuns: 500 },
    );
  });

  it('never reads a call from a prefix that the whole reply does not contain', () => {
    fc.assert(
      fc.property(
        fc.array(call, { minLength: 1, maxLength: 2 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (calls, part) => {
          const whole = `Here:\n${render(calls)}`;
          const prefix = whole.slice(0, Math.floor(whole.length * part));
          const all = parseText(vcp, [whole]).calls.map((each) => JSON.stringify(each));
          for (const each of parseText(vcp, [prefix]).calls) assert.ok(all.includes(JSON.stringify(each)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('changes no call when a fenced or rehearsed copy of one is put before it', () => {
    for (const copy of [`${FENCE}\n${READ}\n${FENCE}\n`, `<think>${READ}</think>\n`]) {
      assert.deepEqual(
        parseText(vcp, [`Look.\n${copy}${READ}`]).calls.map(({ name }) => name),
        ['read_file'],
      );
    }
  });
});
