import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

interface AnswerButtonProps {
  readonly label: string;
  readonly isMain?: boolean;
  /** The answer that Enter gives while the call itself has the focus. */
  readonly isDefault?: boolean;
  readonly title?: string | undefined;
  /** Id of the element with details. */
  readonly describedBy?: string | undefined;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

/** One answer to a waiting call. */
export function AnswerButton({
  label,
  isMain = false,
  isDefault = false,
  title,
  describedBy,
  disabled,
  onClick,
}: AnswerButtonProps): JSX.Element {
  /** The second click of a double click was meant for the previous button. */
  const onFirstClick = (event: MouseEvent): void => {
    if (event.detail < 2) onClick();
  };
  return (
    <button
      type="button"
      class={`button${isMain ? '' : ' button-secondary'}${isDefault ? ' default-answer' : ''}`}
      title={title}
      aria-keyshortcuts={isDefault ? 'Enter' : undefined}
      aria-describedby={describedBy}
      disabled={disabled}
      onClick={onFirstClick}
    >
      {label}
    </button>
  );
}

/** Milliseconds in which a click or key was meant for what was here before. */
export const ARMING = 400;

/** `false` for a moment after each of these has changed: buttons that just appeared or moved accept no answer yet. */
export function useArmed(...changes: readonly unknown[]): boolean {
  const [isArmed, setArmed] = useState(false);
  useLayoutEffect(() => {
    setArmed(false);
    const timer = setTimeout(() => setArmed(true), ARMING);
    return () => clearTimeout(timer);
  }, changes);
  return isArmed;
}
