import type * as vscode from 'vscode';
import type { FormBook } from '../../models/form/forcing';
import { withAddress, type KnownForms, type ModelProfile } from '../../models/profiles';

const KEY = 'parley.forcedForms';

/** Models that something is kept of; those found out last stay. */
const MOST_KEPT = 50;

/**
 * What was found out about holding the replies of a model to a form, over all windows and restarts; a server of another
 * version is asked anew. `onWrite` is told of news.
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

/** What is known of a profile's model. */
export function knownForms(memory: vscode.Memento, profile: ModelProfile): KnownForms {
  return memory.get<Record<string, KnownForms>>(KEY, {})[nameOf(profile)] ?? {};
}

function nameOf(profile: ModelProfile): string {
  const { provider, baseUrl, model, facts } = withAddress(profile);
  return JSON.stringify([provider, baseUrl, model, facts?.kind, facts?.version]);
}
