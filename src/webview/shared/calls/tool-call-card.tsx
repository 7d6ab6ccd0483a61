import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { visibleText } from '../../../base/text';
import { argumentsOf, type CallPart } from '../../../core/transcript/transcript';
import { mayTakeFocus } from '../focus';
import { t } from '../l10n';
import { memo } from '../memo';
import { CallBody } from './call-body';
import { useCallHost } from './call-context';
import { CallHeader, statusOf } from './call-header';
import { CallNotes } from './call-notes';

interface Props {
  readonly part: CallPart;
}

/** One call of a tool: what is asked, how far it is, what came of it. */
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
    const next = waiting.find((other) => other !== card.current);
    (next ?? card.current)?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') page.requestFocus();
  };
  return (
    <div
      class={`call call-${status}`}
      role="group"
      aria-label={t('Tool call {0}', visibleText(name) || t('of unknown name'))}
      aria-describedby={isWaiting ? reason : undefined}
      tabIndex={-1}
      ref={card}
      onKeyDown={onKeyDown}
    >
      <CallHeader part={part} status={status} />
      {call && <CallNotes call={call} isChanged={argumentsOf(state) !== call.arguments} />}
      <CallBody part={part} reasonId={reason} onAnswer={onAnswer} />
    </div>
  );
});
