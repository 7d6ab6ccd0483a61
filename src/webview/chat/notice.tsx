import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import { Icon } from '../shared/icon';

interface Props {
  readonly icon: 'error' | 'warning' | 'info' | 'lightbulb' | 'circle-slash';
  readonly text: string;
  /** Read out at once by a screen reader. */
  readonly isAlert?: boolean;
}

/** One sentence about the conversation itself. */
export function Notice({ icon, text, isAlert = false }: Props): JSX.Element {
  return (
    <p class={`notice notice-${icon}`} role={isAlert ? 'alert' : undefined}>
      <Icon name={icon} />
      <span>{visibleText(text)}</span>
    </p>
  );
}
