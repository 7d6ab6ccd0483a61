import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { ReplyEntry } from '../../core/transcript';
import { SubAgentContext } from '../shared/calls/entry-context';
import { IconButton } from '../shared/icon-button';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';

/** Opens the inspector: how the text of this reply became calls. */
export function InspectButton({ reply }: { readonly reply: ReplyEntry }): JSX.Element {
  const chat = useChat();
  const callId = useContext(SubAgentContext);
  const { number } = reply;
  return (
    <div class="message-buttons">
      <IconButton
        icon="inspect"
        label={t('Inspect')}
        onClick={() =>
          chat.post({ type: 'inspect', reply: { number, ...(callId !== undefined && { callId }) } })
        }
      />
    </div>
  );
}
