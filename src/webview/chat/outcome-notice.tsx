import type { JSX } from 'preact';
import { never } from '../../base/never';
import type { RunOutcome } from '../../core/events';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';
import { Notice } from './notice';

interface Props {
  readonly outcome: RunOutcome;
  /** Nothing has happened since: a failure is worth an alert. */
  readonly isNew: boolean;
}

function ContinueButton(): JSX.Element {
  const chat = useChat();
  return (
    <button type="button" class="button" onClick={() => chat.post({ type: 'resume' })}>
      {t('Continue')}
    </button>
  );
}

/** How a run ended that did not simply end with an answer. */
export function OutcomeNotice({ outcome, isNew }: Props): JSX.Element | null {
  switch (outcome.type) {
    case 'done':
      return null;
    case 'aborted':
      return <Notice icon="circle-slash" text={t('Stopped.')} />;
    case 'budget':
      return (
        <Notice icon="warning" text={outcome.message}>
          {outcome.canContinue && isNew && <ContinueButton />}
        </Notice>
      );
    case 'failed':
      return <Notice icon="error" text={outcome.message} isAlert={isNew} />;
    default:
      return never(outcome);
  }
}
