const INSERT_CODE = 'insert-code';

/** Tells the page around a block of code that the user wants it in their editor. */
export function requestInsertion(block: Element, code: string): void {
  block.dispatchEvent(new CustomEvent(INSERT_CODE, { bubbles: true, detail: code }));
}

/** Returns how to stop listening. */
export function onInsertion(root: Element, insert: (code: string) => void): () => void {
  const listener = (event: Event): void => {
    if (event instanceof CustomEvent) insert(String(event.detail));
  };
  root.addEventListener(INSERT_CODE, listener);
  return () => root.removeEventListener(INSERT_CODE, listener);
}
