import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { applyCode } from '../../src/host/ui/apply-code/apply-code';
import type { ProposedCode } from '../../src/host/ui/apply-code/file-choices';
import { createEditorFiles } from '../../src/host/platform/files/files';
import { DiffView } from '../../src/host/platform/diff-view';
import { createSurroundings } from '../../src/node/surroundings';
import type { Files } from '../../src/tools/ports/files';
import { eventually } from '../support/eventually';
import { QuickInputs } from '../support/vscode/quick-inputs';

describe('code of a reply in a file', () => {
  const diffs = new DiffView();
  let folder: string;
  let files: Files;
  let inputs: QuickInputs;

  beforeEach(async () => {
    // The primary action below is that of the only notification.
    await vscode.commands.executeCommand('notifications.clearAll');
    inputs = new QuickInputs();
    const [open] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(open);
    const root = await realpath(open.uri.fsPath);
    folder = await mkdtemp(path.join(root, 'apply-'));
    const surroundings = createSurroundings({
      roots: [root],
      isTrusted: () => true,
      commandRules: () => ({ allow: [], deny: [] }),
    });
    files = createEditorFiles(surroundings.files);
  });
  afterEach(async () => {
    inputs.dispose();
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });
  after(() => diffs.dispose());

  it('is shown before it is written, and one undo reverts it', async () => {
    await put('a.txt', 'one\r\ntwo\r\n');
    const applied = begin({ code: 'one\n2', before: `In \`${inFolder('a.txt')}\`:` });
    await pickFirst();
    assert.equal(await get('a.txt'), 'one\r\ntwo\r\n');
    await answer(applied);
    assert.equal(await get('a.txt'), 'one\r\n2\r\n');
    await vscode.commands.executeCommand('undo');
    const shown = vscode.window.activeTextEditor?.document;
    assert.equal(shown?.getText(), 'one\r\ntwo\r\n');
    await shown.save();
  });

  it('creates a new file and its folders', async () => {
    const applied = begin({ code: 'one', info: `txt ${inFolder('b/c.txt')}` });
    await pickFirst();
    await answer(applied);
    assert.equal(await get('b/c.txt'), 'one\n');
  });

  it('replaces the selection of the active editor', async () => {
    await put('a.txt', 'one two three\n');
    const document = await vscode.workspace.openTextDocument(path.join(folder, 'a.txt'));
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 4, 0, 7);
    const applied = begin({ code: '2' });
    await pickFirst();
    await answer(applied);
    assert.equal(await get('a.txt'), 'one 2 three\n');
  });

  it('does not overwrite a file that changed while the user was asked', async () => {
    await put('a.txt', 'one\n');
    const applied = begin({ code: 'two', info: inFolder('a.txt') });
    await pickFirst();
    await put('a.txt', 'other\n');
    await answer(applied);
    assert.equal(await get('a.txt'), 'other\n');
  });

  it('is not written if it is a diff that does not fit', async () => {
    await put('a.txt', 'one\n');
    const applied = begin({ code: '-two\n+three', info: `diff ${inFolder('a.txt')}` });
    await acceptFirst();
    await applied;
    assert.equal(await get('a.txt'), 'one\n');
    assert.ok(!isDiffShown());
  });

  function begin(given: Partial<ProposedCode>): Promise<void> {
    const proposed = { code: '', info: '', before: '', ...given };
    return applyCode(proposed, { files, diffs, attachments: { complete: async () => [] } });
  }

  /** Picks the file that is offered first. */
  async function acceptFirst(): Promise<void> {
    const list = await inputs.list(0);
    await eventually(() => list.activeItems.length > 0);
    await inputs.accept();
  }

  /** The same; resolves when the change is shown. */
  async function pickFirst(): Promise<void> {
    await acceptFirst();
    await eventually(isDiffShown);
  }

  /** Presses `Apply`, repeatedly because the question may not be there yet. */
  async function answer(applied: Promise<void>): Promise<void> {
    await eventually(async () => {
      if (await isOver(applied)) return true;
      await vscode.commands.executeCommand('notification.acceptPrimaryAction');
      return false;
    });
  }

  function inFolder(name: string): string {
    return `${path.basename(folder)}/${name}`;
  }

  function put(name: string, text: string): Promise<void> {
    return writeFile(path.join(folder, name), text);
  }

  function get(name: string): Promise<string> {
    return readFile(path.join(folder, name), 'utf8');
  }
});

function isDiffShown(): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => input instanceof vscode.TabInputTextDiff);
}

/** Rejects like the work. */
async function isOver(work: Promise<void>): Promise<boolean> {
  const pending = {};
  return (await Promise.race([work, Promise.resolve(pending)])) !== pending;
}
