import type { JSX } from 'preact';
import type { InspectedResults } from '../../contract/inspector';
import { t } from '../shared/l10n';
import { MessageList } from './message-list';
import { Section } from './section';

/** What the model was told of its calls. */
export function ResultsSection({ results }: { readonly results: InspectedResults }): JSX.Element {
  const { isSent, messages } = results;
  return (
    <Section name="results" title={t('Results as sent back')} copy={t('Copy results as JSON')}>
      {messages.length === 0 ? (
        <p class="quiet">{t('Nothing was sent back: the reply had no calls.')}</p>
      ) : (
        <>
          {!isSent && (
            <p class="quiet">{t('As the protocol renders them: no request that held them is kept.')}</p>
          )}
          <MessageList messages={messages} />
        </>
      )}
    </Section>
  );
}
