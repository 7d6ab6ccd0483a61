import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { insertCode } from '../../src/host/ui/apply-code/insert-code';

describe('code of a reply in the editor', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('is inserted at every cursor, and one undo reverts it', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'one two one' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selections = [new vscode.Selection(0, 0, 0, 3), new vscode.Selection(0, 8, 0, 11)];
    await insertCode('let a;\nlet b;');
    assert.equal(document.getText(), 'let a;\nlet b; two let a;\nlet b;');
    assert.equal(vscode.window.activeTextEditor, editor);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one two one');
  });
});
