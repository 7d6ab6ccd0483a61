import type { JSX } from 'preact';
import { never } from '../../base/never';
import type { RunOutcome } from '../../core/events';
import type { Pause } from '../../core/pause';
import { t, translated } from '../shared/l10n';
import { useChat } from './chat-context';
import { Notice } from '../shared/notice';

interface Props {
  readonly outcome: RunOutcome;
  /** Nothing has happened since: a failure is worth an alert. */
  readonly isNew: boolean;
  /** The conversation can go on from here. */
  readonly pause: Pause | undefined;
}

function ContinueButton({ compactFirst }: Pick<Pause, 'compactFirst'>): JSX.Element {
  const chat = useChat();
  return (
    <button type="button" class="button" onClick={() => chat.post({ type: 'resume' })}>
      {compactFirst ? t('Summarize and continue') : t('Continue')}
    </button>
  );
}

function DropToolsButton(): JSX.Element {
  const chat = useChat();
  return (
    <button type="button" class="button" onClick={() => chat.post({ type: 'drop-tools' })}>
      {t('Leave out tools…')}
    </button>
  );
}

/** How a run ended that did not simply end with an answer. */
export function OutcomeNotice({ outcome, isNew, pause }: Props): JSX.Element | null {
  switch (outcome.type) {
    case 'done':
      return null;
    case 'aborted':
      return <Notice icon="circle-slash" text={t('Stopped.')} />;
    case 'budget':
      return (
        <Notice icon="warning" text={translated(outcome.message)}>
          {pause && <ContinueButton compactFirst={pause.compactFirst} />}
        </Notice>
      );
    case 'failed':
      return (
        <Notice icon="error" text={translated(outcome.message)} isAlert={isNew}>
          {outcome.dropTools && isNew && <DropToolsButton />}
        </Notice>
      );
    default:
      return never(outcome);
  }
}
