import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { RestoreEntry } from '../../core/transcript';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';
import { Notice } from '../shared/notice';

interface Props {
  readonly restore: RestoreEntry;
  /** Where this can be undone. */
  readonly checkpoint: number | undefined;
}

/** Says which files the user has put back, and which not. */
export function RestoreNotice({ restore, checkpoint }: Props): JSX.Element {
  const chat = useChat();
  const { changes, left = [] } = restore;
  const names = changes.map(({ display }) => display).join(', ');
  return (
    <Notice
      icon="history"
      text={names === '' ? t('No file was put back.') : t('Put back to an earlier state: {0}', names)}
    >
      {left.length > 0 && (
        <ul class="not-restored" aria-label={t('Not put back')}>
          {left.map(({ display, reason }, index) => (
            <li key={index}>
              <code>{visibleText(display)}</code> {visibleText(reason)}
            </li>
          ))}
        </ul>
      )}
      {checkpoint !== undefined && (
        <button
          type="button"
          class="button button-secondary"
          aria-label={t('Undo this restore')}
          onClick={() => chat.post({ type: 'restore-files', entry: checkpoint })}
        >
          {t('Undo')}
        </button>
      )}
    </Notice>
  );
}
