import { TODO_TOOL, todosOf } from '../../../core/todos';
import { argumentsOf, type CallPart } from '../../../core/transcript';
import { firstLine } from '../first-line';
import { todoCount } from './todo-count';

/** Arguments that say most about a call, the first of them first. */
const TELLING = [
  'command',
  'from',
  'query',
  'glob',
  'path',
  'url',
  'task',
  'question',
  'log_id',
  'name',
  'code',
];

/** The argument that tells what a call is about, in one line. */
export function mainArgument({ name, draft, state }: CallPart): string | undefined {
  const todos = name === TODO_TOOL && 'call' in state ? todosOf(state.call.arguments) : undefined;
  if (todos) return todoCount(todos);
  const texts =
    'call' in state
      ? Object.entries(argumentsOf(state) ?? {})
      : draft.map(({ key, text }) => [key, text] as const);
  const known = new Map(texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  const key = TELLING.find((each) => known.has(each)) ?? known.keys().next().value;
  if (key === undefined) return undefined;
  const target = key === 'from' ? known.get('to') : undefined;
  const line = firstLine(known.get(key) ?? '');
  return target === undefined ? line : `${line} → ${firstLine(target)}`;
}
