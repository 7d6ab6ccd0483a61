import type { JSX } from 'preact';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';

interface Props {
  /** A message is on its way or a run goes on: there is something to stop. */
  readonly isBusy: boolean;
  readonly canSend: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

/** One button for both, so that whoever pressed Send has the focus on Stop. */
export function SendButton({ isBusy, canSend, onSend, onStop }: Props): JSX.Element {
  const label = isBusy ? t('Stop') : t('Send');
  const onClick = (event: MouseEvent): void => {
    // The second click of a double click on Send would stop what the first one started.
    if (event.detail > 1) return;
    if (isBusy) onStop();
    else onSend();
  };
  return (
    <button
      type="button"
      class={`icon-button ${isBusy ? 'stop' : 'send'}`}
      aria-label={label}
      title={label}
      // Not `disabled`, which would take the focus away.
      aria-disabled={!isBusy && !canSend}
      onClick={onClick}
    >
      <Icon name={isBusy ? 'debug-stop' : 'send'} />
    </button>
  );
}
