import type { JSX } from 'preact';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';

/** Puts the files that were changed since back to what they were before a message. */
export function RestoreButton({ entry }: { readonly entry: number }): JSX.Element {
  const chat = useChat();
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={t('Restore files to before this message')}
      title={t('Restore files to before this message')}
      onClick={() => chat.post({ type: 'restore-files', entry })}
    >
      <Icon name="discard" />
    </button>
  );
}
