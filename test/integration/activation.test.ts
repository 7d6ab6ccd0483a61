import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../src/manifest/commands';

/** Bundles that wait for their first use. */
const LAZY = [
  'openai.js',
  'models.js',
  'protocols.js',
  'picker.js',
  'shell.js',
  'tools.js',
  'sessions.js',
  'editor.js',
  'lab.js',
];

describe('activation', () => {
  it('registers every command and loads no bundle that can wait', async () => {
    const extension = vscode.extensions.getExtension('parley.parley');
    assert.ok(extension);
    await extension.activate();
    const known = new Set(await vscode.commands.getCommands(true));
    for (const id of Object.keys(commands)) assert.ok(known.has(`parley.${id}`), id);
    // It may have been reached through a link.
    const dist = path.join(realpathSync(extension.extensionPath), 'dist');
    const loaded = Object.keys(require.cache).filter((file) => path.dirname(file) === dist);
    assert.deepEqual(
      loaded.map((file) => path.basename(file)).filter((file) => LAZY.includes(file)),
      [],
    );
    // Looking for models of VS Code would start whoever provides some.
    assert.equal(vscode.extensions.getExtension('parley-test.chat-models')?.isActive, false);
    assert.ok(loaded.includes(path.join(dist, 'extension.js')));
  });
});
