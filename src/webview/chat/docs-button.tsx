import type { JSX } from 'preact';
import type { LinkedPage } from '../../contract/chat';
import { useChat } from './chat-context';

/** Opens a page of the documentation in the editor. */
export function DocsButton({
  page,
  label,
}: {
  readonly page: LinkedPage;
  readonly label: string;
}): JSX.Element {
  const chat = useChat();
  return (
    <button type="button" class="link-button" onClick={() => chat.post({ type: 'open-docs', page })}>
      {label}
    </button>
  );
}
