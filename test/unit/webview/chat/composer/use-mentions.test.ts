import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mentionAt } from '../../../../../src/webview/chat/composer/use-mentions';

/** `|` is the caret, `‹` and `›` are what is replaced. */
const rows: readonly { name: string; text: string; taken: string; expect: string }[] = [
  {
    name: 'the end of what is written',
    text: 'see @src/a|',
    taken: '@file:src/a.ts',
    expect: 'see ‹@src/a›',
  },
  {
    name: 'the rest that it says, too',
    text: '@src/|abc so',
    taken: '@file:src/abc.ts',
    expect: '‹@src/abc› so',
  },
  { name: 'in any case of letters', text: '@src/|ABC', taken: '@file:src/abc.ts', expect: '‹@src/ABC›' },
  { name: 'no other word', text: '@pars|with that', taken: '@file:parser.ts', expect: '‹@pars›with that' },
  { name: 'no end of a sentence', text: '(@src/|abc).', taken: '@file:src/abc.ts', expect: '(‹@src/abc›).' },
  {
    name: 'a quoted rest',
    text: '@file:"my |file.ts" so',
    taken: '@file:"my file.ts"',
    expect: '‹@file:"my file.ts"› so',
  },
  {
    name: 'no other quotation',
    text: '@file:"my| and "that"',
    taken: '@file:"my file.ts"',
    expect: '‹@file:"my› and "that"',
  },
  { name: 'nothing before the mention', text: '|@src/abc', taken: '@file:src/abc.ts', expect: '@src/abc' },
  { name: 'nothing behind it', text: '@src/abc |', taken: '@file:src/abc.ts', expect: '@src/abc ' },
];

describe('a mention at the caret', () => {
  for (const { name, text, taken, expect } of rows) {
    it(`replaces ${name}: ${text}`, () => {
      const plain = text.replace('|', '');
      const span = mentionAt(text.indexOf('|'), plain, taken);
      const shown = span
        ? `${plain.slice(0, span.start)}‹${plain.slice(span.start, span.end)}›${plain.slice(span.end)}`
        : plain;
      assert.equal(shown, expect);
    });
  }

  it('always has the caret in it', () => {
    const text = fc.array(fc.constantFrom('@', 'file:', '"', 'a', '/', ' ', '.', ')'), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const caret = before.join('').length;
        const whole = [...before, ...after].join('');
        const span = mentionAt(caret, whole, '@file:"a/a.a"');
        assert.ok(!span || (span.start <= caret && caret <= span.end && span.end <= whole.length));
      }),
    );
  });
});
