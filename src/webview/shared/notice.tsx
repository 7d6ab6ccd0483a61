import type { ComponentChildren, JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import { Icon } from './icon';

interface Props {
  readonly icon: 'error' | 'warning' | 'info' | 'lightbulb' | 'circle-slash' | 'fold' | 'history';
  readonly text: string;
  /** Read out at once by a screen reader. */
  readonly isAlert?: boolean;
  /** What can be done about it. */
  readonly children?: ComponentChildren;
}

/** One sentence about the conversation itself. */
export function Notice({ icon, text, isAlert = false, children }: Props): JSX.Element {
  return (
    <div class={`notice notice-${icon}`} role={isAlert ? 'alert' : undefined}>
      <Icon name={icon} />
      <div class="notice-body">
        <p>{visibleText(text)}</p>
        {children}
      </div>
    </div>
  );
}
