import type { JSX } from 'preact';
import type { Attachment } from '../../core/attachment';
import { CappedText } from '../shared/capped-text';
import { t } from '../shared/l10n';
import { AttachmentList } from './attachment-list';
import { RestoreButton } from './restore-button';

interface Props {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Where files can be put back to before this message. */
  readonly checkpoint: number | undefined;
}

export function UserMessage({ text, attachments, checkpoint }: Props): JSX.Element {
  return (
    <section class="user-message">
      <h2 class="unseen">{t('You')}</h2>
      <CappedText label={t('Your message')} text={text} lines={20} scrolls={false} />
      {attachments.length > 0 && <AttachmentList attachments={attachments} />}
      {checkpoint !== undefined && <RestoreButton entry={checkpoint} />}
    </section>
  );
}
