import type { JSX } from 'preact';
import { isMend } from '../../core/rewind';
import type { RewindEntry } from '../../core/transcript';
import { KeptScope } from '../shared/kept';
import { t } from '../shared/l10n';
import { useEntryView } from '../shared/calls/entry-context';
import { Fold } from '../shared/fold';
import { IconButton } from '../shared/icon-button';
import { Notice } from '../shared/notice';
import { useChat } from './chat-context';

interface Props {
  readonly rewind: RewindEntry;
  /** Where the files that the part left out has changed can be put back. */
  readonly checkpoint: number | undefined;
}

/** Says that the user went back to here, and keeps what was said before that within reach. */
export function RewindNotice({ rewind, checkpoint }: Props): JSX.Element {
  const chat = useChat();
  const EntryView = useEntryView();
  const { left, changed } = rewind;
  const messages = left.filter(({ type }) => type === 'user').length;
  const text = isMend(rewind)
    ? t('You mended a reply here. What it was before, and all that came of it, is left out.')
    : messages === 1
      ? t('You went back to here. An earlier message and its answer are left out.')
      : t('You went back to here. {0} earlier messages and their answers are left out.', messages);
  return (
    <Notice icon="history" text={text}>
      {changed.length > 0 && <p>{t('Files as that part has left them: {0}', changed.join(', '))}</p>}
      <Fold summary={t('Show what is left out')}>
        <div class="left-out">
          {left.map((entry, index) => (
            <KeptScope key={index} name={String(index)}>
              <EntryView entry={entry} isLast={false} running={false} />
            </KeptScope>
          ))}
        </div>
      </Fold>
      {checkpoint !== undefined && (
        <IconButton
          icon="discard"
          label={t('Restore files to before the part left out')}
          onClick={() => chat.post({ type: 'restore-files', entry: checkpoint })}
        />
      )}
    </Notice>
  );
}
