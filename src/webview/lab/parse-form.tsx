import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FormPlace, ReplyForm } from '../../contract/lab-parse';
import { Icon } from '../shared/icon';
import { Fold } from '../shared/kept';
import { t } from '../shared/l10n';
import { CappedText } from '../shared/text/capped-text';
import { useReveal, type SpanLink } from '../shared/text/span-link';
import type { TextSpan } from '../shared/text/text-rows';
import { allowedTexts, drawn, formDetail, formSentence } from './form-texts';

const SPAN = 'form';

interface ReplyFormProps {
  readonly form: ReplyForm;
  readonly link: SpanLink;
}

/** The form that a server can enforce, and where the reply violates it, which explains parse errors. */
export function ReplyFormFold({
  form,
  hasProblem,
  link,
}: ReplyFormProps & { readonly hasProblem: boolean }): JSX.Element {
  const place = placeOf(form);
  const [wasPicked, setPicked] = useState(false);
  useEffect(() => {
    if (link.picked?.id === SPAN) setPicked(true);
  }, [link.picked]);
  return (
    <Fold
      summary={t('Form')}
      detail={formDetail(form)}
      opens={place !== undefined && (hasProblem || wasPicked)}
    >
      <div class="reply-form">
        <Found form={form} link={link} />
        {form.type === 'form' && (
          <>
            <p class="quiet">
              {t(
                'The form allows only the spelling that the prompt teaches. A reply that violates it may still parse without errors.',
              )}
            </p>
            <Source title={t('Grammar (GBNF)')} copy={t('Copy grammar')} text={form.grammar} />
            {form.schema !== undefined && (
              <Source title={t('JSON Schema')} copy={t('Copy schema')} text={form.schema} />
            )}
          </>
        )}
      </div>
    </Fold>
  );
}

/** Position of the first violation in the reply. */
export function formSpans(form: ReplyForm): readonly TextSpan[] {
  const place = placeOf(form);
  if (!place) return [];
  const label = place.found === '' ? t('ends too early') : t('violates the form');
  return [{ id: SPAN, kind: 'form', start: place.at, end: place.at, label }];
}

function placeOf(form: ReplyForm): FormPlace | undefined {
  return form.type === 'form' && 'place' in form.match ? form.match.place : undefined;
}

function Found({ form, link }: ReplyFormProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  useReveal(link, 'list', root);
  const place = placeOf(form);
  if (!place) return <p>{formSentence(form)}</p>;
  const { at, before, found, allowed } = place;
  return (
    <div class={`parsed-call${link.marked === SPAN ? ' parsed-marked' : ''}`} ref={root}>
      <button
        type="button"
        class="parsed-name form-sentence"
        aria-current={link.marked === SPAN}
        {...link.tie(SPAN, 'list')}
      >
        <Icon name="symbol-ruler" />
        <span>{formSentence(form)}</span>
      </button>
      <dl class="form-place">
        {before !== '' && (
          <>
            <dt>{t('After')}</dt>
            <dd>
              <code>
                {at > before.length && '…'}
                {drawn(before)}
              </code>
            </dd>
          </>
        )}
        {found !== '' && (
          <>
            <dt>{t('Found')}</dt>
            <dd>
              <code>{drawn(found)}</code>
            </dd>
          </>
        )}
        <dt>{t('Allowed here')}</dt>
        <dd>
          <ul aria-label={t('Allowed here')}>
            {allowedTexts(allowed).map((text, index) => (
              <li key={index}>
                {'name' in text ? (
                  text.name
                ) : (
                  <code>
                    <span class="quiet">{text.written}</span>
                    <strong>{text.rest}</strong>
                  </code>
                )}
              </li>
            ))}
          </ul>
        </dd>
      </dl>
    </div>
  );
}

interface SourceProps {
  readonly title: string;
  /** Describes the button for users who do not see its context. */
  readonly copy: string;
  readonly text: string;
}

/** Text to read and copy. */
function Source({ title, copy, text }: SourceProps): JSX.Element {
  const [copied, setCopied] = useState<string>();
  const onCopy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  const isCopied = copied === text;
  return (
    <>
      <div class="form-source">
        <h3>{title}</h3>
        <button type="button" class="link-button" aria-label={copy} onClick={() => void onCopy()}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          {t('Copy')}
        </button>
        <span class="quiet" aria-live="polite">
          {isCopied && t('Copied')}
        </span>
      </div>
      <CappedText label={title} text={text} lines={40} />
    </>
  );
}
