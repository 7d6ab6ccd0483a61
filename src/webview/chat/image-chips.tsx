import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';

/** The images that go along with the message in the box. Those of a draft wait while an earlier message is changed. */
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
