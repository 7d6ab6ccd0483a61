import type { AgentEvent } from '../../../core/words/events';
import type { RunOutcome } from '../../../core/words/outcome';
import type { Conversation } from '../../services/conversation/conversation';

/** Milliseconds after which the user may have turned to something else. */
const LONG = 30_000;

interface RunNoticeParts {
  readonly conversation: Pick<Conversation, 'onEvent' | 'onReplaced'>;
  /** Whether the user sees the chat. */
  readonly isSeen: () => boolean;
  readonly tell: (outcome: RunOutcome) => void;
  readonly now?: () => number;
}

/** Notifies the user of the end of a long run they did not watch, unless they stopped it. */
export function registerRunNotice(parts: RunNoticeParts): { dispose(): void } {
  const { conversation, isSeen, tell, now = Date.now } = parts;
  let started: number | undefined;
  const onEvent = (event: AgentEvent): void => {
    if (event.type === 'run-start' || event.type === 'run-resume') started = event.time;
    if (event.type !== 'run-end') return;
    const { outcome } = event;
    const isLong = started !== undefined && now() - started >= LONG;
    started = undefined;
    if (isLong && outcome.type !== 'aborted' && !isSeen()) tell(outcome);
  };
  const listening = [
    conversation.onEvent(onEvent),
    conversation.onReplaced(() => {
      started = undefined;
    }),
  ];
  return {
    dispose: () => {
      for (const each of listening) each.dispose();
    },
  };
}
