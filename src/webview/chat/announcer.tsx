import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { Transcript } from '../../core/transcript';
import { t } from '../shared/l10n';
import { waitingCalls } from './waiting-calls';

/** Tells a screen reader that a call waits: nothing takes the focus away from someone who types. */
export function Announcer({ transcript }: { readonly transcript: Transcript }): JSX.Element {
  const titles = waitingCalls(transcript).map(({ name, request }) => `${name}, ${request.title}`);
  return (
    <div class="unseen" role="status">
      {titles.length > 0 && visibleText(t('Waiting for your approval: {0}', titles.join('; ')))}
    </div>
  );
}
