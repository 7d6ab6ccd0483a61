import type { Activity } from '../../core/transcript/activity';

interface WaitingNoticeParts {
  readonly activity: { readonly onChange: (listener: (activity: Activity) => void) => { dispose(): void } };
  /** Whether the user sees the chat and is at this window. */
  readonly isSeen: () => boolean;
  readonly tell: () => void;
}

/** Tells that a run stands still until the user decides or answers, where they do not see it. Once each time. */
export function registerWaitingNotice({ activity, isSeen, tell }: WaitingNoticeParts): { dispose(): void } {
  let isTold = false;
  return activity.onChange(({ type }) => {
    if (type !== 'waiting') isTold = false;
    else if (!isTold && !isSeen()) {
      isTold = true;
      tell();
    }
  });
}
