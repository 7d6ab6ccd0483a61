import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type {
  InspectedMessage,
  InspectedReply,
  InspectedRequest,
  InspectedResults,
  InspectorSection,
} from '../../contract/lab-requests';
import { IconButton } from '../shared/icon';
import { Fold } from '../shared/kept';
import { t } from '../shared/l10n';
import { CappedText, sizeOf } from '../shared/text/capped-text';
import { cacheBreakText, paceTexts, tokenTexts } from '../shared/usage-texts';
import { ReadReply } from './inspected-reply';
import { useLab } from './lab-state';
import { useDraft } from './use-draft';
import { useHostPage } from './use-host-page';

/** How the text of one reply became calls: the request, the raw reply, the parsed calls, the results. */
export function RequestsTab(): JSX.Element {
  const lab = useLab();
  const shown = useHostPage('requests', 'inspected-reply', 'requests-changed');
  const sent = useHostPage('requests', 'sent-request', 'requests-changed').page;
  const { page } = shown;
  if (page && 'key' in page) {
    const request = sent?.key === page.key ? sent.request : undefined;
    return <Inspection key={page.key} reply={page} request={request} />;
  }
  const problem = shown.problem ?? page?.problem;
  return (
    <div class="requests-tab">
      {problem !== undefined && (
        <>
          <p>{visibleText(problem)}</p>
          <div>
            <button
              type="button"
              class="button button-secondary"
              onClick={() => lab.post({ type: 'inspect-last' })}
            >
              {t('Inspect Last Reply')}
            </button>
          </div>
        </>
      )}
    </div>
  );
}

interface InspectionProps {
  readonly reply: InspectedReply;
  readonly request: InspectedRequest | undefined;
}

function Inspection({ reply, request }: InspectionProps): JSX.Element {
  const lab = useLab();
  const editor = useDraft(reply);
  const copy = async (section: InspectorSection): Promise<void> => {
    const answer = await lab.request<'copy-section'>({ type: 'copy-section', section });
    if (!answer.ok) editor.tell(answer.problem);
    else if (answer.value) editor.tell(t('Copied.'));
  };
  return (
    <div class="requests-tab">
      <Title reply={reply} />
      <RequestSection request={request} onCopy={() => void copy('request')} />
      <Section title={t('Reply')} copy={t('Copy reply')} onCopy={() => void copy('reply')}>
        <ReadReply reply={reply} editor={editor} onCopyCalls={() => void copy('calls')} />
      </Section>
      <ResultsSection results={reply.results} onCopy={() => void copy('results')} />
      <p class="requests-note" role="status">
        {visibleText(editor.note)}
      </p>
    </div>
  );
}

function Title({ reply }: { readonly reply: InspectedReply }): JSX.Element {
  const { number, isInner, model, isEdited, isOpen, isCutOff, protocol, usage } = reply;
  const facts = [
    reply.protocols.find(({ id }) => id === protocol)?.label ?? protocol,
    ...(model === '' ? [] : [visibleText(model)]),
    ...(isEdited ? [t('edited by you')] : []),
    ...(isOpen ? [t('still streaming')] : []),
    ...(isCutOff ? [t('cut off')] : []),
    ...(usage ? tokenTexts(usage) : []),
    ...paceTexts(reply),
    ...(reply.cacheBreak ? [cacheBreakText(reply.cacheBreak)] : []),
  ];
  return (
    <header>
      <h2>{isInner ? t('Reply {0} of a sub-agent', number) : t('Reply {0}', number)}</h2>
      <p class="quiet">{facts.join(' · ')}</p>
    </header>
  );
}

interface SectionProps {
  readonly title: string;
  /** Text that the button copies. */
  readonly copy: string;
  readonly onCopy: () => void;
  readonly children: ComponentChildren;
}

function Section({ title, copy, onCopy, children }: SectionProps): JSX.Element {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div class="section-header">
        <h2 id={id}>{title}</h2>
        <IconButton icon="copy" label={copy} onClick={onCopy} />
      </div>
      {children}
    </section>
  );
}

interface RequestProps {
  readonly request: InspectedRequest | undefined;
  readonly onCopy: () => void;
}

/** The request sent to the model. */
function RequestSection({ request, onCopy }: RequestProps): JSX.Element {
  if (request?.type === 'none') {
    return (
      <section aria-label={t('Request')}>
        <h2>{t('Request')}</h2>
        <p class="quiet">{visibleText(request.why)}</p>
      </section>
    );
  }
  return (
    <Section title={t('Request')} copy={t('Copy request as JSON')} onCopy={onCopy}>
      {request ? <RequestView request={request} /> : <p class="quiet">{t('Loading…')}</p>}
    </Section>
  );
}

function RequestView({
  request,
}: {
  readonly request: Exclude<InspectedRequest, { type: 'none' }>;
}): JSX.Element {
  const { type, forms, messages, tools, body } = request;
  return (
    <>
      {type === 'anew' && (
        <p class="quiet">
          {t(
            'Rebuilt from the session with the current tools and settings. The request that was sent was kept in memory only.',
          )}
        </p>
      )}
      {forms.map(({ field }) => (
        <p key={field} class="quiet">
          {t('The format of the reply was enforced by the field "{0}".', field)}
        </p>
      ))}
      <MessageList messages={messages} />
      {forms.map(({ field, text }) => (
        <Fold key={field} summary={field} detail={sizeOf(text)}>
          <CappedText label={field} text={text} lines={60} />
        </Fold>
      ))}
      {tools.length > 0 && (
        <Fold summary={t('Tools')} detail={tools.map(({ name }) => name).join(', ')}>
          {tools.map(({ name, json }) => (
            <CappedText key={name} label={t('Tool {0}', name)} text={json} lines={40} />
          ))}
        </Fold>
      )}
      <Fold summary={t('Other fields')}>
        <CappedText label={t('Other fields')} text={body} lines={60} />
      </Fold>
    </>
  );
}

interface ResultsProps {
  readonly results: InspectedResults;
  readonly onCopy: () => void;
}

/** The results of its calls that were sent to the model. */
function ResultsSection({ results: { isSent, messages }, onCopy }: ResultsProps): JSX.Element {
  return (
    <Section title={t('Results as sent back')} copy={t('Copy results as JSON')} onCopy={onCopy}>
      {messages.length === 0 && (
        <p class="quiet">{t('Nothing was sent back because the reply had no calls.')}</p>
      )}
      {messages.length > 0 && !isSent && (
        <p class="quiet">
          {t('Rendered by the protocol. The request that contained them is no longer kept.')}
        </p>
      )}
      <MessageList messages={messages} />
    </Section>
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
