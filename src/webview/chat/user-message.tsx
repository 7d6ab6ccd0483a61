import type { JSX } from 'preact';
import type { Attachment } from '../../core/attachment';
import { CappedText } from '../shared/capped-text';
import { IconButton } from '../shared/icon-button';
import { t } from '../shared/l10n';
import { AgainButtons } from './again-buttons';
import { AttachmentList } from './attachment-list';
import { useChat } from './chat-context';

interface Props {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Where files can be put back to before this message. */
  readonly checkpoint: number | undefined;
  /** Where it can be sent again, changed or as it is. */
  readonly again: number | undefined;
}

export function UserMessage({ text, attachments, checkpoint, again }: Props): JSX.Element {
  const chat = useChat();
  return (
    <section class="user-message">
      <h2 class="unseen">{t('You')}</h2>
      <CappedText label={t('Your message')} text={text} lines={20} scrolls={false} />
      {attachments.length > 0 && <AttachmentList attachments={attachments} />}
      {(checkpoint !== undefined || again !== undefined) && (
        <div class="message-buttons">
          {again !== undefined && <AgainButtons entry={again} text={text} />}
          {checkpoint !== undefined && (
            <IconButton
              icon="discard"
              label={t('Restore files to before this message')}
              onClick={() => chat.post({ type: 'restore-files', entry: checkpoint })}
            />
          )}
        </div>
      )}
    </section>
  );
}
