import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { JsonObject } from '../../src/base/json';
import { ToolError, type PreparedCall, type Tool } from '../../src/core/words/tool';
import { createEditorFiles } from '../../src/host/platform/files/files';
import { createFiles } from '../../src/node/files/files';
import { createSurroundings } from '../../src/node/surroundings';
import { builtInTools } from '../../src/tools';
import type { Files } from '../../src/tools/ports/files';
import { editRows, undecodable } from '../support/workspace/edit-rows';
import { prepareCall } from '../support/agent/prepare-call';
import { runContext } from '../support/agent/run-context';

describe('files of the editor', () => {
  let folder: string;
  let files: Files;
  let tools: readonly Tool[];

  beforeEach(async () => {
    const [open] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(open);
    const root = await realpath(open.uri.fsPath);
    folder = await mkdtemp(path.join(root, 'files-'));
    const surroundings = createSurroundings({
      roots: [root],
      isTrusted: () => true,
      commandRules: () => ({ allow: [], deny: [] }),
    });
    files = createEditorFiles(surroundings.files);
    tools = builtInTools({ ...surroundings, files });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  it('reads unsaved changes', async () => {
    const document = await open('a.txt', 'saved\n');
    await insert(document, 'unsaved ');
    assert.equal(await read('a.txt'), 'unsaved saved\n');
  });

  it('changes and saves a file without an editor', async () => {
    await put('a.txt', 'one\ntwo\n');
    assert.equal(await write('a.txt', 'one\n2\n', 'one\ntwo\n'), 'one\n2\n');
    assert.equal(await get('a.txt'), 'one\n2\n');
  });

  it('G30 makes one step that undo reverts', async () => {
    const document = await open('a.txt', 'one\ntwo\nthree\n');
    await write('a.txt', '1\ntwo\n3\n', 'one\ntwo\nthree\n');
    assert.equal(document.getText(), '1\ntwo\n3\n');
    assert.equal(document.isDirty, false);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
    await document.save();
  });

  it('G30 builds on unsaved changes', async () => {
    const document = await open('a.txt', 'one\n');
    await insert(document, 'zero\n');
    await write('a.txt', 'zero\n1\n', 'zero\none\n');
    assert.equal(await get('a.txt'), 'zero\n1\n');
    assert.equal(document.isDirty, false);
  });

  it('G30 refuses an edit if the editor has changed since its base', async () => {
    const document = await open('a.txt', 'one\n');
    await insert(document, 'mine ');
    await refused(write('a.txt', '1\n', 'one\n'), /has changed in the meantime/);
    assert.equal(document.getText(), 'mine one\n');
    assert.equal(await get('a.txt'), 'one\n');
  });

  it('G30 refuses an edit if the disk has changed since its base', async () => {
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

  for (const [name, before, made] of [
    ['line ending', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    ['the other line ending', 'one\ntwo\n', 'one\r\ntwo\r\n'],
    ['byte order mark', 'one\ntwo\n', '\ufeffone\ntwo\n'],
    ['missing byte order mark', '\ufeffone\ntwo\n', 'one\ntwo\n'],
  ] as const) {
    it(`G30.remade: keeps the ${name} of a file that was recreated while its document was open`, async () => {
      await put('a.txt', before);
      await vscode.workspace.openTextDocument(path.join(folder, 'a.txt'));
      await rm(path.join(folder, 'a.txt'));
      await put('a.txt', made);
      const text = made.replace('\ufeff', '');
      await write('a.txt', text.replace('two', '2'), text);
      assert.equal(await get('a.txt'), made.replace('two', '2'));
    });
  }

  it('shows the new text after a write that bypassed the editor', async () => {
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

  it('refuses a file that no configured encoding can read', async () => {
    await put('a.txt', Buffer.from('d\xeda', 'latin1'));
    await refused(read('a.txt'), /is not utf-8 text/);
  });

  it('reads and writes the encoding chosen in an editor', async () => {
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

  it('never replaces a file that was created meanwhile', async () => {
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

  it('G7 refuses a folder that was replaced by a link', async () => {
    await put('real/a.txt', 'one\n');
    const target = await place('real/a.txt');
    await rm(path.join(folder, 'real'), { recursive: true });
    await symlink('/tmp', path.join(folder, 'real'));
    await refused(files.writeText(target, '1\n', undefined), /refused|now leads to another place/);
  });

  for (const { name, base, left } of [
    { name: 'a change', base: 'one\n', left: 'one\n' },
    { name: 'a new file', base: undefined, left: undefined },
  ]) {
    it(`G7 reverts ${name} if its path leads elsewhere right afterwards`, async () => {
      if (base !== undefined) await put('a.txt', base);
      const target = await place('a.txt');
      const disk = createFiles({ roots: [await realpath(path.dirname(folder))] });
      let checks = 0;
      const moving = createEditorFiles({
        ...disk,
        // The third check is the one after saving.
        resolve: async (asked, use) => {
          const found = await disk.resolve(asked, use);
          return ++checks === 3 ? { ...found, resolved: `${found.resolved}-elsewhere` } : found;
        },
      });
      await refused(moving.writeText(target, 'two\n', base), /now leads to another place/);
      assert.equal(checks, 3);
      assert.equal(await get('a.txt').catch(() => undefined), left);
    });
  }

  for (const { name, before, edits, after } of editRows) {
    for (const shown of [true, false]) {
      it(`G30.bytes: keeps ${name}, ${shown ? 'shown' : 'not shown'} in an editor`, async () => {
        await put('a.txt', before);
        if (shown) {
          await vscode.window.showTextDocument(
            await vscode.workspace.openTextDocument(path.join(folder, 'a.txt')),
          );
        }
        await call('read_file', { path: pathOf('a.txt') });
        await call('edit_file', { path: pathOf('a.txt'), edits: edits.map((edit) => ({ ...edit })) });
        assert.deepEqual(await readFile(path.join(folder, 'a.txt')), after);
      });
    }
  }

  for (const { name, bytes } of undecodable) {
    it(`G30.undecodable: refuses ${name} and leaves every byte`, async () => {
      await put('a.txt', bytes);
      await refused(call('edit_file', { path: pathOf('a.txt'), old: 'two', new: '2' }), /is not .*text/);
      assert.deepEqual(await readFile(path.join(folder, 'a.txt')), bytes);
    });
  }

  for (const shown of [true, false]) {
    it(`G30.mode: keeps the mode of a program, ${shown ? 'shown' : 'not shown'} in an editor`, async () => {
      await put('a.sh', 'one two\n');
      await chmod(path.join(folder, 'a.sh'), 0o755);
      if (shown) {
        await vscode.window.showTextDocument(
          await vscode.workspace.openTextDocument(path.join(folder, 'a.sh')),
        );
      }
      await call('edit_file', { path: pathOf('a.sh'), old: 'two', new: '2' });
      assert.equal((await stat(path.join(folder, 'a.sh'))).mode & 0o7777, 0o755);
    });
  }

  it('G30.encoding: reads and writes the encoding of the settings', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('encoding', 'windows1252', vscode.ConfigurationTarget.Workspace);
    try {
      await put('a.txt', Buffer.from('d\xeda \x80\r\ntwo\r\n', 'latin1'));
      assert.equal(await read('a.txt'), 'día €\r\ntwo\r\n');
      await call('edit_file', { path: pathOf('a.txt'), old: 'two', new: 'ñ' });
      assert.deepEqual(
        await readFile(path.join(folder, 'a.txt')),
        Buffer.from('d\xeda \x80\r\n\xf1\r\n', 'latin1'),
      );
      await refused(call('edit_file', { path: pathOf('a.txt'), old: 'ñ', new: '漢' }), /cannot hold every/);
    } finally {
      await settings.update('encoding', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('G30.dirty: keeps unsaved changes of the user, and refuses an edit from before them', async () => {
    const document = await open('a.txt', 'one\ntwo\n');
    await call('read_file', { path: pathOf('a.txt') });
    await insert(document, 'mine\n');
    const edit = { path: pathOf('a.txt'), old: 'two', new: '2' };
    await refused(call('edit_file', edit), /has changed since it was read/);
    assert.equal(document.getText(), 'mine\none\ntwo\n');
    await call('read_file', { path: pathOf('a.txt') });
    await call('edit_file', edit);
    assert.equal(document.getText(), 'mine\none\n2\n');
  });

  it('G30.between: refuses if the user typed, or the disk changed, between approval and run', async () => {
    const document = await open('a.txt', 'one\ntwo\n');
    const edit = { path: pathOf('a.txt'), old: 'two', new: '2' };
    const typed = await prepare('edit_file', edit);
    await insert(document, 'mine\n');
    await refused(typed.run(context()), /has changed in the meantime/);
    assert.equal(document.getText(), 'mine\none\ntwo\n');
    await document.save();
    const written = await prepare('edit_file', edit);
    await put('a.txt', 'other\ntwo\n');
    await refused(written.run(context()), /has changed in the meantime/);
    assert.equal(await get('a.txt'), 'other\ntwo\n');
  });

  it('G30.dirty-and-disk: refuses if the file changed on disk under unsaved changes', async () => {
    const document = await open('a.txt', 'one\ntwo\n');
    await insert(document, 'mine\n');
    await put('a.txt', 'somebody else\ntwo\n');
    const edit = { path: pathOf('a.txt'), old: 'two', new: '2' };
    await assert.rejects(call('edit_file', edit));
    assert.equal(await get('a.txt'), 'somebody else\ntwo\n');
    assert.match(document.getText(), /^mine\none\n/);
  });

  it('G30.atomic: several edits are one undo step, and a failed one changes nothing', async () => {
    const document = await open('a.txt', 'one\ntwo\nthree\n');
    const edits = (last: string) => [
      { old: 'one', new: '1' },
      { old: last, new: '3' },
    ];
    await refused(call('edit_file', { path: pathOf('a.txt'), edits: edits('seven') }), /edit 2/i);
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
    assert.equal(document.isDirty, false);
    await call('edit_file', { path: pathOf('a.txt'), edits: edits('three') });
    assert.equal(document.getText(), '1\ntwo\n3\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
  });

  function pathOf(file: string): string {
    return path.join(folder, file);
  }

  function context() {
    return runContext();
  }

  async function prepare(name: string, input: JsonObject): Promise<PreparedCall> {
    const tool = tools.find(({ spec }) => spec.name === name);
    assert.ok(tool);
    return prepareCall(tool, input);
  }

  /** Returns the result of a call, with every question answered yes. */
  async function call(name: string, input: JsonObject): Promise<string> {
    return (await (await prepare(name, input)).run(context())).text;
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
