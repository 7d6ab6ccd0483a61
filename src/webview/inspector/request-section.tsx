import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { InspectedRequest } from '../../contract/inspector';
import { CappedText } from '../shared/capped-text';
import { Fold } from '../shared/fold';
import { t } from '../shared/l10n';
import { MessageList } from './message-list';
import { Section } from './section';

/** What the model was sent. */
export function RequestSection({ request }: { readonly request: InspectedRequest | undefined }): JSX.Element {
  if (request?.type === 'none') {
    return (
      <section aria-label={t('Request')}>
        <h2>{t('Request')}</h2>
        <p class="quiet">{visibleText(request.why)}</p>
      </section>
    );
  }
  return (
    <Section name="request" title={t('Request')} copy={t('Copy request as JSON')}>
      {request?.type === 'anew' && (
        <p class="quiet">{t('Rendered anew from the session: the tools and settings are those of now.')}</p>
      )}
      {request ? (
        <>
          <MessageList messages={request.messages} />
          {request.tools.length > 0 && (
            <Fold summary={t('Tools')} detail={request.tools.map(({ name }) => name).join(', ')}>
              {request.tools.map(({ name, json }) => (
                <CappedText key={name} label={t('Tool {0}', name)} text={json} lines={40} />
              ))}
            </Fold>
          )}
          <Fold summary={t('Other fields')}>
            <CappedText label={t('Other fields')} text={request.body} lines={60} />
          </Fold>
        </>
      ) : (
        <p class="quiet">{t('One moment…')}</p>
      )}
    </Section>
  );
}
