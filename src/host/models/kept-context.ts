import type * as vscode from 'vscode';
import type { ContextMemory, Learned } from '../../core/context/known-window';
import type { ModelProfile } from '../../models/profiles';

const KEY = 'parley.learnedContext';

/** Maximum number of models; the most recent ones are kept. */
const MOST_KEPT = 50;

/** What was learned about the window and tokens of a model at its endpoint, across windows and restarts. */
export function keptContext(
  memory: vscode.Memento,
  { provider, baseUrl = '', model = '' }: ModelProfile,
): ContextMemory {
  const all = (): Readonly<Record<string, Learned>> => memory.get<Record<string, Learned>>(KEY, {});
  const name = JSON.stringify([provider, baseUrl, model]);
  return {
    read: () => all()[name] ?? {},
    write: (learned) => {
      const { [name]: _, ...others } = all();
      const kept = Object.entries(others).slice(1 - MOST_KEPT);
      void memory.update(KEY, Object.fromEntries([...kept, [name, learned]]));
    },
  };
}
