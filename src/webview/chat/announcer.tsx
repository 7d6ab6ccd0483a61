import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { Transcript } from '../../core/transcript';
import { t, translatedTitle } from '../shared/l10n';
import { waitingCalls } from '../../core/waiting-calls';

/** Tells a screen reader that a call waits: nothing takes the focus away from someone who types. */
export function Announcer({ transcript }: { readonly transcript: Transcript }): JSX.Element {
  const waiting = waitingCalls(transcript);
  const approvals = waiting
    .flatMap((call) => (call.for === 'approval' ? [`${call.name}, ${translatedTitle(call.title)}`] : []))
    .join('; ');
  const questions = waiting.flatMap((call) => (call.for === 'answer' ? [call.question] : [])).join('; ');
  return (
    <div class="unseen" role="status">
      {approvals !== '' && <p>{visibleText(t('Waiting for your approval: {0}', approvals))}</p>}
      {questions !== '' && <p>{visibleText(t('Waiting for your answer: {0}', questions))}</p>}
    </div>
  );
}
