import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useChat } from '../chat-context';
import { messagesIn } from '../saved-state';

/**
 * Goes through the earlier messages of the conversation by the arrow keys, as a shell does: from an empty message box,
 * and on as long as nothing is changed in it. Tells whether the key was meant for that.
 */
export function useRecall(box: RefObject<HTMLTextAreaElement | null>): (event: KeyboardEvent) => boolean {
  const chat = useChat();
  /** What was put into the box, and how many messages before the end it stands. */
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

/** What was said several times in a row is one step. */
function distinct(said: readonly string[]): readonly string[] {
  return said.filter((text, index) => text !== said[index - 1]);
}
