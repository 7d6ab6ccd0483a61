import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { visibleText } from '../../../base/text';
import { argumentsOf, type CallPart } from '../../../core/transcript/transcript';
import { isComposing, mayTakeFocus } from '../focus';
import { t } from '../l10n';
import { memo } from '../memo';
import { ARMING } from './answer-button';
import { CallBody, isShownElsewhere } from './call-body';
import { useCallHost } from './call-context';
import { CallHeader, statusOf } from './call-header';
import { CallNotes } from './call-notes';
import { EndedCallView } from './ended-call';

interface Props {
  readonly part: CallPart;
}

/** One tool call: the request, its progress, its result. */
export const ToolCallCard = memo(({ part }: Props): JSX.Element => {
  const page = useCallHost();
  const card = useRef<HTMLDivElement>(null);
  const reason = useId();
  const { name, state } = part;
  const call = 'call' in state ? state.call : undefined;
  const status = statusOf(state);
  const isWaiting = status === 'waiting';
  useLayoutEffect(() => {
    // The group, never a button: a key that is held down must not answer.
    if (isWaiting && mayTakeFocus()) card.current?.focus({ preventScroll: true });
  }, [isWaiting]);
  const onAnswer = (): void => {
    const waiting = [...document.querySelectorAll<HTMLElement>('.call-waiting')];
    const at = waiting.findIndex((other) => other === card.current);
    const next = waiting[at + 1] ?? waiting.find((other) => other !== card.current);
    if (!next && page.movesOn && card.current?.contains(document.activeElement)) return page.requestFocus();
    (next ?? card.current)?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
  };
  const focusedAt = useRef(0);
  const onFocus = (event: FocusEvent): void => {
    if (event.target === card.current) focusedAt.current = event.timeStamp;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return page.requestFocus();
    if (!isWaiting || event.target !== card.current || isComposing(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (READING_KEYS.has(event.key) && card.current && scrollRequest(card.current))
      return event.preventDefault();
    // A user who types elsewhere has not seen the focus move.
    if (event.key.length === 1 && event.key !== ' ') return page.requestFocus();
    // Ignores a key that is held down or was meant for the previous focus.
    const isMeant = !event.repeat && event.timeStamp - focusedAt.current >= ARMING;
    if (event.key !== 'Enter') return;
    // The focus moves to the message box, which would get the key.
    event.preventDefault();
    if (isMeant) card.current?.querySelector<HTMLButtonElement>('.default-answer')?.click();
  };
  return (
    <div
      class={`call call-${status}`}
      role="group"
      aria-label={t('Tool call {0}', visibleText(name) || t('(unknown name)'))}
      aria-describedby={isWaiting ? reason : undefined}
      tabIndex={-1}
      ref={card}
      onFocusCapture={onFocus}
      onKeyDown={onKeyDown}
    >
      {state.type === 'ended' && !isShownElsewhere(part) ? (
        <EndedCallView part={part} status={status} state={state} />
      ) : (
        <>
          <CallHeader part={part} status={status} />
          {call && !isWaiting && <CallNotes call={call} isChanged={argumentsOf(state) !== call.arguments} />}
          <CallBody part={part} reasonId={reason} onAnswer={onAnswer} />
        </>
      )}
    </div>
  );
});

/** Keys that scroll the request of a focused card. */
const READING_KEYS: ReadonlySet<string> = new Set([' ', 'PageDown', 'ArrowDown']);

/** Scrolls the first part of the request that has more to read; `false` if there is none. */
function scrollRequest(card: HTMLElement): boolean {
  const boxes = [
    ...card.querySelectorAll<HTMLElement>('.asked .command-text, .asked .text-box, .asked'),
    card,
  ];
  const unread = boxes.find((box) => box.scrollTop + box.clientHeight < box.scrollHeight - 1);
  if (!unread) return false;
  unread.scrollTop += unread.clientHeight - LINE;
  return true;
}

/** Pixels that stay in view while a request is scrolled by its height. */
const LINE = 18;
