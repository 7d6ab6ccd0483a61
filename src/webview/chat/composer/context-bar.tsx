import type { JSX } from 'preact';
import { visibleText } from '../../../base/text';
import type { ContextItem } from '../../../contract/chat';
import { Icon } from '../../shared/icon';
import { t } from '../../shared/l10n';
import { useChat } from '../chat-context';

/** Context sent automatically with the next message, and the toggle for editor context. */
export function ContextBar(): JSX.Element | null {
  const chat = useChat();
  const { items, withEditor } = chat.context.value;
  // Without automatic context there is nothing to decide.
  if (items.length === 0 && withEditor) return null;
  const label = t('Include editor context');
  return (
    <div class="context-bar">
      <button
        type="button"
        class="icon-button"
        aria-label={label}
        aria-pressed={withEditor}
        title={
          withEditor
            ? t('The names of open files and the selection are sent with the message. Click to exclude them.')
            : t('Editor context is not sent. Click to include it.')
        }
        onClick={() => chat.post({ type: 'with-editor', isOn: !withEditor })}
      >
        <Icon name={withEditor ? 'eye' : 'eye-closed'} />
      </button>
      {items.length > 0 && (
        <ul class="context-items" role="list" aria-label={t('Sent with the message')}>
          {items.map((item, index) => (
            <li key={index} class="context-item" title={visibleText(item.title)}>
              <Icon name={iconOf(item)} />
              <span class="context-label">{visibleText(item.label)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function iconOf({ source, isProblem }: ContextItem): string {
  if (isProblem) return 'warning';
  switch (source) {
    case 'rules':
      return 'book';
    case 'editor':
      return 'layout';
    case 'selection':
      return 'selection';
  }
}

/** Images attached to the message. Images of a draft wait while an earlier message is edited. */
export function ImageChips(): JSX.Element | null {
  const chat = useChat();
  const isEditing = chat.editing.value !== undefined;
  const images = chat.images.value.filter(({ isForEarlier }) => isForEarlier ?? !isEditing);
  if (images.length === 0) return null;
  const remove = (id: number): void => {
    chat.post({ type: 'remove-image', id });
    chat.requestFocus();
  };
  return (
    <ul class="image-chips" role="list" aria-label={t('Images')}>
      {images.map(({ id, label, url }) => (
        <li key={id} class="image-chip">
          <img class="image-thumbnail" src={url} alt={visibleText(label)} title={visibleText(label)} />
          <button
            type="button"
            class="icon-button image-remove"
            aria-label={t('Remove {0}', visibleText(label))}
            title={t('Remove {0}', visibleText(label))}
            onClick={() => remove(id)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
