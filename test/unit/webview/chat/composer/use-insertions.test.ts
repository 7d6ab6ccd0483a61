import assert from 'node:assert/strict';
import { insertText } from '../../../../../src/webview/chat/composer/use-insertions';

/** `|` is the caret. */
const rows: readonly { name: string; before: string; added: string; after: string }[] = [
  { name: 'an empty box', before: '|', added: '@file:a', after: '@file:a |' },
  { name: 'the end of a word', before: 'look at|', added: '@file:a', after: 'look at @file:a |' },
  { name: 'a blank', before: 'look at | please', added: '@file:a', after: 'look at @file:a |please' },
  { name: 'the beginning', before: '|please', added: '@file:a', after: '@file:a |please' },
  { name: 'the beginning of a line', before: 'one\n|', added: '@file:a', after: 'one\n@file:a |' },
  { name: 'a word, with lines', before: 'see|', added: '```\nx\n```\n', after: 'see\n```\nx\n```\n|' },
  { name: 'lines without an end', before: 'see |more', added: 'a\nb', after: 'see \na\nb\n|more' },
];

describe('insertText', () => {
  for (const { name, before, added, after } of rows) {
    it(`puts a text behind ${name}`, () => {
      const { text, caret } = insertText(before.replace('|', ''), before.indexOf('|'), added);
      assert.equal(`${text.slice(0, caret)}|${text.slice(caret)}`, after);
    });
  }
});
