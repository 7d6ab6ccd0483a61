import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { never } from '../../base/never';
import { visibleText } from '../../base/text';
import type { ShownPart } from '../../contract/lab-parse';
import type { InspectedCall } from '../../contract/lab-requests';
import type { Diagnostic, ToolCall } from '../../core/words/messages';
import { CallNotes } from '../shared/calls/call-notes';
import { Icon } from '../shared/icon';
import { durationText, t, translated } from '../shared/l10n';
import { CappedText } from '../shared/text/capped-text';
import { useReveal, type SpanLink } from '../shared/text/span-link';
import { SpannedText } from '../shared/text/spanned-text';
import type { TextSpan } from '../shared/text/text-rows';

interface ParsedReplyProps {
  /** The text with its marked parts, or a box to edit it. */
  readonly text: JSX.Element;
  /** Label of the list of calls. */
  readonly label: string;
  readonly parts: readonly ShownPart[];
  /** Outcomes of the calls; absent if they are only parsed. */
  readonly states?: readonly InspectedCall[];
  readonly link: SpanLink;
  /** What the user can do about an error or warning. */
  readonly advice?: (diagnostic: Diagnostic) => ComponentChildren;
  /** Beside the heading of the calls. */
  readonly children?: ComponentChildren;
}

/** How a reply is read: its text, and beside it the calls, errors and warnings found in it. */
export function ParsedReply({ text, link, ...found }: ParsedReplyProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  useReveal(link, 'list', list);
  return (
    <div class="parsed-reply">
      {text}
      <div class="reply-found" ref={list}>
        <CallList link={link} {...found} />
        <ProblemList link={link} {...found} />
      </div>
    </div>
  );
}

interface ReplyTextProps {
  readonly label: string;
  readonly text: string;
  readonly parts: readonly ShownPart[];
  /** Further marked parts. */
  readonly spans?: readonly TextSpan[];
  readonly link: SpanLink;
}

/** The text of a reply with its parts marked. */
export function ReplyText({ label, text, parts, spans = NONE, link }: ReplyTextProps): JSX.Element {
  const all = useMemo(() => [...partSpans(parts), ...spans], [parts, spans]);
  return <SpannedText label={label} text={text} spans={all} link={link} />;
}

const NONE: readonly TextSpan[] = [];

/** All calls in order, also those that cannot run. */
function CallList({
  label,
  parts,
  states = [],
  link,
  children,
}: Omit<ParsedReplyProps, 'text'>): JSX.Element {
  const isCall = ({ type }: ShownPart): boolean => type === 'call' || type === 'malformed';
  return (
    <>
      <div class="section-header">
        <h3>{label}</h3>
        {children}
      </div>
      {!parts.some(isCall) && <p class="quiet">{t('No calls were found in this reply.')}</p>}
      <ol class="parsed-calls" aria-label={label}>
        {parts.map((part, index) => {
          const id = partId(index);
          if (part.type === 'call') {
            return (
              <Found key={id} id={id} link={link} icon="tools" name={part.call.name} span={part.call}>
                <CallDetail call={part.call} state={states.find((each) => each.id === part.call.id)} />
              </Found>
            );
          }
          if (part.type !== 'malformed') return null;
          const { name, diagnostic } = part.malformed;
          return (
            <Found
              key={id}
              {...{ id, link, name }}
              icon="error"
              span={diagnostic}
              badge={<span class="badge">{t('Malformed')}</span>}
            />
          );
        })}
      </ol>
    </>
  );
}

interface Problem {
  readonly index: number;
  /** Of the tool, if it could be parsed. */
  readonly name: string;
  readonly icon: string;
  readonly diagnostic: Diagnostic;
}

/** What keeps calls from running, and warnings: the reason, the message to the model, and what the user can do. */
function ProblemList({ parts, link, advice }: Omit<ParsedReplyProps, 'text'>): JSX.Element | null {
  const problems = parts.flatMap((part, index): Problem[] => {
    if (part.type === 'warning') return [{ index, name: '', icon: 'warning', diagnostic: part.diagnostic }];
    if (part.type !== 'malformed') return [];
    const { name, diagnostic } = part.malformed;
    return [{ index, name, icon: 'error', diagnostic }];
  });
  if (problems.length === 0) return null;
  const label = t('Errors and warnings');
  return (
    <>
      <h3>{label}</h3>
      <ul class="parsed-calls" aria-label={label}>
        {problems.map(({ index, name, icon, diagnostic }) => {
          const { code, message, hint } = diagnostic;
          const title = name === '' ? code : `${name}: ${code}`;
          return (
            <Found key={index} id={partId(index)} link={link} icon={icon} name={title} span={diagnostic}>
              <p>{visibleText(translated(message))}</p>
              <p class="quiet">{t('To the model: {0}', visibleText(translated(hint)))}</p>
              {advice?.(diagnostic)}
            </Found>
          );
        })}
      </ul>
    </>
  );
}

interface FoundProps {
  /** Of its span in the text. */
  readonly id: string;
  readonly link: SpanLink;
  readonly icon: string;
  readonly name: string;
  readonly span: { readonly start: number; readonly end: number };
  readonly badge?: JSX.Element;
  readonly children?: ComponentChildren;
}

/** An item of a list; its title marks its position in the text. */
function Found({ id, link, icon, name, span, badge, children }: FoundProps): JSX.Element {
  const { start, end } = span;
  const isMarked = link.marked === id;
  return (
    <li class={isMarked ? 'parsed-call parsed-marked' : 'parsed-call'}>
      <div class="parsed-title">
        <button
          type="button"
          class="parsed-name"
          aria-current={isMarked}
          title={t('Show in reply')}
          {...link.tie(id, 'list')}
        >
          <Icon name={icon} />
          <span>{visibleText(name) || t('(no name)')}</span>
          {/* A warning without a position concerns the whole reply. */}
          {end > start && <span class="quiet">{t('characters {0}–{1}', start, end)}</span>}
        </button>
        {badge}
      </div>
      {children}
    </li>
  );
}

interface CallDetailProps {
  readonly call: ToolCall;
  readonly state: InspectedCall | undefined;
}

function CallDetail({ call, state }: CallDetailProps): JSX.Element {
  const name = visibleText(call.name);
  return (
    <>
      <CallNotes call={call} isChanged={state?.edited !== undefined} />
      <CappedText label={t('Arguments of {0}', name)} text={json(call.arguments)} lines={12} />
      {state?.edited && (
        <CappedText
          label={t('Arguments of {0}, changed by you', name)}
          text={json(state.edited)}
          lines={12}
        />
      )}
      {state && <p class="quiet">{outcomeText(state)}</p>}
    </>
  );
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2);
}

/** Who decided, how it ended, how long it took. */
function outcomeText(call: InspectedCall): string {
  const { durationMs, hasBegun, state } = call;
  const facts = [
    decisionText(call),
    stateText(state),
    ...(durationMs !== undefined && hasBegun ? [durationText(durationMs)] : []),
  ];
  return facts.filter(Boolean).join(' · ');
}

function decisionText({ decision, hasBegun, state }: InspectedCall): string {
  if (!decision) {
    if (hasBegun) return t('Allowed by rule');
    return state === 'denied' ? t('Refused by rule') : '';
  }
  const reason = visibleText(decision.reason);
  if (decision.type === 'run') return reason === '' ? t('Allowed by you') : t('Allowed by you: {0}', reason);
  if (decision.by === 'policy') return t('Refused by rule: {0}', visibleText(translated(decision.reason)));
  return reason === '' ? t('Rejected by you') : t('Rejected by you: {0}', reason);
}

function stateText(state: InspectedCall['state']): string {
  switch (state) {
    case 'open':
      return t('not started');
    case 'waiting':
      return t('waiting for you');
    case 'running':
      return t('running');
    case 'success':
      return t('succeeded');
    case 'error':
      return t('failed');
    case 'denied':
      return t('not run');
    default:
      return never(state);
  }
}

/** Positions of the parts in the raw text, if known. */
function partSpans(parts: readonly ShownPart[]): readonly TextSpan[] {
  return parts.flatMap((part, index): TextSpan[] => {
    const id = partId(index);
    switch (part.type) {
      case 'call': {
        const { start, end, name } = part.call;
        return [{ id, kind: 'call', start, end, label: name || t('(no name)') }];
      }
      case 'malformed': {
        const { name, diagnostic } = part.malformed;
        const { start, end, code } = diagnostic;
        return [{ id, kind: 'malformed', start, end, label: name || code }];
      }
      case 'warning': {
        const { start, end, code } = part.diagnostic;
        return end > start ? [{ id, kind: 'warning', start, end, label: code }] : [];
      }
      case 'reasoning':
        if (!('start' in part)) return [];
        return [{ id, kind: 'reasoning', start: part.start, end: part.end, label: t('Reasoning') }];
      case 'text':
        return [];
    }
  });
}

function partId(index: number): string {
  return `part-${index}`;
}
