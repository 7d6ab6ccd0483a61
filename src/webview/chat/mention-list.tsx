import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import type { Mentions } from './use-mentions';

interface Props {
  readonly mentions: Mentions;
}

/** What may be meant by the mention that is being written. The message box keeps the focus. */
export function MentionList({ mentions }: Props): JSX.Element | null {
  const { isOpen, options, active, listId, optionId, take } = mentions;
  const marked = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => marked.current?.scrollIntoView({ block: 'nearest' }), [active, options]);
  if (!isOpen) return null;
  return (
    <div class="mention-list" role="listbox" id={listId} aria-label={t('Mentions')}>
      {options.map((option, index) => (
        <div
          key={option.text}
          id={optionId(index)}
          role="option"
          class="mention-option"
          aria-selected={index === active}
          ref={index === active ? marked : null}
          // A click must not take the focus out of the message box, which would close the list.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(option)}
        >
          <Icon name={option.icon} />
          <span class="mention-name">{option.name}</span> <span class="mention-detail">{option.detail}</span>
        </div>
      ))}
    </div>
  );
}
