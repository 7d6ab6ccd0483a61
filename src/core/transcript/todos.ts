import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json';

/** The tool whose successful calls replace the list. */
export const TODO_TOOL = 'update_todos';

export const todoStatuses = ['pending', 'in_progress', 'completed'] as const;

export type TodoStatus = (typeof todoStatuses)[number];

/** One step of the model's plan. The text is the model's. */
export interface Todo {
  readonly text: string;
  readonly status: TodoStatus;
}

/** The list that a call sets; `undefined` if its arguments contain no list. */
export function todosOf({ items }: JsonObject): readonly Todo[] | undefined {
  if (items === undefined || !isJsonList(items)) return undefined;
  const todos = items.map(todoOf);
  return todos.every((todo) => todo !== undefined) ? todos : undefined;
}

function todoOf(item: Json): Todo | undefined {
  if (!isJsonObject(item)) return undefined;
  const { text, status } = item;
  const known = todoStatuses.find((each) => each === status);
  return typeof text === 'string' && known ? { text, status: known } : undefined;
}

export function isDone({ status }: Todo): boolean {
  return status === 'completed';
}
