import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { useChat } from '../chat-context';

/** Inserts text from the editor at the caret, replacing the selection, so nothing else is lost. */
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

/** Inserts a text at an offset, separated by a blank or line break if needed, and returns where it ends. */
export function insertText(text: string, at: number, added: string): { text: string; caret: number } {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const hasLines = added.includes('\n');
  const gap = hasLines ? '\n' : ' ';
  const isApart = before === '' || before.endsWith('\n') || (!hasLines && /\s$/.test(before));
  const start = isApart ? before : `${before}${gap}`;
  const end = /\s$/.test(added) ? '' : gap;
  const isFollowed = end !== '' && /^\s/.test(after);
  const written = `${start}${added}${isFollowed ? '' : end}`;
  return { text: `${written}${after}`, caret: written.length + (isFollowed ? 1 : 0) };
}
