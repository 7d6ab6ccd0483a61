import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { never } from '../../base/never';
import { visibleText } from '../../base/text';
import type { Todo, TodoStatus } from '../../core/transcript/todos';
import { todoCount } from '../shared/calls/call-header';
import { Icon } from '../shared/icon';
import { useKept } from '../shared/kept';
import { t } from '../shared/l10n';
import { memo } from '../shared/memo';

interface Props {
  readonly todos: readonly Todo[];
}

/** The model's plan and its progress, visible while the conversation scrolls. Folded, it shows the current step. */
export const TodoList = memo(({ todos }: Props): JSX.Element | null => {
  const [isOpen, setOpen] = useKept<boolean>('todos', true);
  const current = todos.find(({ status }) => status === 'in_progress');
  const marked = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => marked.current?.scrollIntoView({ block: 'nearest' }), [current?.text]);
  if (todos.length === 0) return null;
  return (
    <details class="todos" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>{t('Todo list')}</span>
        <span class="quiet fold-detail">{todoCount(todos)}</span>
        {current && <span class="todo-current quiet fold-detail">{visibleText(current.text)}</span>}
      </summary>
      {/* A list without bullets is none to some screen readers; and as it scrolls, the keyboard must reach it. */}
      <ul role="list" aria-label={t('Todo list')} tabIndex={0}>
        {todos.map((todo, index) => (
          <li
            key={index}
            class={`todo todo-${todo.status}`}
            aria-current={todo === current ? 'step' : undefined}
            ref={todo === current ? marked : null}
          >
            <Icon name={iconOf(todo.status)} />
            <span class="unseen">{labelOf(todo.status)}</span>
            <span>{visibleText(todo.text)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
});

function iconOf(status: TodoStatus): string {
  switch (status) {
    case 'completed':
      return 'pass-filled';
    case 'in_progress':
      return 'arrow-circle-right';
    case 'pending':
      return 'circle-large-outline';
    default:
      return never(status);
  }
}

function labelOf(status: TodoStatus): string {
  switch (status) {
    case 'completed':
      return t('Done:');
    case 'in_progress':
      return t('In progress:');
    case 'pending':
      return t('To do:');
    default:
      return never(status);
  }
}
