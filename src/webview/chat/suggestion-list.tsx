import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../shared/icon';
import type { Suggestions } from './use-suggestions';

interface Props {
  readonly suggestions: Suggestions;
}

/** What may be meant by what is being written. The message box keeps the focus. */
export function SuggestionList({ suggestions }: Props): JSX.Element | null {
  const { isOpen, options, active, listId, optionId, take, label } = suggestions;
  const marked = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => marked.current?.scrollIntoView({ block: 'nearest' }), [active, options]);
  if (!isOpen) return null;
  return (
    <div class="suggestion-list" role="listbox" id={listId} aria-label={label}>
      {options.map((option, index) => (
        <div
          key={option.text}
          id={optionId(index)}
          role="option"
          class="suggestion"
          aria-selected={index === active}
          ref={index === active ? marked : null}
          // A click must not take the focus out of the message box, which would close the list.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(option)}
        >
          <Icon name={option.icon} />
          <span class="suggestion-name">{option.name}</span>{' '}
          <span class="suggestion-detail">{option.detail}</span>
        </div>
      ))}
    </div>
  );
}
