import { isDone, type Todo } from '../../../core/todos';
import { t } from '../l10n';

export function todoCount(todos: readonly Todo[]): string {
  return t('{0} of {1} done', todos.filter(isDone).length, todos.length);
}
