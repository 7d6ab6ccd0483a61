import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useChat } from '../chat-context';
import { messagesIn } from '../saved-state';

/**
 * Recalls earlier messages with the arrow keys, as a shell does: from an empty message box, and as long as the
 * recalled text is unchanged. Returns whether it handled the key.
 */
export function useRecall(box: RefObject<HTMLTextAreaElement | null>): (event: KeyboardEvent) => boolean {
  const chat = useChat();
  /** The recalled text, and its distance from the last message. */
  const recalled = useRef({ text: '', back: 0 });
  return (event) => {
    const area = box.current;
    const step = STEPS[event.key];
    if (area === null || step === undefined) return false;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    const { value, selectionStart, selectionEnd } = area;
    const isAtEdge =
      selectionStart === selectionEnd && (selectionStart === 0 || selectionEnd === value.length);
    if (value === '') recalled.current = { text: '', back: 0 };
    if (!isAtEdge || value !== recalled.current.text) return false;
    const said = distinct(messagesIn(chat.shown.value?.transcript.entries ?? []));
    const back = recalled.current.back + step;
    if (back < 0 || back > said.length) return false;
    const text = said[said.length - back] ?? '';
    recalled.current = { text, back };
    chat.write(text);
    area.value = text;
    area.setSelectionRange(text.length, text.length);
    event.preventDefault();
    return true;
  };
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

/** Repeated identical messages count as one step. */
function distinct(said: readonly string[]): readonly string[] {
  return said.filter((text, index) => text !== said[index - 1]);
}
