import type { JSX } from 'preact';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';

/** Says that the message box holds an earlier message, and what sending it does. */
export function EditingBar(): JSX.Element | null {
  const chat = useChat();
  if (!chat.editing.value) return null;
  return (
    <div class="editing-bar" role="status">
      <Icon name="edit" />
      <span class="editing-text">
        {t('You are editing an earlier message. Sending it leaves out what came after.')}
      </span>
      <button type="button" class="link-button" onClick={() => chat.stopEditing()}>
        {t('Cancel editing')}
      </button>
    </div>
  );
}
