import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../shared/icon';

interface SuggestionListProps {
  readonly suggestions: Suggestions;
}

/** Completions for the typed text. The message box keeps the focus. */
export function SuggestionList({ suggestions }: SuggestionListProps): JSX.Element | null {
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
          // A click must not move the focus out of the message box, which would close the list.
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

/** One completion of the typed text. */
export interface Suggestion {
  readonly icon: string;
  readonly name: string;
  readonly detail: string;
  /** Text inserted into the message; unique in the list. */
  readonly text: string;
  /** With `false`, more text must follow. */
  readonly isWhole: boolean;
}

/** A list above the message box, which keeps the focus. */
export interface Suggestions {
  readonly label: string;
  readonly isOpen: boolean;
  readonly options: readonly Suggestion[];
  /** Index of the option that Enter accepts. */
  readonly active: number;
  readonly listId: string;
  readonly optionId: (index: number) => string;
  readonly take: (option: Suggestion) => void;
  readonly close: () => void;
  /** Whether the list handled the key. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
}

interface Source {
  readonly id: string;
  readonly label: string;
  /** The completed text; when it changes, the first option is selected again. */
  readonly query: string;
  readonly options: readonly Suggestion[];
  /** Whether the option adds to the typed text. If all of it is typed, Enter sends the message. */
  readonly isBegun: (option: Suggestion) => boolean;
  readonly take: (option: Suggestion) => void;
  readonly close: () => void;
}

/** Selection among the completions by keyboard. */
export function useSuggestions({ id, label, query, options, isBegun, take, close }: Source): Suggestions {
  const [moved, setMoved] = useState(0);
  useLayoutEffect(() => setMoved(0), [query]);
  const isOpen = options.length > 0;
  const active = isOpen ? ((moved % options.length) + options.length) % options.length : 0;
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const option = options[active];
    if (!option || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    switch (event.key) {
      case 'ArrowDown':
        setMoved(active + 1);
        break;
      case 'ArrowUp':
        setMoved(active - 1);
        break;
      case 'Escape':
        close();
        break;
      case 'Enter':
      case 'Tab':
        if (!isBegun(option)) return false;
        take(option);
        break;
      default:
        return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return {
    ...{ label, isOpen, options, active, take, close, onKeyDown },
    listId: `${id}-list`,
    optionId: (index) => `${id}-option-${index}`,
  };
}
