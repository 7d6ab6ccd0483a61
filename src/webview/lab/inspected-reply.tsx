import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type { ShownPart } from '../../contract/lab-parse';
import type { InspectedReply } from '../../contract/lab-requests';
import { mayFollowClick } from '../shared/focus';
import { IconButton } from '../shared/icon';
import { t } from '../shared/l10n';
import { CappedText } from '../shared/text/capped-text';
import { useSpanLink } from '../shared/text/span-link';
import { SelectField } from './fields';
import { useLab } from './lab-state';
import { ReplyText, ParsedReply } from './parsed-reply';
import type { DraftEditor } from './use-draft';

interface ReplyProps {
  readonly reply: InspectedReply;
  readonly editor: DraftEditor;
  readonly onCopyCalls: () => void;
}

/** The raw reply and what was parsed from it, with the user's version below. */
export function ReadReply({ reply, editor, onCopyCalls }: ReplyProps): JSX.Element {
  const link = useSpanLink();
  return (
    <>
      <ReplyTools reply={reply} editor={editor} />
      {editor.draft && <h3>{t('Original')}</h3>}
      <ParsedReply
        text={
          reply.isOpen ? (
            <p class="quiet">{t('The reply is still streaming.')}</p>
          ) : (
            <ReplyText label={t('Raw reply')} text={reply.raw} parts={reply.parsed} link={link} />
          )
        }
        label={t('Parsed calls')}
        parts={reply.parsed}
        states={reply.states}
        link={link}
      >
        <IconButton icon="copy" label={t('Copy calls as JSON')} onClick={onCopyCalls} />
      </ParsedReply>
      {editor.draft && <DraftReply reply={reply} editor={editor} />}
    </>
  );
}

type Props = Omit<ReplyProps, 'onCopyCalls'>;

function ReplyTools({ reply, editor }: Props): JSX.Element {
  const lab = useLab();
  const { draft, reading } = editor;
  const { whyNotEditable } = reply;
  const parse = async (): Promise<void> => {
    const message = { type: 'parse-inspected', ...(reading && { reading: reading.number }) } as const;
    const answer = await lab.request<'parse-inspected'>(message);
    const problem = answer.ok ? answer.value?.problem : answer.problem;
    if (problem !== undefined) editor.tell(problem);
  };
  return (
    <div class="reply-tools">
      <SelectField
        label={t('Protocol')}
        value={draft?.protocol ?? reply.protocol}
        options={reply.protocols.map(({ id, label }) => ({ value: id, label }))}
        isDisabled={reply.isOpen}
        onPick={editor.pick}
      />
      {draft?.text === undefined && (
        <button
          type="button"
          class="button button-secondary"
          disabled={reply.isOpen || whyNotEditable !== undefined}
          onClick={editor.edit}
        >
          {t('Edit reply')}
        </button>
      )}
      <button type="button" class="button button-secondary" onClick={() => void parse()}>
        {t('Open in Lab')}
      </button>
      {whyNotEditable !== undefined && <p class="quiet">{whyNotEditable}</p>}
    </div>
  );
}

const NO_PARTS: readonly ShownPart[] = [];

/** The reply parsed as another protocol or edited by the user, and the button to continue with it. */
function DraftReply({ reply, editor }: Props): JSX.Element {
  const lab = useLab();
  const link = useSpanLink();
  const { draft, reading } = editor;
  const parts = reading?.parts ?? NO_PARTS;
  const text = draft?.text;
  const goOn = async (): Promise<void> => {
    if (!reading) return;
    const answer = await lab.request<'continue-with'>({ type: 'continue-with', reading: reading.number });
    const problem = answer.ok ? answer.value?.problem : answer.problem;
    if (problem !== undefined) editor.tell(problem);
  };
  return (
    <>
      <h3>{text === undefined ? t('As another protocol') : t('Edited reply')}</h3>
      <ParsedReply
        text={
          text === undefined ? (
            <ReplyText
              label={t('Reply as another protocol')}
              text={reply.raw}
              parts={isRecorded(reply, draft?.protocol) ? NO_PARTS : parts}
              link={link}
            />
          ) : (
            <EditedText text={text} onInput={editor.write} />
          )
        }
        label={t('Parsed now')}
        parts={parts}
        link={link}
      />
      <p role="status">{reading ? countText(parts) : t('Reading…')}</p>
      <div class="reply-tools">
        <button
          type="button"
          class="button"
          disabled={!reading || text?.trim() === '' || reply.whyNotGoOn !== undefined}
          onClick={() => void goOn()}
        >
          {t('Continue with this reply')}
        </button>
        <button type="button" class="button button-secondary" onClick={editor.discard}>
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
    </>
  );
}

/** Positions in such a text differ from the reply: they count the content of its lines. */
function isRecorded({ recorded }: InspectedReply, protocol: string | undefined): boolean {
  return protocol === 'native' && recorded !== undefined;
}

interface EditedTextProps {
  readonly text: string;
  readonly onInput: (text: string) => void;
}

function EditedText({ text, onInput }: EditedTextProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (mayFollowClick()) box.current?.focus();
  }, []);
  return (
    <div class="edited-text">
      <textarea
        class="text-field reply-field"
        aria-label={t('Reply')}
        rows={12}
        spellcheck={false}
        value={text}
        ref={box}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <HiddenCharacters text={text} />
    </div>
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

function countText(parts: readonly ShownPart[]): string {
  const count = (wanted: ShownPart['type']): number => parts.filter(({ type }) => type === wanted).length;
  const [calls, malformed] = [count('call'), count('malformed')];
  const found = calls === 1 ? t('1 call') : t('{0} calls', calls);
  return malformed === 0 ? found : t('{0}, {1} malformed', found, malformed);
}
