import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { Attachment } from '../../core/attachment';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';

interface Props {
  readonly attachments: readonly Attachment[];
}

/** What went along with a message, and what did not. */
export function AttachmentList({ attachments }: Props): JSX.Element {
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

/** Models read the English ones. */
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
