import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { visibleText } from '../../base/visible-text';
import type { CallPart } from '../../core/transcript';
import { t } from '../shared/l10n';
import { memo } from '../shared/memo';
import { CallBody } from './call-body';
import { CallHeader } from './call-header';
import { CallNotes } from './call-notes';
import { statusOf } from './call-status';

interface Props {
  readonly part: CallPart;
}

/** One call of a tool: what is asked, how far it is, what came of it. */
export const ToolCallCard = memo(({ part }: Props): JSX.Element => {
  const card = useRef<HTMLDivElement>(null);
  const { name, state } = part;
  const call = 'call' in state ? state.call : undefined;
  const status = statusOf(state);
  return (
    <div
      class={`call call-${status}`}
      role="group"
      aria-label={t('Tool call {0}', visibleText(name) || t('of unknown name'))}
      tabIndex={-1}
      ref={card}
    >
      <CallHeader part={part} status={status} />
      {call && <CallNotes call={call} />}
      <CallBody part={part} onAnswer={() => card.current?.focus()} />
    </div>
  );
});
