/** An edit with every byte of the file before and after it; both implementations of files must agree. */
export interface EditRow {
  readonly name: string;
  readonly before: Buffer;
  readonly edits: readonly { readonly old: string; readonly new: string }[];
  readonly after: Buffer;
}

const utf8 = (text: string): Buffer => Buffer.from(text);
const utf16le = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const utf16be = (text: string): Buffer => utf16le(text).swap16();

function row(
  name: string,
  before: string,
  after: string,
  encode: (text: string) => Buffer = utf8,
  edits = [{ old: 'two', new: '2' }],
): EditRow {
  return { name, before: encode(before), edits, after: encode(after) };
}

export const editRows: readonly EditRow[] = [
  row('LF', 'one\ntwo\nthree\n', 'one\n2\nthree\n'),
  row('CRLF', 'one\r\ntwo\r\nthree\r\n', 'one\r\n2\r\nthree\r\n'),
  row('mixed line endings', 'one\r\ntwo\nthree\r\n\n', 'one\r\n2\nthree\r\n\n'),
  row('lone carriage returns', 'one\rtwo\rthree\n', 'one\r2\rthree\n'),
  row('no final line break', 'one\r\ntwo', 'one\r\n2'),
  row('many final line breaks', 'two\n\n\n', '2\n\n\n'),
  row('blanks at the ends of lines', 'one  \n\ttwo\t \n  ', 'one  \n\t2\t \n  '),
  row('a byte order mark', '\ufeffone\ntwo\n', '\ufeffone\n2\n'),
  row('a byte order mark and CRLF', '\ufeffone\r\ntwo', '\ufeffone\r\n2'),
  row('a zero-width space that is no mark', 'one\ufeff\ntwo\ufeff', 'one\ufeff\n2\ufeff'),
  row('UTF-16 LE', 'día\r\ntwo 😀', 'día\r\n2 😀', utf16le),
  row('UTF-16 BE', 'día\ntwo 😀\n', 'día\n2 😀\n', utf16be),
  row('UTF-16 with mixed line endings', 'a\r\ntwo\nb', 'a\r\n2\nb', utf16le),
  row('unusual characters', 'b\u0085c\f\v\ntwo\u00a0é e\u0301', 'b\u0085c\f\v\n2\u00a0é e\u0301'),
  row('a change inside an emoji', 'two 👩🏽‍💻 x', 'two 👩🏿‍💻 x', utf8, [{ old: '👩🏽‍💻', new: '👩🏿‍💻' }]),
  row('several edits', 'one\r\ntwo\r\nthree', '1\r\n2\r\n3\r\nfour', utf8, [
    { old: 'one', new: '1' },
    { old: 'two', new: '2' },
    { old: 'three', new: '3\r\nfour' },
  ]),
];

/** Bytes that cannot be read as text without loss; an edit must not change any of them. */
export const undecodable: readonly { readonly name: string; readonly bytes: Buffer }[] = [
  { name: 'UTF-8 with a broken character', bytes: Buffer.from('one two \xc3( three', 'latin1') },
  { name: 'UTF-8 cut in a character', bytes: Buffer.from('one two \xe2\x82', 'latin1') },
  { name: 'an encoded half of a pair', bytes: Buffer.from('one two \xed\xa0\x80', 'latin1') },
  { name: 'an overlong character', bytes: Buffer.from('one two \xc0\xaf', 'latin1') },
  { name: 'UTF-16 of odd length', bytes: Buffer.concat([utf16le('one two'), Buffer.from([65])]) },
  { name: 'UTF-16 with half a pair', bytes: utf16le('one two \ud83d') },
  { name: 'UTF-16 without a mark', bytes: Buffer.from('one two', 'utf16le') },
  { name: 'text with a NUL', bytes: Buffer.from('one two\0three') },
];
