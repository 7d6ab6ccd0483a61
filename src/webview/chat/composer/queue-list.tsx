import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visibleText } from '../../../base/text';
import type { QueuedMessage } from '../../../contract/chat';
import { most } from '../../../contract/most';
import { isComposing, mayFollowClick } from '../../shared/focus';
import { Icon } from '../../shared/icon';
import { t } from '../../shared/l10n';
import { useChat } from '../chat-context';

/** Messages that wait for the end of the run, in sending order. */
export function QueueList(): JSX.Element | null {
  const chat = useChat();
  const list = useRef<HTMLUListElement>(null);
  const { queued, isWaiting } = chat.outbox.value;
  if (queued.length === 0) return null;
  const changing = chat.changing.value;
  const isEditing = queued.some(({ id }) => id === changing?.id);
  const goOn = (): void => {
    chat.changeQueue({ type: 'go-on' });
    chat.requestFocus();
  };
  const remove = (id: number, at: number): void => {
    chat.changeQueue({ type: 'remove', id });
    // The button disappears with its message, so the focus moves to the same button of another message.
    const others = [...(list.current?.children ?? [])].filter((_, index) => index !== at);
    const next = (others[at] ?? others.at(-1))?.querySelector<HTMLElement>('.queued-remove');
    if (next) next.focus();
    else chat.requestFocus();
  };
  return (
    <section class="queue">
      <div class="queue-head">
        <h2 class="queue-title" id="queue-title">
          {t('Queued messages')}
        </h2>
        {isWaiting ? (
          <button type="button" class="link-button" onClick={goOn}>
            {t('Continue with queued messages')}
          </button>
        ) : (
          <span class="quiet">{t('sent when the run ends')}</span>
        )}
      </div>
      <ul class="queued" role="list" aria-labelledby="queue-title" ref={list}>
        {queued.map((message, index) => (
          <QueuedItem
            key={message.id}
            message={message}
            edited={changing?.id === message.id ? changing.text : undefined}
            canEdit={!isEditing}
            onEdit={(text) => chat.changeQueued({ id: message.id, was: message.text, text })}
            onEndEdit={(isKept) => chat.endChange({ isKept })}
            onRemove={() => remove(message.id, index)}
          />
        ))}
      </ul>
    </section>
  );
}

interface QueuedItemProps {
  readonly message: QueuedMessage;
  /** Text in the box while the message is edited. */
  readonly edited: string | undefined;
  /** Only one at a time: text typed in another would be lost. */
  readonly canEdit: boolean;
  readonly onEdit: (text: string) => void;
  /** Whether the typed text is kept. */
  readonly onEndEdit: (isKept: boolean) => void;
  readonly onRemove: () => void;
}

/** One queued message, which can be edited and removed. */
function QueuedItem(props: QueuedItemProps): JSX.Element {
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
  // The host has not assigned a number yet.
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
