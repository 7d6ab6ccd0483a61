import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type {
  InspectedMessage,
  InspectedRequest,
  InspectedResults,
  InspectorSection,
} from '../../contract/inspector';
import { IconButton } from '../shared/icon';
import { Fold } from '../shared/kept';
import { t } from '../shared/l10n';
import { CappedText, sizeOf } from '../shared/text/capped-text';
import { useInspector } from './inspector-state';

interface SectionProps {
  readonly name: InspectorSection;
  readonly title: string;
  /** Text that the button copies. */
  readonly copy: string;
  readonly children: ComponentChildren;
}

/** A section of the page, with a copy button. */
export function Section({ name, title, copy, children }: SectionProps): JSX.Element {
  const inspector = useInspector();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div class="section-header">
        <h2 id={id}>{title}</h2>
        <IconButton
          icon="copy"
          label={copy}
          onClick={() => inspector.post({ type: 'copy', section: name })}
        />
      </div>
      {children}
    </section>
  );
}

/** Messages as the model gets them, each folded. */
function MessageList({ messages }: { readonly messages: readonly InspectedMessage[] }): JSX.Element {
  return (
    <ol class="messages">
      {messages.map(({ role, text, more }, index) => (
        <li key={index}>
          <Fold summary={role} detail={detailOf(text === '' ? (more ?? '') : text)}>
            {text !== '' && (
              <CappedText label={t('Message {0}: {1}', index + 1, role)} text={text} lines={200} />
            )}
            {more !== undefined && (
              <CappedText label={t('Attachment of message {0}', index + 1)} text={more} lines={60} />
            )}
          </Fold>
        </li>
      ))}
    </ol>
  );
}

const HEAD = 80;

/** Its beginning and length. */
function detailOf(text: string): string {
  if (text === '') return '';
  const head = visibleText(text.slice(0, HEAD)).replace(/\s+/g, ' ').trim();
  return `${sizeOf(text)} · ${head}${text.length > HEAD ? '…' : ''}`;
}

/** The request sent to the model. */
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
        <p class="quiet">{t('Rebuilt from the session with the current tools and settings.')}</p>
      )}
      {request ? (
        <>
          {request.forms.map(({ field }) => (
            <p key={field} class="quiet">
              {t('The format of the reply was enforced by the field "{0}".', field)}
            </p>
          ))}
          <MessageList messages={request.messages} />
          {request.forms.map(({ field, text }) => (
            <Fold key={field} summary={field} detail={sizeOf(text)}>
              <CappedText label={field} text={text} lines={60} />
            </Fold>
          ))}
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
        <p class="quiet">{t('Loading…')}</p>
      )}
    </Section>
  );
}

/** The results of its calls that were sent to the model. */
export function ResultsSection({ results }: { readonly results: InspectedResults }): JSX.Element {
  const { isSent, messages } = results;
  return (
    <Section name="results" title={t('Results as sent back')} copy={t('Copy results as JSON')}>
      {messages.length === 0 ? (
        <p class="quiet">{t('Nothing was sent back because the reply had no calls.')}</p>
      ) : (
        <>
          {!isSent && (
            <p class="quiet">
              {t('Rendered by the protocol. The request that contained them is no longer kept.')}
            </p>
          )}
          <MessageList messages={messages} />
        </>
      )}
    </Section>
  );
}
