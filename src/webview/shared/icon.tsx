import type { JSX } from 'preact';

/** A codicon. Decorative: its meaning is in text or in the label of its button. */
export function Icon({
  name,
  spin = false,
}: {
  readonly name: string;
  readonly spin?: boolean;
}): JSX.Element {
  return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}

interface IconButtonProps {
  readonly icon: string;
  /** Its action, as accessible name and tooltip. */
  readonly label: string;
  readonly onClick: () => void;
}

/** An icon button. */
export function IconButton({ icon, label, onClick }: IconButtonProps): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
