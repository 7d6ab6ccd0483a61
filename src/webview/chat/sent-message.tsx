import type { JSX } from 'preact';
import { CappedText } from '../shared/capped-text';
import { t } from '../shared/l10n';

/** A message whose run has not begun yet: what it names is being read, or asked about. */
export function SentMessage({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      <section class="user-message">
        <h2 class="unseen">{t('Sending')}</h2>
        <CappedText label={t('Your message')} text={text} lines={20} scrolls={false} />
      </section>
      <p class="thinking">{t('Reading what it names')}</p>
    </>
  );
}
