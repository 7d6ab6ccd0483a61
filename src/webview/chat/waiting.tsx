import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { Transcript } from '../../core/transcript';
import { t } from '../shared/l10n';
import { isWaitingForModel } from './waiting-for-model';

/** Says that a reply is awaited, and why it takes longer. */
export function Waiting({ transcript }: { readonly transcript: Transcript }): JSX.Element | null {
  if (!isWaitingForModel(transcript)) return null;
  const last = transcript.entries.at(-1);
  const retry = last?.type === 'reply' && last.ended === undefined ? last.retry : undefined;
  if (retry) return <p class="retrying">{visibleText(retry.message)}</p>;
  return <p class="thinking">{t('Waiting for the model')}</p>;
}
