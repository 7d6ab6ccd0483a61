import type * as vscode from 'vscode';

/** The state of a window that stores nothing. */
export const emptyMemento: vscode.Memento = {
  keys: () => [],
  // SAFETY: nothing is stored, so `get` always returns the fallback.
  get: <T>(_: string, fallback?: T) => fallback as T,
  update: async () => undefined,
};
