import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visibleText } from '../../base/visible-text';
import type { QueuedMessage } from '../../contract/chat';
import { most } from '../../contract/most';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { isComposing } from '../shared/is-composing';
import { mayFollowClick } from '../shared/may-take-focus';

interface Props {
  readonly message: QueuedMessage;
  /** What stands in its box while it is being changed. */
  readonly edited: string | undefined;
  /** One at a time: what was written in another would be lost. */
  readonly canEdit: boolean;
  readonly onEdit: (text: string) => void;
  /** Whether what was written is to be kept. */
  readonly onEndEdit: (isKept: boolean) => void;
  readonly onRemove: () => void;
}

/** One message that waits. It can be changed and taken back. */
export function QueuedItem(props: Props): JSX.Element {
  const { message, edited, canEdit, onEdit, onEndEdit, onRemove } = props;
  const { id, text, images } = message;
  const isEdited = edited !== undefined;
  const box = useRef<HTMLTextAreaElement>(null);
  const change = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  useLayoutEffect(() => {
    if (isEdited && mayFollowClick()) box.current?.focus();
    if (!isEdited && wasEdited.current) change.current?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') onEndEdit(false);
    else if (event.key === 'Enter' && !event.shiftKey) onEndEdit(true);
    else return;
    event.preventDefault();
  };
  if (isEdited) {
    return (
      <li class="queued-message">
        <textarea
          class="queued-box"
          ref={box}
          aria-label={t('Queued text')}
          rows={1}
          maxLength={most.message}
          value={edited}
          onInput={(event) => onEdit(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="link-button" onClick={() => onEndEdit(true)}>
          {t('Save')}
        </button>
        <button type="button" class="link-button" onClick={() => onEndEdit(false)}>
          {t('Cancel')}
        </button>
      </li>
    );
  }
  // The host has not said under which number it is.
  const isNew = id < 0;
  return (
    <li class="queued-message">
      <span class="queued-text" title={visibleText(text)}>
        {visibleText(text)}
      </span>
      {images > 0 && <span class="quiet">{images === 1 ? t('1 image') : t('{0} images', images)}</span>}
      <button
        type="button"
        class="icon-button"
        ref={change}
        aria-label={t('Edit queued message')}
        title={t('Edit queued message')}
        disabled={isNew || !canEdit}
        onClick={() => onEdit(text)}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        class="icon-button queued-remove"
        aria-label={t('Remove queued message')}
        title={t('Remove queued message')}
        disabled={isNew}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
