import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { findMentions } from '../../src/core/mentions';
import { filesText, problemText, selectionText } from '../../src/host/ui/editor/from-editor';

describe('text that the editor adds to the message box', () => {
  let folder: string;
  /** The path in a mention. */
  let at: string;
  const own: vscode.Disposable[] = [];

  beforeEach(async () => {
    const [open] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(open);
    folder = await mkdtemp(path.join(open.uri.fsPath, 'editor-'));
    at = path.basename(folder);
  });
  afterEach(async () => {
    while (own.length > 0) own.pop()?.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  async function put(name: string, text: string): Promise<vscode.Uri> {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return vscode.Uri.file(file);
  }

  async function show(uri: vscode.Uri, selection: vscode.Selection): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { selection, preview: false });
  }

  function report(uri: vscode.Uri, line: number, message: string, severity: vscode.DiagnosticSeverity): void {
    const collection = vscode.languages.createDiagnosticCollection('test');
    own.push(collection);
    const range = new vscode.Range(line - 1, 0, line - 1, 3);
    collection.set(uri, [new vscode.Diagnostic(range, message, severity)]);
  }

  it('is the selected lines of a file, or the file without a selection', async () => {
    const uri = await put('my a.txt', 'one\ntwo\nthree\nfour\n');
    await show(uri, new vscode.Selection(1, 1, 3, 0));
    assert.equal(selectionText(), `@file:"${at}/my a.txt"#L2-3`);
    await show(uri, new vscode.Selection(1, 1, 1, 1));
    assert.equal(selectionText(), `@file:"${at}/my a.txt"`);
  });

  it('is the text itself if the document is not a file', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'one\n```\ntwo' });
    await vscode.window.showTextDocument(document, { selection: new vscode.Selection(0, 0, 2, 3) });
    assert.equal(selectionText(), '````\none\n```\ntwo\n````\n');
  });

  it('is every selected file and folder, up to the limit of a message', async () => {
    const a = await put('src/a.txt', 'one\n');
    const b = await put('b.txt', 'two\n');
    const text = await filesText([a, vscode.Uri.file(path.join(folder, 'src')), b]);
    assert.equal(text, `@file:${at}/src/a.txt @folder:${at}/src/ @file:${at}/b.txt`);
    const many = await filesText(Array.from({ length: 30 }, () => a));
    assert.equal(many?.split(' ').length, 20);
  });

  it('names files outside the workspace by the absolute path', async () => {
    const outside = vscode.Uri.file(path.dirname(path.dirname(folder)));
    assert.deepEqual(findMentions((await filesText([outside])) ?? ''), [
      { type: 'folder', path: `${outside.fsPath}/` },
    ]);
  });

  it('asks to fix the problem at the caret', async () => {
    const uri = await put('a.txt', 'one\n'.repeat(40));
    report(uri, 20, 'This is\nwrong.', vscode.DiagnosticSeverity.Error);
    await show(uri, new vscode.Selection(19, 2, 19, 2));
    const text = await problemText();
    assert.equal(text, `Fix this problem: @file:${at}/a.txt#L15-25\n${at}/a.txt:20:1 error: This is wrong.`);
  });

  it('is offered as a quick fix of errors and warnings, not of hints', async () => {
    const uri = await put('a.txt', 'one\ntwo\n');
    report(uri, 1, 'wrong', vscode.DiagnosticSeverity.Warning);
    report(uri, 2, 'faint', vscode.DiagnosticSeverity.Hint);
    await show(uri, new vscode.Selection(0, 0, 0, 0));
    const offered = async (line: number): Promise<readonly string[]> => {
      const range = new vscode.Range(line - 1, 0, line - 1, 1);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        range,
      );
      return actions
        .filter(({ command }) => command?.command === 'parley.fixProblem')
        .map(({ title }) => title);
    };
    assert.deepEqual(await offered(1), ['Fix with Parley']);
    assert.deepEqual(await offered(2), []);
  });
});
