import type { JSX } from 'preact';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';

interface Props {
  readonly running: boolean;
  readonly canSend: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

/** One button for both, so that whoever pressed Send has the focus on Stop. */
export function SendButton({ running, canSend, onSend, onStop }: Props): JSX.Element {
  const label = running ? t('Stop') : t('Send');
  const onClick = (event: MouseEvent): void => {
    // The second click of a double click on Send would stop what the first one started.
    if (event.detail > 1) return;
    if (running) onStop();
    else onSend();
  };
  return (
    <button
      type="button"
      class={`icon-button ${running ? 'stop' : 'send'}`}
      aria-label={label}
      title={label}
      // Not `disabled`, which would take the focus away.
      aria-disabled={!running && !canSend}
      onClick={onClick}
    >
      <Icon name={running ? 'debug-stop' : 'send'} />
    </button>
  );
}
