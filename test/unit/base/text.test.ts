import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  noticeText,
  visibleName,
  visibleText,
  wholeCharacters,
  wholeJson,
  withoutHiddenText,
} from '../../../src/base/text';

describe('visibleName', () => {
  it('is one line that shows every control character, and keeps ordinary names', () => {
    equal(visibleName('a\nb\tc\r\nd\u202e'), 'a⟨U+000A⟩b⟨U+0009⟩c⟨U+000D⟩⟨U+000A⟩d⟨U+202E⟩');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => doesNotMatch(visibleName(name), /\p{Cc}|\p{Zl}/u)),
    );
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (name) => equal(visibleName(name), name)));
  });
});

describe('visibleText', () => {
  const rows: readonly { name: string; text: string; expect: string }[] = [
    { name: 'keeps plain text', text: 'git status -s', expect: 'git status -s' },
    { name: 'keeps tabs and line ends', text: 'a\tb\nc\r\nd', expect: 'a\tb\nc\r\nd' },
    {
      name: 'keeps accents, other scripts and plain emoji',
      text: 'é ü 漢字 עברית 😀',
      expect: 'é ü 漢字 עברית 😀',
    },
    { name: 'draws direction overrides', text: 'a\u202etxt.exe', expect: 'a⟨U+202E⟩txt.exe' },
    { name: 'draws direction isolates', text: '\u2066a\u2069', expect: '⟨U+2066⟩a⟨U+2069⟩' },
    { name: 'draws direction marks', text: '\u200e\u200f\u061c', expect: '⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩' },
    { name: 'draws zero-width characters', text: 'r\u200bm\ufeff', expect: 'r⟨U+200B⟩m⟨U+FEFF⟩' },
    { name: 'draws a joiner between Latin letters', text: 'r\u200dm', expect: 'r⟨U+200D⟩m' },
    {
      name: 'draws control characters',
      text: 'a\0b\x1b[31mc\x7f\x9b',
      expect: 'a⟨U+0000⟩b⟨U+001B⟩[31mc⟨U+007F⟩⟨U+009B⟩',
    },
    { name: 'draws a carriage return that ends no line', text: 'safe\rrm', expect: 'safe⟨U+000D⟩rm' },
    { name: 'draws line and paragraph separators', text: 'a\u2028b\u2029', expect: 'a⟨U+2028⟩b⟨U+2029⟩' },
    { name: 'draws tag characters', text: 'hi\u{e0068}\u{e0069}', expect: 'hi⟨U+E0068⟩⟨U+E0069⟩' },
    { name: 'draws blank letters', text: 'a\u3164b\u2800c\u115f', expect: 'a⟨U+3164⟩b⟨U+2800⟩c⟨U+115F⟩' },
    { name: 'draws selectors that hide data', text: 'a\ufe01\u{e0101}', expect: 'a⟨U+FE01⟩⟨U+E0101⟩' },
    { name: 'draws lone surrogates', text: 'a\ud800b\udc00', expect: 'a⟨U+D800⟩b⟨U+DC00⟩' },
    { name: 'keeps emoji sequences', text: '⚠️ 👩🏽‍💻 ❤️‍🔥 1️⃣', expect: '⚠️ 👩🏽‍💻 ❤️‍🔥 1️⃣' },
    { name: 'draws a second selector after an emoji', text: '⚠️\ufe0f', expect: '⚠️⟨U+FE0F⟩' },
    {
      name: 'keeps joiners inside Persian and Hindi words',
      text: 'می\u200cخواهم क्\u200dष',
      expect: 'می\u200cخواهم क्\u200dष',
    },
    { name: 'draws the tags of a flag', text: '🏴\u{e0067}\u{e007f}', expect: '🏴⟨U+E0067⟩⟨U+E007F⟩' },
  ];
  for (const { name, text, expect } of rows) it(name, () => equal(visibleText(text), expect));

  it('changes nothing in text that is visible already', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        equal(visibleText(visibleText(text)), visibleText(text)),
      ),
    );
  });

  it('removes every direction control', () => {
    const unit = fc.constantFrom(
      'a',
      '\u202e',
      '\u2066',
      '\u200d',
      '\u200c',
      '⚠',
      '\ufe0f',
      'م',
      '\ud83d',
      '\udc69',
      '\r',
      '\n',
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        ok(!/[\u202a-\u202e\u2066-\u2069]/.test(visibleText(text)));
      }),
    );
  });

  it('keeps the number of lines', () => {
    const lines = (text: string): number => text.split('\n').length;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => equal(lines(visibleText(text)), lines(text))),
    );
  });
});

describe('withoutHiddenText', () => {
  for (const { name, text, expect } of [
    { name: 'keeps text unchanged', text: 'a\tb\r\nc \ufeff e\u0301 👩🏽‍💻 \u202e', expect: 'same' },
    { name: 'draws terminal escapes', text: '\x1b[2J\x9b1m\x07', expect: '⟨U+001B⟩[2J⟨U+009B⟩1m⟨U+0007⟩' },
    { name: 'draws tag characters', text: 'hi\u{e0069}', expect: 'hi⟨U+E0069⟩' },
  ]) {
    it(`G16.model: ${name}`, () => equal(withoutHiddenText(text), expect === 'same' ? text : expect));
  }
});

/** What VS Code treats as a link in a notification. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

describe('text of others in a notification', () => {
  for (const text of [
    'Edit [Open the diff](command:workbench.action.terminal.sendSequence?%7B%7D).txt',
    '[a](https://example.com "b")',
    '[a](command:x)[b](command:y)',
  ]) {
    it(`G15.notice: has no link: ${text}`, () => {
      match(text, LINK);
      doesNotMatch(noticeText(text), LINK);
    });
  }

  it('stays unchanged except for invisible characters', () => {
    equal(noticeText('a [b] (c) \u202ed'), 'a [b] (c) ⟨U+202E⟩d');
  });
});

const CHARACTER_ROWS: readonly { name: string; text: string; expect: string }[] = [
  { name: 'keeps whole characters', text: 'a 😀 \\ud800', expect: 'a 😀 \\ud800' },
  { name: 'replaces the first half alone', text: 'a\ud83db', expect: 'a\ufffdb' },
  { name: 'replaces the second half alone', text: '\ude00', expect: '\ufffd' },
  { name: 'replaces halves in the wrong order', text: '\ude00\ud83d', expect: '\ufffd\ufffd' },
];

describe('whole characters', () => {
  for (const { name, text, expect } of CHARACTER_ROWS) {
    it(name, () => {
      equal(wholeCharacters(text), expect);
      deepEqual(JSON.parse(wholeJson({ [text]: [text] })), { [expect]: [expect] });
    });
  }

  it('does not change values without half characters', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        equal(wholeJson(value), JSON.stringify(value));
      }),
    );
  });
});
