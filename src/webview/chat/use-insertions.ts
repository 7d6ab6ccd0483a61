import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { useChat } from './chat-context';
import { insertText } from './insert-text';

/** Puts what the editor adds into the message box: behind the caret, or what is selected there, so nothing is lost. */
export function useInsertions(box: RefObject<HTMLTextAreaElement | null>): void {
  const chat = useChat();
  const insertions = chat.insertions.value;
  useLayoutEffect(() => {
    const area = box.current;
    if (area === null || insertions.length === 0) return;
    for (const added of insertions) {
      const { text, caret } = insertText(area.value, area.selectionEnd, added);
      area.value = text;
      area.setSelectionRange(caret, caret);
    }
    chat.insertions.value = [];
    chat.write(area.value);
    area.focus();
  }, [insertions]);
}
