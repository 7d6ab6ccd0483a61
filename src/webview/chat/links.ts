import { useChat } from './chat-context';

/** A click or Enter on a link asks the host to open it: the page itself never goes anywhere. */
export function useLinks(): (event: MouseEvent | KeyboardEvent) => void {
  const chat = useChat();
  return (event) => {
    if (event instanceof KeyboardEvent && event.key !== 'Enter') return;
    const link = event.target instanceof Element ? event.target.closest('[data-url]') : null;
    const url = link?.getAttribute('data-url');
    if (!url) return;
    event.preventDefault();
    chat.post({ type: 'open-link', url });
  };
}
