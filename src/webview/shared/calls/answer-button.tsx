import type { JSX } from 'preact';

interface Props {
  readonly label: string;
  readonly isMain?: boolean;
  /** Id of the element that says more. */
  readonly describedBy?: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

/** One answer to a waiting call. */
export function AnswerButton({ label, isMain = false, describedBy, disabled, onClick }: Props): JSX.Element {
  /** The second click of a double click was meant for what stood here before. */
  const onFirstClick = (event: MouseEvent): void => {
    if (event.detail < 2) onClick();
  };
  return (
    <button
      type="button"
      class={isMain ? 'button' : 'button button-secondary'}
      aria-describedby={describedBy}
      disabled={disabled}
      onClick={onFirstClick}
    >
      {label}
    </button>
  );
}
