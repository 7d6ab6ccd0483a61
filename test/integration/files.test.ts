import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ToolError } from '../../src/core/tool';
import { createEditorFiles } from '../../src/host/files';
import { createFiles } from '../../src/node/files';
import type { Files } from '../../src/tools/workspace';

describe('files of the editor', () => {
  let folder: string;
  let files: Files;

  beforeEach(async () => {
    const [open] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(open);
    const root = await realpath(open.uri.fsPath);
    folder = await mkdtemp(path.join(root, 'files-'));
    files = createEditorFiles(createFiles({ roots: [root] }));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  it('reads what is not saved yet', async () => {
    const document = await open('a.txt', 'saved\n');
    await insert(document, 'unsaved ');
    assert.equal(await read('a.txt'), 'unsaved saved\n');
  });

  it('changes and saves a file that no editor shows', async () => {
    await put('a.txt', 'one\ntwo\n');
    assert.equal(await write('a.txt', 'one\n2\n', 'one\ntwo\n'), 'one\n2\n');
    assert.equal(await get('a.txt'), 'one\n2\n');
  });

  it('G30 makes one step that undo takes back', async () => {
    const document = await open('a.txt', 'one\ntwo\nthree\n');
    await write('a.txt', '1\ntwo\n3\n', 'one\ntwo\nthree\n');
    assert.equal(document.getText(), '1\ntwo\n3\n');
    assert.equal(document.isDirty, false);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
    await document.save();
  });

  it('G30 builds on what is not saved yet', async () => {
    const document = await open('a.txt', 'one\n');
    await insert(document, 'zero\n');
    await write('a.txt', 'zero\n1\n', 'zero\none\n');
    assert.equal(await get('a.txt'), 'zero\n1\n');
    assert.equal(document.isDirty, false);
  });

  it('G30 refuses a base that the editor has left behind', async () => {
    const document = await open('a.txt', 'one\n');
    await insert(document, 'mine ');
    await refused(write('a.txt', '1\n', 'one\n'), /has changed in the meantime/);
    assert.equal(document.getText(), 'mine one\n');
    assert.equal(await get('a.txt'), 'one\n');
  });

  it('G30 refuses a base that the disk has left behind', async () => {
    await put('a.txt', 'other\n');
    await refused(write('a.txt', '1\n', 'one\n'), /has changed in the meantime/);
    assert.equal(await get('a.txt'), 'other\n');
  });

  for (const { name, before, after } of [
    { name: 'CRLF', before: 'one\r\ntwo\r\n', after: 'one\r\n2\r\n3\r\n' },
    { name: 'mixed line endings', before: 'one\r\ntwo\nthree\r\n', after: 'one\r\n2\nthree\r\n' },
    { name: 'a missing final line break', before: 'one\ntwo', after: 'one\n2' },
    { name: 'emoji', before: 'a 😀\r\nb', after: 'a 😁\r\nb' },
  ]) {
    for (const mark of ['', '\ufeff']) {
      for (const shown of [true, false]) {
        it(`G30 keeps ${name}${mark && ' after a byte order mark'}, ${shown ? 'shown' : 'not shown'} in an editor`, async () => {
          if (shown) await open('a.txt', mark + before);
          else await put('a.txt', mark + before);
          assert.equal(await read('a.txt'), before);
          assert.equal(await write('a.txt', after, before), after);
          assert.equal(await get('a.txt'), mark + after);
          assert.equal(await read('a.txt'), after);
        });
      }
    }
  }

  it('shows the new text after a write that went past the editor', async () => {
    const document = await open('a.txt', 'one\r\ntwo\nthree\r\n');
    await write('a.txt', 'one\r\n2\nthree\r\n', 'one\r\ntwo\nthree\r\n');
    assert.equal(document.getText().replaceAll('\r\n', '\n'), 'one\n2\nthree\n');
    assert.equal(document.isDirty, false);
  });

  it('keeps UTF-16', async () => {
    const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
    await put('a.txt', utf16('día\r\nb'));
    assert.deepEqual(await files.readText(await place('a.txt')), {
      text: 'día\r\nb',
      encoding: 'utf-16le',
      byteOrderMark: true,
    });
    await write('a.txt', 'día\r\nñ', 'día\r\nb');
    assert.deepEqual(await readFile(path.join(folder, 'a.txt')), utf16('día\r\nñ'));
  });

  it('refuses what no encoding of the settings can read', async () => {
    await put('a.txt', Buffer.from('d\xeda', 'latin1'));
    await refused(read('a.txt'), /is no utf-8 text/);
  });

  it('reads and writes the encoding that an editor has chosen', async () => {
    await put('a.txt', Buffer.from('d\xeda\n', 'latin1'));
    const uri = vscode.Uri.file(path.join(folder, 'a.txt'));
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument(uri, { encoding: 'windows1252' }),
    );
    assert.equal(await read('a.txt'), 'día\n');
    await write('a.txt', 'día más\n', 'día\n');
    assert.deepEqual(await readFile(path.join(folder, 'a.txt')), Buffer.from('d\xeda m\xe1s\n', 'latin1'));
    await refused(write('a.txt', '漢\n', 'día más\n'), /cannot hold every character/);
  });

  it('creates a file with its folders', async () => {
    await write('x/y.txt', 'new\r\n', undefined);
    assert.equal(await get('x/y.txt'), 'new\r\n');
  });

  it('never replaces a file that has come to be', async () => {
    const target = await place('a.txt');
    await put('a.txt', 'other\n');
    await refused(files.writeText(target, 'new\n', undefined), /could not be created|there already/);
    assert.equal(await get('a.txt'), 'other\n');
  });

  it('finds the editor of a file that was opened through a link', async () => {
    await put('real/a.txt', 'one\n');
    await symlink(path.join(folder, 'real'), path.join(folder, 'link'));
    const document = await vscode.workspace.openTextDocument(path.join(folder, 'link/a.txt'));
    await vscode.window.showTextDocument(document);
    await insert(document, 'unsaved ');
    assert.equal(await read('real/a.txt'), 'unsaved one\n');
    await document.save();
  });

  it('G7 refuses a folder that was exchanged for a link', async () => {
    await put('real/a.txt', 'one\n');
    const target = await place('real/a.txt');
    await rm(path.join(folder, 'real'), { recursive: true });
    await symlink('/tmp', path.join(folder, 'real'));
    await refused(files.writeText(target, '1\n', undefined), /refused|leads to another place/);
  });

  for (const { name, base, left } of [
    { name: 'a change', base: 'one\n', left: 'one\n' },
    { name: 'a new file', base: undefined, left: undefined },
  ]) {
    it(`G7 takes back ${name} when its place leads elsewhere right afterwards`, async () => {
      if (base !== undefined) await put('a.txt', base);
      const target = await place('a.txt');
      const disk = createFiles({ roots: [await realpath(path.dirname(folder))] });
      let checks = 0;
      const moving = createEditorFiles({
        ...disk,
        // The third look is the one after saving.
        resolve: async (asked, use) => {
          const found = await disk.resolve(asked, use);
          return ++checks === 3 ? { ...found, resolved: `${found.resolved}-elsewhere` } : found;
        },
      });
      await refused(moving.writeText(target, 'two\n', base), /leads to another place/);
      assert.equal(checks, 3);
      assert.equal(await get('a.txt').catch(() => undefined), left);
    });
  }

  async function put(file: string, content: string | Buffer): Promise<void> {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  }

  function get(file: string): Promise<string> {
    return readFile(path.join(folder, file), 'utf8');
  }

  function place(file: string) {
    return files.resolve(path.join(folder, file), 'write');
  }

  async function read(file: string): Promise<string> {
    return (await files.readText(await place(file))).text;
  }

  async function write(file: string, text: string, base: string | undefined): Promise<string> {
    return files.writeText(await place(file), text, base);
  }

  async function open(file: string, content: string): Promise<vscode.TextDocument> {
    await put(file, content);
    const document = await vscode.workspace.openTextDocument(path.join(folder, file));
    await vscode.window.showTextDocument(document);
    return document;
  }

  async function insert(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }
});

async function refused(work: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof ToolError, String(error));
    assert.match(error.message, message);
    return true;
  });
}
