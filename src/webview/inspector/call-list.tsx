import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { never } from '../../base/never';
import { visibleText } from '../../base/text';
import type { InspectedCall, ReadCall, ReplyReading } from '../../contract/inspector';
import { CallNotes } from '../shared/calls/call-notes';
import { Icon } from '../shared/icon';
import { durationText, t, translated } from '../shared/l10n';
import { NoteList } from '../shared/notice';
import { CappedText } from '../shared/text/capped-text';
import { useReveal, type SpanLink } from '../shared/text/span-link';
import type { TextSpan } from '../shared/text/text-rows';

interface CallListProps {
  readonly label: string;
  readonly reading: ReplyReading;
  /** Outcomes of the calls; absent if they are only parsed. */
  readonly states?: readonly InspectedCall[];
  readonly link: SpanLink;
  /** Shown beside the heading. */
  readonly children?: ComponentChildren;
}

/** Calls parsed from a reply, in order, and what was noticed. */
export function CallList({ label, reading, states = [], link, children }: CallListProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  useReveal(link, 'list', root);
  const { calls, warnings } = reading;
  return (
    <div class="call-list" ref={root}>
      <div class="section-header">
        <h3>{label}</h3>
        {children}
      </div>
      {calls.length === 0 && <p class="quiet">{t('No calls were found in this reply.')}</p>}
      <ol aria-label={label}>
        {calls.map((call, index) => (
          <li
            key={callSpan(index)}
            class={link.marked === callSpan(index) ? 'read-call marked' : 'read-call'}
          >
            <CallTitle call={call} id={callSpan(index)} link={link} />
            {call.type === 'call' ? (
              <ReadableCall call={call} state={states.find(({ id }) => id === call.id)} />
            ) : (
              <p class="call-failure">
                {visibleText(translated(call.reason.message))}{' '}
                <span class="quiet">{visibleText(translated(call.reason.hint))}</span>
              </p>
            )}
          </li>
        ))}
      </ol>
      <NoteList notes={warnings} />
    </div>
  );
}

interface TitleProps {
  readonly call: ReadCall;
  readonly id: string;
  readonly link: SpanLink;
}

/** Marks its position in the text. */
function CallTitle({ call, id, link }: TitleProps): JSX.Element {
  const { type, name, start, end } = call;
  return (
    <div class="call-title">
      <button
        type="button"
        class="link-button"
        aria-current={link.marked === id}
        title={t('Show in reply')}
        {...link.tie(id, 'list')}
      >
        <Icon name={type === 'call' ? 'tools' : 'error'} />
        {visibleText(name) || t('(no name)')}
      </button>
      {type === 'malformed' && <span class="badge">{t('Malformed')}</span>}
      <span class="quiet">{t('characters {0}–{1}', start, end)}</span>
    </div>
  );
}

interface CallProps {
  readonly call: Extract<ReadCall, { type: 'call' }>;
  readonly state: InspectedCall | undefined;
}

function ReadableCall({ call, state }: CallProps): JSX.Element {
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
      {state && <CallFate state={state} />}
    </>
  );
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2);
}

/** Outcome of a call: who decided, how it ended, how long it took. */
function CallFate({ state }: { readonly state: InspectedCall }): JSX.Element {
  const { durationMs, hasBegun } = state;
  const facts = [
    decisionText(state),
    stateText(state.state),
    ...(durationMs !== undefined && hasBegun ? [durationText(durationMs)] : []),
  ];
  return <p class="quiet">{facts.filter(Boolean).join(' · ')}</p>;
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

/** Positions in the raw text of everything parsed from a reply. */
export function spansOf({ calls, warnings }: ReplyReading): readonly TextSpan[] {
  return [
    ...calls.map(({ type, name, start, end }, index): TextSpan => {
      return { id: callSpan(index), kind: type, start, end, label: name || t('(no name)') };
    }),
    // An item without a position concerns the whole reply.
    ...warnings.flatMap(({ start, end, code }, index): TextSpan[] =>
      end > start ? [{ id: warningSpan(index), kind: 'warning', start, end, label: code }] : [],
    ),
  ];
}

function callSpan(index: number): string {
  return `call-${index}`;
}

function warningSpan(index: number): string {
  return `warning-${index}`;
}
