import type * as vscode from 'vscode';

/** What a window remembers that remembers nothing. */
export const forgetful: vscode.Memento = {
  keys: () => [],
  // SAFETY: nothing was kept, so the fallback is all there is.
  get: <T>(_: string, fallback?: T) => fallback as T,
  update: async () => undefined,
};
