import { deepEqual, equal } from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { AllowCommands } from '../../../../../src/core/words/verdict';
import { WorkspacePermissions } from '../../../../../src/host/services/choices/workspace-permissions';

/** A memento that copies what it stores, as one on disk does. */
function memory(): vscode.Memento {
  const stored = new Map<string, string>();
  return {
    keys: () => [...stored.keys()],
    // SAFETY: tests read what they wrote.
    get: <T>(key: string, fallback?: T) =>
      (stored.has(key) ? JSON.parse(stored.get(key) ?? '') : fallback) as T,
    update: async (key, value) => {
      if (value === undefined) stored.delete(key);
      else stored.set(key, JSON.stringify(value));
    },
  };
}

const grant = (...texts: readonly string[]): AllowCommands => ({
  type: 'allow-commands',
  scope: 'workspace',
  rules: texts.map((text) => ({ text, runsCode: false })),
});

describe('permissions of a workspace', () => {
  it('G4: hold in the folder they were given in, and in no other, alone or beside it', async () => {
    const store = memory();
    let folders = ['file:///a'];
    const permissions = new WorkspacePermissions(store, () => folders);
    await permissions.add(grant('git log'), 5);
    deepEqual(permissions.rules, [{ text: 'git log', runsCode: false, since: 5 }]);
    for (const [now, count] of [
      [['file:///b'], 0],
      [['file:///a', 'file:///b'], 0],
      [[], 0],
      [['file:///a'], 1],
    ] as const) {
      folders = [...now];
      equal(permissions.grants.flatMap(({ rules }) => rules).length, count, now.join());
    }
    deepEqual(new WorkspacePermissions(store, () => ['file:///a']).rules, permissions.rules);
  });

  it('keep the time of the first permission, and forget what is taken back', async () => {
    const store = memory();
    const permissions = new WorkspacePermissions(store, () => ['file:///a']);
    await permissions.add(grant('git log'), 5);
    await permissions.add(grant('git log', 'wc'), 9);
    deepEqual(
      permissions.rules.map(({ text, since }) => [text, since]),
      [
        ['git log', 5],
        ['wc', 9],
      ],
    );
    await permissions.remove('git log');
    await permissions.remove('wc');
    deepEqual([permissions.grants, store.keys()], [[], []]);
  });

  it('keep nothing where no folder is open', async () => {
    const store = memory();
    await new WorkspacePermissions(store, () => []).add(grant('git log'));
    deepEqual(store.keys(), []);
  });
});
