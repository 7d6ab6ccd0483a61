import type { JSX } from 'preact';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';

/** Stands above the message box while the workspace is not trusted: what is off, and the next step. */
export function RestrictedNotice(): JSX.Element | null {
  const chat = useChat();
  if (chat.isTrusted.value) return null;
  return (
    <div class="notice restricted">
      <Icon name="shield" />
      <p>
        {t('Restricted Mode: Parley only reads inside this workspace until you trust it.')}{' '}
        <button type="button" class="link-button" onClick={() => chat.post({ type: 'manage-trust' })}>
          {t('Manage Workspace Trust')}
        </button>
      </p>
    </div>
  );
}
