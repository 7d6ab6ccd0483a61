import type { JSX } from 'preact';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';

interface Props {
  readonly onQueue: () => void;
  /** Nothing while there is no run yet that could be interrupted. */
  readonly onInterrupt: (() => void) | undefined;
}

/** What can be done with a message while another is on its way or a run goes on. */
export function BusyButtons({ onQueue, onInterrupt }: Props): JSX.Element {
  return (
    <>
      {onInterrupt && (
        <button
          type="button"
          class="icon-button"
          aria-label={t('Interrupt and send')}
          title={t('Interrupt and send (Ctrl+Enter)')}
          onClick={onInterrupt}
        >
          <Icon name="debug-restart" />
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={t('Queue message')}
        title={t('Queue message (Enter)')}
        onClick={onQueue}
      >
        <Icon name="list-ordered" />
      </button>
    </>
  );
}
