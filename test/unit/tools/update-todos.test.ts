import assert from 'node:assert/strict';
import type { Json } from '../../../src/base/json';
import { ToolError } from '../../../src/core/words/tool';
import { updateTodos } from '../../../src/tools/update-todos';
import { prepareCall } from '../../support/agent/prepare-call';
import { runContext } from '../../support/agent/run-context';

const { signal } = new AbortController();
const tool = updateTodos();

function items(...statuses: readonly string[]): Json {
  return statuses.map((status, index) => ({ text: `step ${index}`, status }));
}

describe('update_todos', () => {
  for (const { name, list, expect } of [
    { name: 'says that the list is empty', list: [], expect: 'The todo list is empty now.' },
    {
      name: 'counts one item',
      list: items('pending'),
      expect: 'The todo list has 1 item: 0 completed, 0 in progress, 1 pending.',
    },
    {
      name: 'counts by status',
      list: items('completed', 'in_progress', 'completed', 'pending'),
      expect: 'The todo list has 4 items: 2 completed, 1 in progress, 1 pending.',
    },
    {
      name: 'takes as many as may be',
      list: items(...Array.from({ length: 50 }, () => 'pending')),
      expect: 'The todo list has 50 items: 0 completed, 0 in progress, 50 pending.',
    },
    {
      name: 'takes a list that was written as text',
      list: '[{"text":"a","status":"pending"}]',
      expect: 'The todo list has 1 item: 0 completed, 0 in progress, 1 pending.',
    },
  ]) {
    it(name, async () => {
      const prepared = await prepareCall(tool, { items: list }, signal);
      assert.deepEqual(prepared.accesses, []);
      assert.equal((await prepared.run(runContext(signal))).text, expect);
    });
  }

  for (const { name, list, expect } of [
    { name: 'too many items', list: items(...Array.from({ length: 51 }, () => 'pending')), expect: /<=50/ },
    { name: 'a text too long', list: [{ text: 'x'.repeat(501), status: 'pending' }], expect: /<=500/ },
    { name: 'a blank text', list: [{ text: ' \n', status: 'pending' }], expect: /items\[0\]\.text/ },
    {
      name: 'an unknown status',
      list: items('done'),
      expect: /"pending", "in_progress", "completed"|pending/,
    },
    { name: 'an item without a status', list: [{ text: 'a' }], expect: /status/ },
  ]) {
    it(`refuses ${name}`, () =>
      assert.rejects(
        prepareCall(tool, { items: list }, signal),
        (error) => error instanceof ToolError && expect.test(error.message),
      ));
  }
});
