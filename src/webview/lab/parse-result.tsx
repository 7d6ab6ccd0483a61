import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type {
  ParseSettings,
  ProtocolComparison,
  ReplyAnswer,
  SentMessage,
  ShownPart,
} from '../../contract/lab-parse';
import type { Diagnostic } from '../../core/words/messages';
import { Fold } from '../shared/kept';
import { t } from '../shared/l10n';
import { CappedText, sizeOf } from '../shared/text/capped-text';
import { useSpanLink } from '../shared/text/span-link';
import { formSpans, ReplyFormFold } from './parse-form';
import { ReplyText, ParsedReply } from './parsed-reply';
import type { LabReply, Parse } from './use-parse';

/** Parse result of the reply. */
export function ParseResult({ parse }: { readonly parse: Parse }): JSX.Element {
  const { outcome, message, isBusy } = parse;
  return (
    <section class="parse-result" aria-label={t('Parse result')} aria-busy={isBusy}>
      <h2 class="unseen">{t('Parse result')}</h2>
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
  if (!outcome) return isBusy ? t('Reading…') : t('Paste a reply to see how Parley parses it.');
  const { answer } = outcome;
  if (answer.type === 'comparison') return t('Parsed by {0} protocols.', answer.protocols.length);
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

/** Native protocol, but the pasted text does not look like recorded lines. */
function nothingRecorded(): string {
  return t('Native replies are parsed from recorded lines that begin with "data:". None were found.');
}

function cutsText({ cuts }: ReplyAnswer): readonly string[] {
  if (!cuts) return [];
  const sizes = cuts.sizes.join(', ');
  return [
    cuts.isSame
      ? t('Same result in chunks of {0}.', sizes)
      : t('Different result in chunks of {0}. Please report this reply.', sizes),
  ];
}

interface ParseResultProps {
  readonly parse: Parse;
  readonly reply: LabReply;
  readonly answer: ReplyAnswer;
}

function ReplyResult({ parse, reply, answer }: ParseResultProps): JSX.Element {
  const link = useSpanLink();
  const raw = answer.raw ?? reply.text;
  const { parts, form } = answer;
  const spans = useMemo(() => formSpans(form), [form]);
  const label = answer.raw === undefined ? t('Reply with calls marked') : t('Content of the recorded lines');
  const hasProblem = parts.some(({ type }) => type === 'malformed' || type === 'warning');
  return (
    <>
      <Expectation reply={reply} answer={answer} />
      <ParsedReply
        text={<ReplyText label={label} text={raw} parts={parts} spans={spans} link={link} />}
        label={t('Parsed calls')}
        parts={parts}
        link={link}
        advice={(diagnostic) => <Advice diagnostic={diagnostic} parse={parse} />}
      />
      <div class="call-folds">
        <ReplyFormFold form={form} hasProblem={hasProblem} link={link} />
        <TextParts parts={parts} raw={raw} />
        <SentText answer={answer} />
      </div>
    </>
  );
}

interface AdviceProps {
  readonly diagnostic: Diagnostic;
  readonly parse: Parse;
}

/** What the user can try. */
function Advice({ diagnostic: { code, seen }, parse }: AdviceProps): JSX.Element | null {
  const other = parse.settings?.protocols.find(({ id }) => id === seen);
  if (other) {
    return (
      <button type="button" class="link-button" onClick={() => parse.choose({ protocol: other.id })}>
        {t('Parse as {0}', other.label)}
      </button>
    );
  }
  const advice = adviceFor(code);
  return advice === undefined ? null : <p class="quiet">{t('You can: {0}', advice)}</p>;
}

function adviceFor(code: string): string | undefined {
  switch (code) {
    case 'unknown-tool':
    case 'unavailable-tool':
      return t('enable the tool, or set Tools to None to see the call as written.');
    case 'unknown-argument':
    case 'invalid-argument':
    case 'missing-argument':
    case 'duplicate-argument':
      return t('compare it with the tool description sent to the model, below.');
    case 'needs-repair':
      return t('set Strictness to repair, which fixes and marks such calls.');
    case 'unfinished':
      return t('increase maxOutputTokens of the model if it stopped at its limit.');
    case 'native-call':
      return t('use the native protocol with this model.');
    default:
      return undefined;
  }
}

/** For an unchanged case: whether the result still matches the saved one. */
function Expectation({ reply, answer }: Omit<ParseResultProps, 'parse'>): JSX.Element | null {
  const expected = reply.opened?.case?.expect;
  if (expected === undefined || answer.summary === undefined) return null;
  if (answer.summary === expected) return <p>{t('Matches the case.')}</p>;
  return (
    <dl class="case-difference">
      <dt>{t('The case expects')}</dt>
      <dd>{visibleText(expected)}</dd>
      <dt>{t('Parsed')}</dt>
      <dd>{visibleText(answer.summary)}</dd>
    </dl>
  );
}

interface ComparisonTableProps {
  readonly comparison: ProtocolComparison;
  readonly labels: ParseSettings['protocols'];
  readonly onPick: (protocol: string) => void;
}

/** What each protocol would parse from the reply. */
function ComparisonTable({ comparison, labels, onPick }: ComparisonTableProps): JSX.Element {
  const labelOf = (id: string): string => labels.find((each) => each.id === id)?.label ?? id;
  return (
    <div class="table-box" role="group" aria-label={t('Protocols side by side')} tabIndex={0}>
      <table class="comparison">
        <thead>
          <tr>
            <th scope="col">{t('Protocol')}</th>
            <th scope="col">{t('Calls')}</th>
            <th scope="col">{t('Malformed')}</th>
            <th scope="col">{t('Warnings')}</th>
            <th scope="col">{t('Characters of text')}</th>
          </tr>
        </thead>
        <tbody>
          {comparison.protocols.map(({ id, calls, malformed, warnings, text }) => (
            <tr key={id}>
              <th scope="row">
                <button type="button" class="link-button" onClick={() => onPick(id)}>
                  {labelOf(id)}
                </button>
                {id === comparison.detected && <span class="quiet">{t('(auto)')}</span>}
              </th>
              <td>{callsText(calls)}</td>
              <td>{malformed}</td>
              <td>{warnings}</td>
              <td>{text.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The number and, if there is room, the names. */
function callsText(calls: readonly string[]): string {
  if (calls.length === 0) return '0';
  const names = calls.slice(0, 4).join(', ');
  return `${calls.length}: ${visibleText(names)}${calls.length > 4 ? '…' : ''}`;
}

/** Messages to the model: about its tools before the reply, and the results after it. */
function SentText({ answer }: { readonly answer: ReplyAnswer }): JSX.Element {
  const { prompt, followUp, hasRealResults } = answer;
  return (
    <>
      {prompt !== '' && (
        <Fold summary={t('Tool descriptions for the model')} detail={sizeOf(prompt)}>
          <CappedText label={t('Tool descriptions for the model')} text={prompt} lines={100} />
        </Fold>
      )}
      {followUp.length > 0 && (
        <Fold
          summary={t('Next message to the model')}
          detail={hasRealResults ? t('results from the conversation') : t('sample results')}
        >
          <div>
            {followUp.map((message, index) => (
              <SentView key={index} message={message} />
            ))}
          </div>
        </Fold>
      )}
    </>
  );
}

function SentView({ message: { role, text, left } }: { readonly message: SentMessage }): JSX.Element {
  return (
    <>
      <h3>{role}</h3>
      <CappedText label={role} text={text} lines={100} />
      {left > 0 && <p class="quiet">{t('{0} more characters', left.toLocaleString())}</p>}
    </>
  );
}

interface TextPartsProps {
  readonly parts: readonly ShownPart[];
  readonly raw: string;
}

/** The text a chat user would see. */
function TextParts({ parts, raw }: TextPartsProps): JSX.Element {
  const texts = [
    { label: t('Text'), text: joined(parts, raw, 'text') },
    { label: t('Reasoning'), text: joined(parts, raw, 'reasoning') },
  ].filter(({ text }) => text !== '');
  return (
    <>
      {texts.map(({ label, text }) => (
        <Fold key={label} summary={label} detail={sizeOf(text)}>
          <CappedText label={label} text={text} lines={100} />
        </Fold>
      ))}
    </>
  );
}

function joined(parts: readonly ShownPart[], raw: string, type: 'text' | 'reasoning'): string {
  return parts
    .flatMap((part) => {
      if (part.type !== type) return [];
      return ['text' in part ? part.text : raw.slice(part.start, part.end)];
    })
    .join('');
}
