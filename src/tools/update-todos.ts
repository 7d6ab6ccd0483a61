import * as z from 'zod';
import { limits } from '../base/limits';
import { todoStatuses, type Todo, type TodoStatus } from '../core/transcript/todos';
import type { Tool } from '../core/words/tool';
import { defineTool } from './define';
import { count } from './text/amounts';

/** Stores nothing: the list is a fold over the calls, so every reader of the events has it. */
export function updateTodos(): Tool {
  return defineTool({
    toolset: 'agent',
    method: 'updateTodos',
    effect: 'read',
    summary: 'shows the user a plan',
    description:
      'Replaces the todo list that the user sees. Use it for work of three steps or more: list the steps before you begin, ' +
      'keep the one you work on in_progress, and mark each as completed when it is done. Always send the whole list.',
    example: {
      items: [
        { text: 'Find the failing test', status: 'completed' },
        { text: 'Fix the parser', status: 'in_progress' },
        { text: 'Run all tests', status: 'pending' },
      ],
    },
    input: () =>
      z.strictObject({
        items: z
          .array(
            z.strictObject({
              text: z.string().trim().min(1).max(limits.todoCharacters).describe('The step, in a few words.'),
              status: z.enum(todoStatuses),
            }),
          )
          .max(limits.todoItems)
          .describe('The whole list in order; an empty one removes it.'),
      }),
    prepare: async ({ items }) => ({
      title: `Set the todo list to ${count(items.length, 'item')}`,
      accesses: [],
      run: async () => ({ text: report(items) }),
    }),
  });
}

const NAMES: Readonly<Record<TodoStatus, string>> = {
  completed: 'completed',
  in_progress: 'in progress',
  pending: 'pending',
};

function report(items: readonly Todo[]): string {
  if (items.length === 0) return 'The todo list is empty now.';
  const counts = Object.entries(NAMES).map(
    ([status, name]) => `${items.filter((item) => item.status === status).length} ${name}`,
  );
  return `The todo list has ${count(items.length, 'item')}: ${counts.join(', ')}.`;
}
