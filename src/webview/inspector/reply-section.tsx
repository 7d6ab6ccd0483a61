import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { InspectedReply } from '../../contract/inspector';
import { IconButton } from '../shared/icon';
import { t } from '../shared/l10n';
import { useSpanLink } from '../shared/text/span-link';
import { SpannedText } from '../shared/text/spanned-text';
import { CallList, spansOf } from './call-list';
import { useInspector } from './inspector-state';
import { ReadAgain } from './read-again';
import { Section } from './sections';

/** The raw reply and what was parsed from it, with the alternative parse beside it. */
export function ReplySection({ reply }: { readonly reply: InspectedReply }): JSX.Element {
  const inspector = useInspector();
  const draft = inspector.draft.value;
  const link = useSpanLink();
  const spans = useMemo(() => spansOf(reply.parsed), [reply.parsed]);
  return (
    <Section name="reply" title={t('Reply')} copy={t('Copy reply')}>
      <Tools reply={reply} />
      <div class={draft ? 'readings readings-two' : 'readings'}>
        <div class="reading">
          {draft && <h3>{t('Original')}</h3>}
          {reply.isOpen ? (
            <p class="quiet">{t('The reply is still streaming.')}</p>
          ) : (
            <SpannedText label={t('Raw reply')} text={reply.raw} spans={spans} link={link} />
          )}
          <CallList label={t('Parsed calls')} reading={reply.parsed} states={reply.states} link={link}>
            <IconButton
              icon="copy"
              label={t('Copy calls as JSON')}
              onClick={() => inspector.post({ type: 'copy', section: 'calls' })}
            />
          </CallList>
        </div>
        {draft && <ReadAgain reply={reply} draft={draft} />}
      </div>
    </Section>
  );
}

function Tools({ reply }: { readonly reply: InspectedReply }): JSX.Element {
  const inspector = useInspector();
  const draft = inspector.draft.value;
  const { whyNotEditable } = reply;
  return (
    <div class="tools">
      <label>
        {t('Protocol')}{' '}
        <select
          class="text-field"
          value={draft?.protocol ?? reply.protocol}
          disabled={reply.isOpen}
          onChange={(event) => inspector.pick(event.currentTarget.value)}
        >
          {reply.protocols.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {draft?.text === undefined && (
        <button
          type="button"
          class="button button-secondary"
          disabled={reply.isOpen || whyNotEditable !== undefined}
          onClick={() => inspector.edit()}
        >
          {t('Edit reply')}
        </button>
      )}
      <button type="button" class="button button-secondary" onClick={() => inspector.openLab()}>
        {t('Open in Lab')}
      </button>
      {whyNotEditable !== undefined && <p class="quiet">{whyNotEditable}</p>}
    </div>
  );
}
