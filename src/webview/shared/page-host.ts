import { render, type ComponentChild } from 'preact';

/** The VS Code API of a page: messages to the extension, and a little state that survives a reload. */
export interface PageHost<Sent, State> {
  postMessage(message: Sent): void;
  getState(): State | undefined;
  setState(state: State): void;
}

/** Draws the page and passes messages of the extension to its state. */
export function showPage(state: { receive(message: unknown): void }, page: ComponentChild): void {
  window.addEventListener('message', (event: MessageEvent<unknown>) => state.receive(event.data));
  const root = document.getElementById('root');
  if (root) render(page, root);
}
