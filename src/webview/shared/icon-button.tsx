import type { JSX } from 'preact';
import { Icon } from './icon';

interface Props {
  readonly icon: string;
  /** What it does, for those who cannot see it and for those who point at it. */
  readonly label: string;
  readonly onClick: () => void;
}

/** A button that is only an icon. */
export function IconButton({ icon, label, onClick }: Props): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
