import type { ChatToHost } from '../../contract/chat';

/** What can be done with a block of code of a reply. */
export type CodeRequest = Extract<ChatToHost, { type: 'insert-code' | 'apply-code' }>;

const REQUEST = 'code-request';

/** Tells the page around a block of code what the user wants done with it. */
export function requestFor(block: Element, request: CodeRequest): void {
  block.dispatchEvent(new CustomEvent(REQUEST, { bubbles: true, detail: request }));
}

/** Returns how to stop listening. */
export function onCodeRequest(root: Element, handle: (request: CodeRequest) => void): () => void {
  const listener = (event: Event): void => {
    // SAFETY: only `requestFor` sends events of this name.
    if (event instanceof CustomEvent) handle(event.detail as CodeRequest);
  };
  root.addEventListener(REQUEST, listener);
  return () => root.removeEventListener(REQUEST, listener);
}
