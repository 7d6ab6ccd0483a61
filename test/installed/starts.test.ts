import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../src/manifest/commands';
import { repository } from '../hosts/repository';

describe('the installed package', () => {
  let extension: vscode.Extension<unknown>;
  before(() => {
    const found = vscode.extensions.getExtension('parley.parley');
    assert.ok(found, 'It is not installed.');
    extension = found;
  });

  it('activates without the sources', async () => {
    assert.ok(
      !isInside(realpathSync(repository), realpathSync(extension.extensionPath)),
      extension.extensionPath,
    );
    await extension.activate();
    assert.ok(extension.isActive);
    const known = new Set(await vscode.commands.getCommands(true));
    for (const id of Object.keys(commands)) assert.ok(known.has(`parley.${id}`), id);
  });

  it('shows the chat', async () => {
    await vscode.commands.executeCommand('parley.chat.focus');
  });

  it('reads a file', async () => {
    assert.match(await call('parley_read_file', { path: 'notes.txt' }), /^1\t/m);
  });

  it('searches with the shipped ripgrep', async () => {
    const ripgrep = path.join(
      extension.extensionPath,
      'dist/bin',
      process.platform === 'win32' ? 'rg.exe' : 'rg',
    );
    assert.match(execFileSync(ripgrep, ['--version'], { encoding: 'utf8' }), /^ripgrep \d/);
    assert.match(await call('parley_search_text', { query: 'greet', path: 'src' }), /greet\.js/);
  });
});

function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return !relative.startsWith('..') && !path.isAbsolute(relative);
}

async function call(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}
