import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import { activeCompaction } from '../../core/history';
import type { CompactionEntry } from '../../core/transcript';
import { t } from '../shared/l10n';
import { Fold } from '../shared/fold';
import { useChat } from './chat-context';
import { Notice } from '../shared/notice';

interface Props {
  readonly compaction: CompactionEntry;
  /** A run goes on, which the history belongs to. */
  readonly running: boolean;
}

/** Says that models get a summary of what is above, and what it says. */
export function CompactionNotice({ compaction, running }: Props): JSX.Element {
  const chat = useChat();
  const { summary, before, after, isUndone, isList } = compaction;
  const shown = chat.shown.value?.transcript;
  // Taking one back takes the last one back.
  const isActive = shown !== undefined && activeCompaction(shown) === compaction;
  const text = isUndone
    ? t('The summary of the messages above was taken back.')
    : t(
        'The messages above are sent as a summary from here on: about {0} tokens instead of {1}.',
        after.toLocaleString(),
        before.toLocaleString(),
      );
  return (
    <Notice icon="fold" text={text}>
      <Fold summary={t('Summary')}>
        <pre class="compaction-summary">{visibleText(summary)}</pre>
      </Fold>
      {isList && !isUndone && <p>{t('The model gave no summary, so the calls are listed.')}</p>}
      {isActive && !running && !shown.running && (
        <button
          type="button"
          class="button button-secondary"
          onClick={() => chat.post({ type: 'undo-compaction' })}
        >
          {t('Send everything again')}
        </button>
      )}
    </Notice>
  );
}
