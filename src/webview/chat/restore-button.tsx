import type { JSX } from 'preact';
import { Icon } from '../shared/icon';
import { useChat } from './chat-context';

interface Props {
  readonly entry: number;
  readonly label: string;
}

/** Puts the files that were changed since back to what they were before an entry. */
export function RestoreButton({ entry, label }: Props): JSX.Element {
  const chat = useChat();
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      onClick={() => chat.post({ type: 'restore-files', entry })}
    >
      <Icon name="discard" />
    </button>
  );
}
