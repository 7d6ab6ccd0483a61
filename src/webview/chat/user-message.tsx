import type { JSX } from 'preact';
import { CappedText } from '../shared/capped-text';
import { t } from '../shared/l10n';

export function UserMessage({ text }: { readonly text: string }): JSX.Element {
  return (
    <section class="user-message">
      <h2 class="unseen">{t('You')}</h2>
      <CappedText label={t('Your message')} text={text} lines={20} scrolls={false} />
    </section>
  );
}
