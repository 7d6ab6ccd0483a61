import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type { CallAnswer } from '../../contract/calls';
import type { Transcript } from '../../core/transcript/transcript';
import { AnswerButton, useArmed } from '../shared/calls/answer-button';
import { IconButton } from '../shared/icon';
import { Fold } from '../shared/kept';
import { t } from '../shared/l10n';
import { MUST_BE_SEEN, useAllSeen } from '../shared/use-all-seen';
import { useChat } from './chat-context';
import { runnableTogether, waitingIn, type Kind, type Waiting } from './waiting-together';

/** If several calls wait, steps through them and answers the ordinary ones together. */
export function WaitingBar({ transcript }: { readonly transcript: Transcript }): JSX.Element | null {
  const { approvals, questions } = waitingIn(transcript);
  const count = approvals.length + questions;
  return count < 2 ? null : <Bar approvals={approvals} count={count} />;
}

interface BarProps {
  readonly approvals: readonly Waiting[];
  readonly count: number;
}

function Bar({ approvals, count }: BarProps): JSX.Element {
  const chat = useChat();
  const { calls, kind } = runnableTogether(approvals);
  const last = useLastFocused();
  // A different set of calls is a new question, so everything starts over.
  const asked = approvals.map(({ request }) => request);
  const set = useSame(asked);
  const isArmed = useArmed(set, chat.answers.value);
  const [answered, setAnswered] = useState<typeof set>();
  const sent = useRef<typeof set>(undefined);
  const isOff = !isArmed || answered === set;
  const isSeen = calls.every(({ request }) => chat.seen.has(request));
  /** Exactly the calls that were drawn; later ones keep waiting. */
  const answerAll = (those: readonly Waiting[], answer: CallAnswer): void => {
    if (sent.current === set) return;
    sent.current = set;
    setAnswered(set);
    for (const { request } of those) chat.decide(request.call.id, answer);
    chat.requestFocus();
  };
  const left = count - calls.length;
  return (
    <section class="waiting-bar" aria-label={t('Waiting calls')}>
      <div class="waiting-head">
        <span class="waiting-count">{t('{0} calls are waiting', count)}</span>
        <IconButton icon="chevron-up" label={t('Previous call')} onClick={() => goFrom(last.current, -1)} />
        <IconButton icon="chevron-down" label={t('Next call')} onClick={() => goFrom(last.current, 1)} />
      </div>
      {calls.length > 1 && <CallList calls={calls} />}
      <div class="buttons">
        {calls.length > 1 && (
          <AnswerButton
            label={runLabel(kind, calls.length)}
            isMain
            disabled={isOff || !isSeen}
            title={isSeen ? undefined : t('Look at each call first.')}
            onClick={() => answerAll(calls, { type: 'run' })}
          />
        )}
        {approvals.length > 1 && (
          <AnswerButton
            label={t('Reject all {0}', approvals.length)}
            disabled={isOff}
            onClick={() => answerAll(approvals, { type: 'reject', reason: '' })}
          />
        )}
      </div>
      {calls.length > 1 && !isSeen && <p class="quiet waiting-left">{t('Look at each call first.')}</p>}
      {calls.length > 1 && left > 0 && (
        <p class="quiet waiting-left">
          {left === 1
            ? t('The other call needs a separate answer.')
            : t('The other {0} calls need separate answers.', left)}
        </p>
      )}
    </section>
  );
}

/** The calls that would run, each complete in one line. */
function CallList({ calls }: { readonly calls: readonly Waiting[] }): JSX.Element {
  return (
    <Fold summary={t('Show calls')} opens={innerHeight >= ROOMY}>
      <ul class="waiting-list" role="list" tabIndex={0} aria-label={t('Show calls')}>
        {calls.map((call) => (
          <CallLine key={call.request.call.id} call={call} />
        ))}
      </ul>
    </Fold>
  );
}

/** A call in one line. For a change it is not enough: its lines are on its card. */
function CallLine({ call: { name, request, line } }: { readonly call: Waiting }): JSX.Element {
  const { seen } = useChat();
  const item = useRef<HTMLLIElement>(null);
  useAllSeen(item, request, () => {
    if (request.preview?.type !== 'diff') seen.add(request);
  });
  return (
    <li ref={item}>
      <span {...MUST_BE_SEEN}>
        <b>{visibleText(name)}</b> <code>{line}</code>
      </span>
    </li>
  );
}

/** On a lower page the cards need the space; in pixels. */
const ROOMY = 520;

function runLabel(kind: Kind, count: number): string {
  switch (kind) {
    case 'reads':
      return t('Run all {0} reads', count);
    case 'edits':
      return t('Run all {0} edits', count);
    case 'commands':
      return t('Run all {0} commands', count);
    case 'calls':
      return t('Run all {0} calls', count);
  }
}

/** The same array while its content is the same. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const kept = useRef(list);
  const isSame = kept.current.length === list.length && kept.current.every((each, at) => each === list[at]);
  if (!isSame) kept.current = list;
  return kept.current;
}

/** The waiting call that had the focus last, also after a button took it. */
function useLastFocused(): RefObject<Element | null> {
  const last = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const note = (target: EventTarget | null): void => {
      const card = target instanceof Element ? target.closest('.call-waiting') : null;
      if (card) last.current = card;
    };
    const onFocusIn = ({ target }: FocusEvent): void => note(target);
    note(document.activeElement);
    document.addEventListener('focusin', onFocusIn);
    return () => document.removeEventListener('focusin', onFocusIn);
  }, []);
  return last;
}

/** Focuses the previous or next waiting call and scrolls it into view. */
function goFrom(last: Element | null, step: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>('.call-waiting')];
  const at = cards.findIndex((card) => card === last);
  const card = cards.at(at < 0 && step > 0 ? 0 : (at + step) % cards.length);
  card?.focus({ preventScroll: true });
  card?.scrollIntoView({ block: 'nearest' });
}
