import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';
import { QueuedItem } from './queued-item';

/** The messages that wait for the end of the run, in the order in which they go. */
export function QueueList(): JSX.Element | null {
  const chat = useChat();
  const list = useRef<HTMLUListElement>(null);
  const [edited, setEdited] = useState<number>();
  const { queued, isWaiting } = chat.outbox.value;
  if (queued.length === 0) return null;
  const isEditing = queued.some(({ id }) => id === edited);
  const edit = (id: number): void => {
    setEdited(id);
    chat.changeQueue({ type: 'hold', id });
  };
  const goOn = (): void => {
    chat.changeQueue({ type: 'go-on' });
    chat.requestFocus();
  };
  const endEdit = (id: number, text?: string): void => {
    setEdited(undefined);
    chat.changeQueue({ type: 'release', id, ...(text !== undefined && { text }) });
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
            isEdited={edited === message.id}
            canEdit={!isEditing}
            onEdit={() => edit(message.id)}
            onEndEdit={(text) => endEdit(message.id, text)}
            onRemove={() => remove(message.id, index)}
          />
        ))}
      </ul>
    </section>
  );
}
