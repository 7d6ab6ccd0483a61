import type { JSX } from 'preact';
import { visibleText } from '../../base/text';
import type { InspectedReply } from '../../contract/inspector';
import { t } from '../shared/l10n';
import { cacheBreakText, paceTexts, tokenTexts } from '../shared/usage-texts';
import { useInspector } from './inspector-state';
import { ReplySection } from './reply-section';
import { RequestSection, ResultsSection } from './sections';

/** How the text of one reply became calls: the request, the raw reply, the parsed calls, the results. */
export function Inspector(): JSX.Element {
  const inspector = useInspector();
  const reply = inspector.reply.value;
  const request = inspector.request.value;
  return (
    <main class="inspector">
      {inspector.isGone.value ? (
        <p class="quiet">
          {t('Another session is open. Choose "Inspect" on one of its replies to inspect it.')}
        </p>
      ) : (
        reply && (
          <>
            <Title reply={reply} />
            <RequestSection request={request} />
            <ReplySection key={reply.key} reply={reply} />
            <ResultsSection results={reply.results} />
          </>
        )
      )}
      <p class="note" role="status">
        {inspector.note.value}
      </p>
    </main>
  );
}

function Title({ reply }: { readonly reply: InspectedReply }): JSX.Element {
  const { number, isInner, model, isEdited, isOpen, isCutOff, protocol, usage } = reply;
  const facts = [
    protocolLabel(reply, protocol),
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
      <h1>{isInner ? t('Reply {0} of a sub-agent', number) : t('Reply {0}', number)}</h1>
      <p class="quiet">{facts.join(' · ')}</p>
    </header>
  );
}

function protocolLabel({ protocols }: InspectedReply, protocol: string): string {
  return protocols.find(({ id }) => id === protocol)?.label ?? protocol;
}
