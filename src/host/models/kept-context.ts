import type * as vscode from 'vscode';
import type { ContextMemory, Learned } from '../../core/context/known-window';
import type { ModelProfile } from '../../models/profiles';

const KEY = 'parley.learnedContext';

/** Models that something is kept of; those learned of last stay. */
const MOST_KEPT = 50;

/** What was learned of the window and the tokens of a model at its endpoint, over all windows and restarts. */
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
