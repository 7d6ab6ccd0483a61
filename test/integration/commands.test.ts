import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { SettingsStore } from '../../src/host/platform/settings';
import { WindowTools } from '../../src/host/services/tools/window-tools';
import { sleepCommand, runningCommandLines } from '../support/processes/sleep-command';
import { runContext } from '../support/agent/run-context';

/** Ignores TERM and leaves its process group. */
const STUBBORN = `(setsid bash -c "trap '' TERM; ${sleepCommand}; ${sleepCommand}" &); trap '' TERM; seq 1 100000; while :; do ${sleepCommand}; done`;

describe('commands of a window', () => {
  let storage: string;
  let settings: SettingsStore;
  let tools: WindowTools;

  beforeEach(async () => {
    const extension = vscode.extensions.getExtension('parley.parley');
    assert.ok(extension);
    storage = await mkdtemp(path.join(tmpdir(), 'parley-storage-'));
    settings = new SettingsStore();
    const context = { extensionUri: extension.extensionUri, globalStorageUri: vscode.Uri.file(storage) };
    // SAFETY: the tools of a window use nothing else of a context.
    tools = new WindowTools(
      { context: context as vscode.ExtensionContext, settings, output: { warn: () => undefined } },
      { tools: () => [], onDidChange: () => ({ dispose: () => undefined }), refresh: () => undefined },
      () => Promise.resolve(true),
    );
  });
  afterEach(async () => {
    tools.dispose();
    await tools.endCommands();
    settings.dispose();
    await rm(storage, { recursive: true, force: true });
  });

  it('G13.shutdown: are gone after deactivation, with their output', async () => {
    const tool = (await tools.get()).resolve('run_shell_command');
    const { signal } = new AbortController();
    const call = await tool?.prepare({ command: STUBBORN, background: true }, signal);
    const output = await call?.run(runContext(signal));
    assert.match(output?.text ?? '', /^Runs in the background, log_id log-/);
    assert.ok(runningCommandLines().length > 0);
    const logs = path.join(storage, 'commands');
    assert.equal(readdirSync(logs).length, 1);

    // Like VS Code, which waits for deactivate and disposes in the meantime.
    const ended = tools.endCommands();
    tools.dispose();
    await ended;
    assert.deepEqual(runningCommandLines(), []);
    assert.ok(!existsSync(logs) || readdirSync(logs).length === 0);
  });
});
