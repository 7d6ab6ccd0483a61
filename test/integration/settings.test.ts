import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { SettingsStore } from '../../src/host/platform/settings';

/** Writes the workspace's settings.json like an editor, and waits until VS Code has read it. */
async function writeWorkspaceSettings(values: object): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const file = path.join(folder.uri.fsPath, '.vscode', 'settings.json');
  await mkdir(path.dirname(file), { recursive: true });
  // A counter makes every write a change, even one that removes everything.
  const sign = ++count;
  const text = JSON.stringify({ ...values, 'editor.rulers': [sign] });
  const changed = new Promise<void>((resolve) => {
    const listening = vscode.workspace.onDidChangeConfiguration((event) => {
      // Reading a half-written file is a change too.
      const rulers = vscode.workspace.getConfiguration('editor').get<number[]>('rulers');
      if (!event.affectsConfiguration('editor.rulers') || rulers?.[0] !== sign) return;
      listening.dispose();
      resolve();
    });
  });
  await writeFile(file, text);
  await changed;
}
let count = 0;

describe('settings', () => {
  let settings: SettingsStore;
  beforeEach(() => (settings = new SettingsStore()));
  afterEach(() => settings.dispose());
  after(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (folder) await rm(path.join(folder.uri.fsPath, '.vscode'), { recursive: true, force: true });
  });

  it('follows the workspace in what it may decide, and notifies listeners', async () => {
    let told = 0;
    const listening = settings.onChange(['toolCalling.toolToggles'], () => told++);
    await writeWorkspaceSettings({ 'parley.toolCalling.toolToggles': { shell: false } });
    listening.dispose();
    assert.deepEqual(settings.get('toolCalling.toolToggles'), { shell: false });
    assert.equal(told, 1);
  });

  it('G3.user-scope: ignores the workspace for user settings', async () => {
    await writeWorkspaceSettings({
      'parley.toolCalling.mode': 'manual',
      'parley.toolCalling.requireConfirmation': false,
      'parley.approvals.allowCommands': ['rm'],
      'parley.models': [{ id: 'evil', provider: 'openai', baseUrl: 'http://127.0.0.1:1', model: 'm' }],
    });
    assert.equal(settings.get('toolCalling.mode'), 'auto');
    assert.equal(settings.get('toolCalling.requireConfirmation'), true);
    assert.deepEqual(settings.get('approvals.allowCommands'), []);
    assert.deepEqual(settings.get('models'), []);
  });

  it('G3.deny-rules: lets the workspace add deny rules but not remove any', async () => {
    await writeWorkspaceSettings({ 'parley.approvals.denyCommands': ['curl'] });
    const denied = settings.get('approvals.denyCommands');
    assert.ok(denied.includes('curl') && denied.includes('sudo'));
  });

  it('G9.added: lets the workspace add names of secret files but not remove any', async () => {
    const configuration = vscode.workspace.getConfiguration('parley');
    const write = (value: unknown) =>
      configuration.update('approvals.secretFiles', value, vscode.ConfigurationTarget.Global);
    await write(['*.kdbx']);
    try {
      await writeWorkspaceSettings({ 'parley.approvals.secretFiles': ['*.vault'] });
      assert.deepEqual(settings.get('approvals.secretFiles'), ['*.kdbx', '*.vault']);
      // Paths and slow patterns are not accepted.
      for (const pattern of ['', 'a/b', 'a\\b', '*a*b*', 'x'.repeat(101)]) {
        await writeWorkspaceSettings({ 'parley.approvals.secretFiles': [pattern] });
        assert.deepEqual(settings.get('approvals.secretFiles'), ['*.kdbx', '*.vault'], pattern);
        assert.match(settings.problems().join(), /parley\.approvals\.secretFiles/);
      }
    } finally {
      await write(undefined);
    }
  });

  it('keeps the last valid value while a setting is malformed', async () => {
    await writeWorkspaceSettings({ 'parley.toolCalling.enabled': false });
    assert.equal(settings.get('toolCalling.enabled'), false);
    await writeWorkspaceSettings({ 'parley.toolCalling.enabled': 'perhaps' });
    assert.equal(settings.get('toolCalling.enabled'), false);
    await writeWorkspaceSettings({});
    assert.equal(settings.get('toolCalling.enabled'), true);
  });

  it('falls back to the default of a malformed setting and says what is wrong', async () => {
    await writeWorkspaceSettings({ 'parley.toolCalling.enabled': 'perhaps' });
    assert.equal(settings.get('toolCalling.enabled'), true);
    assert.deepEqual(settings.problems(), [
      'The setting "parley.toolCalling.enabled" is invalid: expected boolean, received string. Fix it in the settings.',
    ]);
  });

  it('G3.user-scope: adds rules only to the user settings, and not to malformed ones', async () => {
    const configuration = () => vscode.workspace.getConfiguration('parley');
    const write = (value: unknown) =>
      configuration().update('approvals.allowCommands', value, vscode.ConfigurationTarget.Global);
    await writeWorkspaceSettings({ 'parley.approvals.allowCommands': ['rm'] });
    try {
      await write(['git log']);
      await settings.addForUser('approvals.allowCommands', ['git status', 'git log']);
      const found = configuration().inspect('approvals.allowCommands');
      assert.deepEqual(found?.globalValue, ['git log', 'git status']);
      assert.deepEqual(settings.get('approvals.allowCommands'), ['git log', 'git status']);
      await write('git');
      await assert.rejects(settings.addForUser('approvals.allowCommands', ['ls']), /is invalid/);
      assert.equal(configuration().inspect('approvals.allowCommands')?.globalValue, 'git');
    } finally {
      await write(undefined);
    }
  });

  it('writes a choice into the workspace settings, and removes it', async () => {
    await writeWorkspaceSettings({});
    await settings.choose('toolCalling.toolToggles', { read_file: false });
    assert.deepEqual(settings.chosen('toolCalling.toolToggles'), { read_file: false });
    await settings.choose('toolCalling.toolToggles', undefined);
    assert.equal(settings.chosen('toolCalling.toolToggles'), undefined);
  });
});
