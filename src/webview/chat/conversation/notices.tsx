import type { JSX } from 'preact';
import { never } from '../../../base/never';
import { visibleText } from '../../../base/text';
import { activeSummary, type Pause } from '../../../core/transcript/history';
import { isReplyEdit } from '../../../core/transcript/rewind';
import type { Entry, SummaryEntry, RestoreEntry, RewindEntry } from '../../../core/transcript/transcript';
import type { RunOutcome } from '../../../core/words/outcome';
import { useEntryView } from '../../shared/calls/call-context';
import { IconButton } from '../../shared/icon';
import { Fold, KeptScope } from '../../shared/kept';
import { t, translated } from '../../shared/l10n';
import { Notice } from '../../shared/notice';
import { useChat } from '../chat-context';
import { UseProtocolButton } from './reply-view';
import { DocsButton } from '../docs-button';

interface SummaryNoticeProps {
  readonly compaction: SummaryEntry;
  /** A run that uses this history is in progress. */
  readonly running: boolean;
}

/** Shows that models get a summary of the messages above, and its text. */
export function SummaryNotice({ compaction, running }: SummaryNoticeProps): JSX.Element {
  const chat = useChat();
  const { summary, before, after, isUndone, isList, writtenBy } = compaction;
  const shown = chat.shown.value?.transcript;
  // Undo removes the last summary.
  const isActive = shown !== undefined && activeSummary(shown) === compaction;
  const text = isUndone
    ? t('The summary of the messages above was undone.')
    : t(
        'Messages above are now sent as a summary: about {0} tokens instead of {1}.',
        after.toLocaleString(),
        before.toLocaleString(),
      );
  return (
    <Notice icon="fold" text={text}>
      <Fold summary={t('Summary')}>
        <pre class="compaction-summary">{visibleText(summary)}</pre>
      </Fold>
      {isList && !isUndone && (
        <p>{t('The model did not return a usable summary, so its calls are listed instead.')}</p>
      )}
      {writtenBy !== undefined && <p class="quiet">{visibleText(t('Written by {0}.', writtenBy))}</p>}
      {isActive && !running && !shown.running && (
        <button
          type="button"
          class="button button-secondary"
          onClick={() => chat.post({ type: 'undo-summary' })}
        >
          {t('Send everything again')}
        </button>
      )}
    </Notice>
  );
}

interface OutcomeNoticeProps {
  readonly outcome: RunOutcome;
  /** Nothing has happened since, so a failure deserves an alert. */
  readonly isNew: boolean;
  /** The conversation can continue from here. */
  readonly pause: Pause | undefined;
  /** The entry before it. */
  readonly before: Entry | undefined;
}

function ContinueButton({ compactFirst, isAgain }: Pick<Pause, 'compactFirst' | 'isAgain'>): JSX.Element {
  const chat = useChat();
  return (
    <button type="button" class="button" onClick={() => chat.post({ type: 'resume' })}>
      {isAgain ? t('Try again') : compactFirst ? t('Summarize and continue') : t('Continue')}
    </button>
  );
}

/** Keeps the reply without its repetition and asks the model to continue after it. */
function GoOnButton(): JSX.Element {
  const chat = useChat();
  const text = t('Go on without repeating yourself.');
  return (
    <button type="button" class="button button-secondary" onClick={() => chat.post({ type: 'send', text })}>
      {t('Continue')}
    </button>
  );
}

function DropToolsButton(): JSX.Element {
  const chat = useChat();
  return (
    <button type="button" class="button" onClick={() => chat.post({ type: 'drop-tools' })}>
      {t('Turn off tools…')}
    </button>
  );
}

/** How a run ended, unless it ended with an answer. */
export function OutcomeNotice({ outcome, isNew, pause, before }: OutcomeNoticeProps): JSX.Element | null {
  const reply = before?.type === 'reply' ? before : undefined;
  const advice = reply?.advice && <UseProtocolButton protocol={reply.advice.protocol} />;
  switch (outcome.type) {
    case 'done':
      return 'message' in outcome ? (
        <Notice icon="warning" text={translated(outcome.message)}>
          {advice}
        </Notice>
      ) : null;
    case 'aborted':
      return (
        <Notice icon="circle-slash" text={t('Stopped.')}>
          {reply?.retry && <p>{visibleText(t('Before: {0}', translated(reply.retry.message)))}</p>}
        </Notice>
      );
    case 'budget':
      return (
        <Notice icon="warning" text={translated(outcome.message)}>
          {pause && <ContinueButton {...pause} />}
          {outcome.dropTools && isNew && <DropToolsButton />}
          {advice}
        </Notice>
      );
    case 'failed':
      return (
        <>
          <Notice icon="error" text={translated(outcome.message)} isAlert={isNew}>
            {pause && <ContinueButton {...pause} />}
            {pause && outcome.code === 'repetition' && <GoOnButton />}
            {advice}
          </Notice>
          <p class="outcome-help">
            <DocsButton page="troubleshooting" label={t('Troubleshooting')} />
          </p>
        </>
      );
    default:
      return never(outcome);
  }
}

interface RestoreNoticeProps {
  readonly restore: RestoreEntry;
  /** The index at which this can be undone. */
  readonly checkpoint: number | undefined;
}

/** Lists the files that the user restored, and those that could not be restored. */
export function RestoreNotice({ restore, checkpoint }: RestoreNoticeProps): JSX.Element {
  const chat = useChat();
  const { changes, left = [] } = restore;
  const names = changes.map(({ display }) => display).join(', ');
  return (
    <Notice
      icon="history"
      text={names === '' ? t('No files were restored.') : t('Restored to an earlier state: {0}', names)}
    >
      {left.length > 0 && (
        <ul class="not-restored" aria-label={t('Not restored')}>
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

interface RewindNoticeProps {
  readonly rewind: RewindEntry;
  /** The index for restoring files changed by the removed part. */
  readonly checkpoint: number | undefined;
}

/** Shows that the user went back to this point, and keeps the removed messages within reach. */
export function RewindNotice({ rewind, checkpoint }: RewindNoticeProps): JSX.Element {
  const chat = useChat();
  const EntryView = useEntryView();
  const { left, changed } = rewind;
  const messages = left.filter(({ type }) => type === 'user').length;
  const text = isReplyEdit(rewind)
    ? t(
        'You edited a reply here. The original reply and everything after it were removed from the conversation.',
      )
    : messages === 1
      ? t('You went back to this point. One message and its answer were removed from the conversation.')
      : t(
          'You went back to this point. {0} messages and their answers were removed from the conversation.',
          messages,
        );
  return (
    <Notice icon="history" text={text}>
      {changed.length > 0 && <p>{t('Files still changed by the removed part: {0}', changed.join(', '))}</p>}
      <Fold summary={t('Show removed messages')}>
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
          label={t('Restore files to before the removed messages')}
          onClick={() => chat.post({ type: 'restore-files', entry: checkpoint })}
        />
      )}
    </Notice>
  );
}
