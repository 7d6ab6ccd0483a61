import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ReplyAnswer } from '../../contract/lab-parse';
import { visibleText } from '../../base/visible-text';
import { t } from '../shared/l10n';
import { useSpanLink } from '../shared/span-link';
import { SpannedText } from '../shared/spanned-text';
import { ComparisonTable } from './parse-comparison';
import { FoundProblems } from './parse-problems';
import { ParsedCalls } from './parsed-calls';
import { foundProblems, partSpans, parsedCalls } from './parse-parts';
import { SentText } from './parse-sent';
import { TextParts } from './parse-texts';
import type { LabReply, Parse } from './use-parse';

/** What came out of the reply. */
export function ParseResult({ parse }: { readonly parse: Parse }): JSX.Element {
  const { outcome, message, isBusy } = parse;
  return (
    <section class="parse-result" aria-label={t('What was parsed')} aria-busy={isBusy}>
      <p class="parse-status" role="status">
        {message === undefined ? statusOf(parse) : visibleText(message)}
      </p>
      {outcome?.answer.type === 'reply' && (
        <ReplyResult parse={parse} reply={outcome.reply} answer={outcome.answer} />
      )}
      {outcome?.answer.type === 'comparison' && (
        <ComparisonTable
          comparison={outcome.answer}
          labels={parse.settings?.protocols ?? []}
          onPick={(protocol) => parse.choose({ protocol })}
        />
      )}
    </section>
  );
}

function statusOf({ outcome, isBusy }: Parse): string {
  if (!outcome) return isBusy ? t('Reading…') : t('Paste a reply to see what would be parsed out of it.');
  const { answer } = outcome;
  if (answer.type === 'comparison') return t('Read by {0} protocols.', answer.protocols.length);
  const count = (type: string): number => answer.parts.filter((part) => part.type === type).length;
  const found = t(
    '{0}: calls {1}, malformed {2}, warnings {3}.',
    answer.protocol,
    count('call'),
    count('malformed'),
    count('warning'),
  );
  return [found, ...(answer.raw === '' ? [nothingRecorded()] : cutsText(answer))].join(' ');
}

/** Of a native reply: what was pasted is text, as it seems. */
function nothingRecorded(): string {
  return t('Native replies are read from recorded lines that begin with "data:"; here are none.');
}

function cutsText({ cuts }: ReplyAnswer): readonly string[] {
  if (!cuts) return [];
  const sizes = cuts.sizes.join(', ');
  return [
    cuts.isSame
      ? t('The same in pieces of {0}.', sizes)
      : t('Not the same in pieces of {0}: please report this reply.', sizes),
  ];
}

interface Props {
  readonly parse: Parse;
  readonly reply: LabReply;
  readonly answer: ReplyAnswer;
}

function ReplyResult({ parse, reply, answer }: Props): JSX.Element {
  const link = useSpanLink();
  const raw = answer.raw ?? reply.text;
  const spans = useMemo(() => partSpans(answer.parts), [answer]);
  const calls = useMemo(() => parsedCalls(answer.parts), [answer]);
  const problems = useMemo(() => foundProblems(answer.parts), [answer]);
  return (
    <>
      <Expectation reply={reply} answer={answer} />
      <div class="parse-columns">
        <SpannedText
          label={
            answer.raw === undefined ? t('Reply with what was found') : t('Carried by the recorded lines')
          }
          text={raw}
          spans={spans}
          link={link}
        />
        <div class="parse-found">
          <ParsedCalls calls={calls} link={link} />
          <FoundProblems problems={problems} link={link} parse={parse} />
        </div>
      </div>
      <div class="call-folds">
        <TextParts parts={answer.parts} raw={raw} />
        <SentText answer={answer} />
      </div>
    </>
  );
}

/** Of a case that is unchanged: whether it still is what it was saved as. */
function Expectation({ reply, answer }: Omit<Props, 'parse'>): JSX.Element | null {
  const expected = reply.opened?.case?.expect;
  if (expected === undefined || answer.summary === undefined) return null;
  if (answer.summary === expected) return <p>{t('As the case expects.')}</p>;
  return (
    <dl class="case-difference">
      <dt>{t('The case expects')}</dt>
      <dd>{visibleText(expected)}</dd>
      <dt>{t('Parsed')}</dt>
      <dd>{visibleText(answer.summary)}</dd>
    </dl>
  );
}
