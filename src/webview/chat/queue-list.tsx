import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';
import { QueuedItem } from './queued-item';

/** The messages that wait for the end of the run, in the order in which they go. */
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
    // The button goes away with its message; the next best place is the one for the same of another.
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
            {t('Go on with queued messages')}
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
