import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import { ToolError, type Question } from '../../../src/core/words/tool';
import { askUser } from '../../../src/tools/ask-user';
import { runContext } from '../../support/agent/run-context';

const { signal } = new AbortController();

/** What reaches the user. */
async function asked(input: JsonObject): Promise<Question> {
  const prepared = await askUser().prepare(input, signal);
  let seen: Question | undefined;
  const { text } = await prepared.run({
    ...runContext(signal),
    ask: async (question) => {
      seen = question;
      return 'the answer';
    },
  });
  assert.equal(text, 'the answer');
  assert.ok(seen);
  return seen;
}

describe('ask_user', () => {
  for (const { name, input, expect } of [
    { name: 'asks without options', input: { question: 'Why?' }, expect: { question: 'Why?', options: [] } },
    {
      name: 'asks with options',
      input: { question: 'Which?', options: ['a', 'b'] },
      expect: { question: 'Which?', options: ['a', 'b'] },
    },
    {
      name: 'drops blanks around',
      input: { question: ' Which?\n', options: [' a '] },
      expect: { question: 'Which?', options: ['a'] },
    },
  ]) {
    it(name, async () => assert.deepEqual(await asked(input), expect));
  }

  for (const { name, input } of [
    { name: 'no question', input: {} },
    { name: 'a blank question', input: { question: ' \n ' } },
    { name: 'a question too long', input: { question: 'x'.repeat(4_001) } },
    { name: 'a blank option', input: { question: 'Which?', options: ['a', ' '] } },
    { name: 'an option too long', input: { question: 'Which?', options: ['x'.repeat(201)] } },
    {
      name: 'too many options',
      input: { question: 'Which?', options: Array.from({ length: 11 }, (_, index) => String(index)) },
    },
  ]) {
    it(`refuses ${name}`, () => assert.rejects(askUser().prepare(input, signal), ToolError));
  }

  it('touches nothing, so it does not ask first', async () => {
    const { accesses } = await askUser().prepare({ question: 'Why?' }, signal);
    assert.deepEqual(accesses, []);
    assert.equal(askUser().effect, 'read');
  });
});
