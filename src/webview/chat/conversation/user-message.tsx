import type { JSX } from 'preact';
import { visibleText } from '../../../base/text';
import type { Attachment } from '../../../core/words/attachment';
import { Icon, IconButton } from '../../shared/icon';
import { t } from '../../shared/l10n';
import { CappedText } from '../../shared/text/capped-text';
import { useChat } from '../chat-context';

interface UserMessageProps {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The index for restoring files to before this message. */
  readonly checkpoint: number | undefined;
  /** The index for sending it again, edited or unchanged. */
  readonly again: number | undefined;
}

export function UserMessage({ text, attachments, checkpoint, again }: UserMessageProps): JSX.Element {
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

interface AgainButtonsProps {
  /** Index of the message. */
  readonly entry: number;
  readonly text: string;
}

/** Goes back to a message: edits it, or retries it with the same or another model or protocol. */
function AgainButtons({ entry, text }: AgainButtonsProps): JSX.Element | null {
  const chat = useChat();
  // One edit at a time: going back further would remove the message that is being edited.
  if (chat.editing.value) return null;
  // The buttons disappear with the removed messages.
  const retry = (isChosen?: true): void => {
    chat.post({ type: 'retry', entry, ...(isChosen && { isChosen }) });
    chat.requestFocus();
  };
  const actions = [
    { label: t('Edit message'), icon: 'edit', run: () => chat.edit({ entry, text }) },
    { label: t('Retry'), icon: 'refresh', run: () => retry() },
    {
      label: t('Retry with another model or protocol'),
      icon: 'arrow-swap',
      run: () => retry(true),
    },
  ];
  return (
    <>
      {actions.map(({ label, icon, run }) => (
        <IconButton key={icon} icon={icon} label={label} onClick={run} />
      ))}
    </>
  );
}

interface AttachmentListProps {
  readonly attachments: readonly Attachment[];
}

/** Attachments of a message, and those that could not be sent. */
function AttachmentList({ attachments }: AttachmentListProps): JSX.Element {
  return (
    <ul class="attachments" aria-label={t('Attached')}>
      {attachments.map((attachment, index) => (
        <li
          key={index}
          class={`attachment attachment-${attachment.type}`}
          title={attachment.type === 'text' ? visibleText(attachment.text) : ''}
        >
          <Icon name={iconOf(attachment)} />
          <span>{labelOf(attachment)}</span>
          {attachment.type === 'missing' && (
            <span class="attachment-problem">{visibleText(attachment.problem)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Models read the English reasons. */
function labelOf(attachment: Attachment): string {
  const source = attachment.type === 'text' ? attachment.source : undefined;
  if (source === 'problems') return t('Problems');
  if (source === 'terminal') return t('Terminal');
  if (source === 'editor') return t('Editor');
  return visibleText(attachment.label);
}

function iconOf(attachment: Attachment): string {
  if (attachment.type === 'image') return 'file-media';
  if (attachment.type === 'missing') return 'warning';
  switch (attachment.source) {
    case 'folder':
      return 'folder';
    case 'problems':
      return 'error';
    case 'terminal':
      return 'terminal';
    case 'selection':
      return 'selection';
    case 'editor':
      return 'layout';
    case 'skill':
      return 'mortar-board';
    case 'prompt':
    case 'resource':
      return 'mcp';
    case 'file':
      return 'file';
  }
}
