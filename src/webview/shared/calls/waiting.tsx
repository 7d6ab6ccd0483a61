import type { JSX } from 'preact';
import { visibleText } from '../../../base/visible-text';
import type { Transcript } from '../../../core/transcript';
import { t, translated } from '../l10n';
import { isWaitingForModel } from './waiting-for-model';

/** Says that a reply is awaited, and why it takes longer. */
export function Waiting({ transcript }: { readonly transcript: Transcript }): JSX.Element | null {
  if (!isWaitingForModel(transcript)) return null;
  if (transcript.isCompacting) {
    const { compactionNote: note } = transcript;
    if (note !== undefined) return <p class="retrying">{visibleText(translated(note))}</p>;
    return <p class="thinking">{t('Putting older messages in short')}</p>;
  }
  const last = transcript.entries.at(-1);
  const reply = last?.type === 'reply' && last.ended === undefined ? last : undefined;
  if (reply?.retry) return <p class="retrying">{visibleText(translated(reply.retry.message))}</p>;
  return (
    <p class="thinking">
      {t('Waiting for the model')}
      {reply && reply.round > 1 && <> · {t('round {0} of {1}', reply.round, reply.maxRounds)}</>}
    </p>
  );
}
