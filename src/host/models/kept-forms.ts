import type * as vscode from 'vscode';
import type { FormBook } from '../../models/form/forcing';
import { withAddress, type KnownForms, type ModelProfile } from '../../models/profiles';

const KEY = 'parley.forcedForms';

/** Maximum number of models; the most recent ones are kept. */
const MOST_KEPT = 50;

/**
 * What was found out about enforcing the form of a model's replies, across windows and restarts; a new server version
 * is tested again. `onWrite` is called on changes.
 */
export function keptForms(memory: vscode.Memento, profile: ModelProfile, onWrite: () => void): FormBook {
  const name = nameOf(profile);
  return {
    read: (type) => knownForms(memory, profile)[type],
    write: (type, support) => {
      const known = knownForms(memory, profile);
      if (known[type] === support) return;
      const { [name]: _, ...others } = memory.get<Record<string, KnownForms>>(KEY, {});
      const kept = Object.entries(others).slice(1 - MOST_KEPT);
      void memory.update(KEY, Object.fromEntries([...kept, [name, { ...known, [type]: support }]]));
      onWrite();
    },
  };
}

/** What is known about a profile's model. */
export function knownForms(memory: vscode.Memento, profile: ModelProfile): KnownForms {
  return memory.get<Record<string, KnownForms>>(KEY, {})[nameOf(profile)] ?? {};
}

function nameOf(profile: ModelProfile): string {
  const { provider, baseUrl, model, facts } = withAddress(profile);
  return JSON.stringify([provider, baseUrl, model, facts?.kind, facts?.version]);
}
