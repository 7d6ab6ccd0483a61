import type { JSX } from 'preact';

/** A codicon. It is decoration: what it says stands in text or in the label of its button. */
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
  /** What it does, for those who cannot see it and for those who point at it. */
  readonly label: string;
  readonly onClick: () => void;
}

/** A button that is only an icon. */
export function IconButton({ icon, label, onClick }: IconButtonProps): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
