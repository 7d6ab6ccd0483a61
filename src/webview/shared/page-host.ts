/** What VS Code gives a page: a line to the extension, and a little state that survives a reload. */
export interface PageHost<Sent, State> {
  postMessage(message: Sent): void;
  getState(): State | undefined;
  setState(state: State): void;
}
