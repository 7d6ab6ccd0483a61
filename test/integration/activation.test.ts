import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../src/manifest/commands';

describe('activation', () => {
  it('registers every command and loads the main bundle alone', async () => {
    const extension = vscode.extensions.getExtension('parley.parley');
    assert.ok(extension);
    await extension.activate();
    const known = new Set(await vscode.commands.getCommands(true));
    for (const id of Object.keys(commands)) assert.ok(known.has(`parley.${id}`), id);
    // The path may contain a link.
    const dist = path.join(realpathSync(extension.extensionPath), 'dist');
    const loaded = Object.keys(require.cache).filter((file) => path.dirname(file) === dist);
    assert.deepEqual(
      loaded.map((file) => path.basename(file)),
      ['extension.js'],
    );
    // A search for VS Code's models would activate the extensions that provide them.
    assert.equal(vscode.extensions.getExtension('parley-test.chat-models')?.isActive, false);
  });
});
