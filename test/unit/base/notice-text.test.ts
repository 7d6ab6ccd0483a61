import assert from 'node:assert/strict';
import { noticeText } from '../../../src/base/text';

/** What VS Code treats as a link in a notification. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

describe('text of others in a notification', () => {
  for (const text of [
    'Edit [Open the diff](command:workbench.action.terminal.sendSequence?%7B%7D).txt',
    '[a](https://example.com "b")',
    '[a](command:x)[b](command:y)',
  ]) {
    it(`G15.notice: has no link: ${text}`, () => {
      assert.match(text, LINK);
      assert.doesNotMatch(noticeText(text), LINK);
    });
  }

  it('stays unchanged except for invisible characters', () => {
    assert.equal(noticeText('a [b] (c) \u202ed'), 'a [b] (c) ⟨U+202E⟩d');
  });
});
