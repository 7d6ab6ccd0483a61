import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { ReplyEntry } from '../../core/transcript';
import { SubAgentContext } from '../shared/calls/entry-context';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';

/** Opens the inspector: how the text of this reply became calls. */
export function InspectButton({ reply }: { readonly reply: ReplyEntry }): JSX.Element {
  const chat = useChat();
  const callId = useContext(SubAgentContext);
  const { number } = reply;
  return (
    <div class="message-buttons">
      <button
        type="button"
        class="icon-button"
        aria-label={t('Inspect')}
        title={t('Inspect')}
        onClick={() =>
          chat.post({ type: 'inspect', reply: { number, ...(callId !== undefined && { callId }) } })
        }
      >
        <Icon name="inspect" />
      </button>
    </div>
  );
}
