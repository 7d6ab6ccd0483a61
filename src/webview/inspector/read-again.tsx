import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type { InspectedReply, ReplyReading } from '../../contract/inspector';
import { mayFollowClick } from '../shared/focus';
import { t } from '../shared/l10n';
import { CappedText } from '../shared/text/capped-text';
import { useSpanLink } from '../shared/text/span-link';
import { SpannedText } from '../shared/text/spanned-text';
import { CallList, spansOf } from './call-list';
import { useInspector, type Draft } from './inspector-state';

interface Props {
  readonly reply: InspectedReply;
  readonly draft: Draft;
}

const NOTHING: ReplyReading = { calls: [], warnings: [] };

/** The reply parsed as another protocol or edited by the user, and the button to continue with it. */
export function ReadAgain({ reply, draft }: Props): JSX.Element {
  const inspector = useInspector();
  const link = useSpanLink();
  const answered = inspector.reading.value;
  const reading = answered?.reading ?? NOTHING;
  const isEditing = draft.text !== undefined;
  const spans = useMemo(() => (isRecorded(reply, draft) ? [] : spansOf(reading)), [reading, draft.protocol]);
  const isBlank = draft.text?.trim() === '';
  return (
    <div class="reading">
      <h3>{isEditing ? t('Edited reply') : t('As another protocol')}</h3>
      {draft.text === undefined ? (
        <SpannedText label={t('Reply as another protocol')} text={reply.raw} spans={spans} link={link} />
      ) : (
        <EditedText text={draft.text} />
      )}
      <CallList label={t('Parsed now')} reading={reading} link={link} />
      <p role="status">{answered ? countText(reading) : t('Reading…')}</p>
      <div class="tools">
        <button
          type="button"
          class="button"
          disabled={!answered || isBlank || reply.whyNotGoOn !== undefined}
          onClick={() => inspector.goOn()}
        >
          {t('Continue with this reply')}
        </button>
        <button type="button" class="button button-secondary" onClick={() => inspector.discard()}>
          {t('Discard')}
        </button>
      </div>
      <p class="quiet">
        {reply.whyNotGoOn === undefined
          ? t(
              'Everything after this reply is removed from the conversation. Its calls run and ask as always, and the model gets their results.',
            )
          : visibleText(reply.whyNotGoOn)}
      </p>
    </div>
  );
}

/** Positions in such a text differ from the reply: they count the content of its lines. */
function isRecorded({ recorded }: InspectedReply, { protocol }: Draft): boolean {
  return protocol === 'native' && recorded !== undefined;
}

function EditedText({ text }: { readonly text: string }): JSX.Element {
  const inspector = useInspector();
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (mayFollowClick()) box.current?.focus();
  }, []);
  return (
    <>
      <textarea
        class="text-field edited-reply"
        aria-label={t('Reply')}
        spellcheck={false}
        value={text}
        ref={box}
        onInput={(event) => inspector.write(event.currentTarget.value)}
      />
      <HiddenCharacters text={text} />
    </>
  );
}

/** A text box does not draw deceptive characters, so the lines with such characters are listed below it. */
function HiddenCharacters({ text }: { readonly text: string }): JSX.Element | null {
  const lines = useMemo(() => text.split('\n').filter((line) => visibleText(line) !== line), [text]);
  if (lines.length === 0) return null;
  const label = t('Lines with hidden characters');
  return (
    <>
      <p class="quiet">{label}</p>
      <CappedText label={label} text={lines.join('\n')} lines={5} />
    </>
  );
}

function countText({ calls }: ReplyReading): string {
  const malformed = calls.filter(({ type }) => type === 'malformed').length;
  const whole = calls.length - malformed;
  const found = whole === 1 ? t('1 call') : t('{0} calls', whole);
  return malformed === 0 ? found : t('{0}, {1} malformed', found, malformed);
}
