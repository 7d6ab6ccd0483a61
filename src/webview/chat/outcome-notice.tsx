import type { JSX } from 'preact';
import { never } from '../../base/never';
import type { RunOutcome } from '../../core/events';
import { t, translated } from '../shared/l10n';
import { useChat } from './chat-context';
import { Notice } from '../shared/notice';

interface Props {
  readonly outcome: RunOutcome;
  /** Nothing has happened since: a failure is worth an alert. */
  readonly isNew: boolean;
}

function ContinueButton({
  compactFirst = false,
}: {
  readonly compactFirst?: boolean | undefined;
}): JSX.Element {
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
export function OutcomeNotice({ outcome, isNew }: Props): JSX.Element | null {
  switch (outcome.type) {
    case 'done':
      return null;
    case 'aborted':
      return <Notice icon="circle-slash" text={t('Stopped.')} />;
    case 'budget':
      return (
        <Notice icon="warning" text={translated(outcome.message)}>
          {outcome.canContinue && isNew && <ContinueButton compactFirst={outcome.compactFirst} />}
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
