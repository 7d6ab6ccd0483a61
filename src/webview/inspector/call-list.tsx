import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { visibleText } from '../../base/visible-text';
import type { InspectedCall, ReadCall, Reading } from '../../contract/inspector';
import { CallNotes } from '../shared/calls/call-notes';
import { CappedText } from '../shared/capped-text';
import { Icon } from '../shared/icon';
import { t, translated } from '../shared/l10n';
import { NoteList } from '../shared/note-list';
import { useReveal, type SpanLink } from '../shared/span-link';
import { CallFate } from './call-fate';
import { callSpan } from './reading-spans';

interface Props {
  readonly label: string;
  readonly reading: Reading;
  /** What became of the calls; none where they are only read. */
  readonly states?: readonly InspectedCall[];
  readonly link: SpanLink;
  /** Stands beside the heading. */
  readonly children?: ComponentChildren;
}

/** The calls that were read out of a reply, in the order written, and what was noticed besides. */
export function CallList({ label, reading, states = [], link, children }: Props): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  useReveal(link, 'list', root);
  const { calls, warnings } = reading;
  return (
    <div class="call-list" ref={root}>
      <div class="section-header">
        <h3>{label}</h3>
        {children}
      </div>
      {calls.length === 0 && <p class="quiet">{t('No call was found in it.')}</p>}
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

/** Marks its place in the text. */
function CallTitle({ call, id, link }: TitleProps): JSX.Element {
  const { type, name, start, end } = call;
  return (
    <div class="call-title">
      <button
        type="button"
        class="link-button"
        aria-current={link.marked === id}
        title={t('Show its place in the reply')}
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
          label={t('Arguments of {0} as you changed them', name)}
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
