import type { Activity } from '../../../core/transcript/activity';

interface WaitingNoticeParts {
  readonly activity: { readonly onChange: (listener: (activity: Activity) => void) => { dispose(): void } };
  /** Whether the user sees the chat and this window has the focus. */
  readonly isSeen: () => boolean;
  readonly tell: () => void;
}

/** Notifies the user once per wait that a run needs a decision or answer, if they do not see it. */
export function registerWaitingNotice({ activity, isSeen, tell }: WaitingNoticeParts): { dispose(): void } {
  let isShown = false;
  return activity.onChange(({ type }) => {
    if (type !== 'waiting') isShown = false;
    else if (!isShown && !isSeen()) {
      isShown = true;
      tell();
    }
  });
}
