import assert from 'node:assert/strict';
import { isPromptName, namedSkill, slashCommandOf, slashDraft } from '../../../src/core/slash-commands';

describe('slash commands', () => {
  for (const [text, expect] of [
    ['/new', 'new'],
    [' /help \n', 'help'],
    ['/new now', undefined],
    ['/news', undefined],
    ['new', undefined],
    ['//new', undefined],
  ] as const) {
    it(`are ${expect ?? 'no'} command in ${JSON.stringify(text)}`, () =>
      assert.equal(slashCommandOf(text), expect));
  }

  for (const [text, expect] of [
    ['/review', { name: 'review', args: '' }],
    ['/review the last\ncommit', { name: 'review', args: 'the last\ncommit' }],
    ['/etc/hosts', undefined],
    ['see /review', undefined],
    ['/ review', undefined],
    ['', undefined],
  ] as const) {
    it(`name ${expect?.name ?? 'no skill'} in ${JSON.stringify(text)}`, () =>
      assert.deepEqual(namedSkill(text), expect));
  }

  for (const [name, expect] of [
    ['mcp.weather.daily', true],
    ['mcp.my.server.a', true],
    ['mcp.json', false],
    ['mcp.', false],
    ['mcp.x.', false],
    ['review.mcp.x', false],
  ] as const) {
    it(`name ${expect ? 'a' : 'no'} prompt in ${name}`, () => assert.equal(isPromptName(name), expect));
  }

  for (const [text, caret, expect] of [
    ['/', 1, ''],
    ['/re', 3, 're'],
    ['/review', 3, 're'],
    ['/re view', 8, undefined],
    ['a /re', 5, undefined],
    ['/re', 0, undefined],
    [`/${'x'.repeat(5_000)}`, 5_001, 'x'.repeat(100)],
  ] as const) {
    it(`are drafted as ${String(expect).slice(0, 10)} in ${text.slice(0, 10)} at ${caret}`, () =>
      assert.equal(slashDraft(caret, text), expect));
  }
});
