import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ToolError } from '../../src/core/words/tool';
import { createEditorFiles } from '../../src/host/platform/files/files';
import { createFiles } from '../../src/node/files/files';
import type { Files, Snapshot } from '../../src/tools/ports/files';

/** File contents in bytes, and how the user changed them before the restore. */
const contents: readonly { readonly name: string; readonly bytes: Buffer; readonly other: Buffer }[] = [
  { name: 'LF', bytes: Buffer.from('one\ntwo\n'), other: Buffer.from('one\n2\nthree\n') },
  { name: 'CRLF', bytes: Buffer.from('one\r\ntwo\r\n'), other: Buffer.from('one\r\n2\r\n') },
  { name: 'CRLF instead of LF', bytes: Buffer.from('one\r\ntwo\r\n'), other: Buffer.from('one\n2\n') },
  { name: 'CRLF alone', bytes: Buffer.from('one\r\ntwo'), other: Buffer.from('one\ntwo') },
  { name: 'mixed line endings', bytes: Buffer.from('one\r\ntwo\n\r\n'), other: Buffer.from('one\r\n2\r\n') },
  { name: 'a byte order mark', bytes: Buffer.from('\ufeffone\ntwo'), other: Buffer.from('\ufeffone\n2') },
  { name: 'a removed byte order mark', bytes: Buffer.from('\ufeffone\n'), other: Buffer.from('two\n') },
  {
    name: 'UTF-16',
    bytes: Buffer.from('\ufeffdía\r\nb', 'utf16le'),
    other: Buffer.from('\ufeffdía\r\nñ', 'utf16le'),
  },
  {
    name: 'bytes that are not text',
    bytes: Buffer.from([0x64, 0xed, 0x00, 0xff]),
    other: Buffer.from('text\n'),
  },
  { name: 'nothing', bytes: Buffer.alloc(0), other: Buffer.from('one\n') },
];

describe('restored files of the editor', () => {
  let folder: string;
  let files: Files;

  beforeEach(async () => {
    const [open] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(open);
    const root = await realpath(open.uri.fsPath);
    folder = await mkdtemp(path.join(root, 'checkpoints-'));
    files = createEditorFiles(createFiles({ roots: [root] }));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  for (const { name, bytes, other } of contents) {
    for (const state of ['closed', 'open', 'unsaved'] as const) {
      it(`have exactly their old bytes: ${name}, ${state}`, async () => {
        await put('a.txt', other);
        await chmod(pathOf('a.txt'), 0o755);
        const document = state === 'closed' ? undefined : await show('a.txt');
        if (document && state === 'unsaved') await type(document, 'mine ');
        await restore('a.txt', { bytes });
        assert.deepEqual(await readFile(pathOf('a.txt')), bytes);
        assert.equal((await stat(pathOf('a.txt'))).mode & 0o777, 0o755);
        assert.deepEqual((await snapshot('a.txt'))?.bytes, bytes);
        assert.notEqual(document?.isDirty, true);
      });
    }
  }

  for (const { name, bytes, other } of contents) {
    it(`are restored and undone at once, repeatedly: ${name}`, async () => {
      await put('a.txt', other);
      const document = await show('a.txt');
      for (let round = 0; round < 3; round++) {
        for (const content of [bytes, other]) {
          await restore('a.txt', { bytes: content });
          assert.deepEqual(await readFile(pathOf('a.txt')), content);
        }
      }
      assert.equal(document.isDirty, false);
    });
  }

  it('replace what another program wrote a moment ago, and undo brings that back', async () => {
    await put('a.txt', Buffer.from('one\n'));
    const document = await show('a.txt');
    await put('a.txt', Buffer.from('one, and more\n'));
    await restore('a.txt', { bytes: Buffer.from('two\n') });
    assert.equal(await readFile(pathOf('a.txt'), 'utf8'), 'two\n');
    assert.equal(document.isDirty, false);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one, and more\n');
    await document.save();
  });

  it('replace what another program wrote, even before the editor notices it', async () => {
    // VS Code does not watch this folder. It shows the text of the new file, and does not save over a file that it
    // does not know.
    const file = '.hg/store/a.txt';
    await put(file, Buffer.from('one\ntwo\n'));
    const document = await show(file);
    await put(file, Buffer.from('one\r\ntwo\r\n'));
    await restore(file, { bytes: Buffer.from('three\r\n') });
    assert.equal(await readFile(pathOf(file), 'utf8'), 'three\r\n');
    assert.equal(document.getText(), 'three\r\n');
    assert.equal(document.isDirty, false);
    await type(document, 'and ');
    assert.ok(await document.save());
    assert.equal(await readFile(pathOf(file), 'utf8'), 'and three\r\n');
  });

  it('G30: change a document in one step that undo reverts', async () => {
    await put('a.txt', Buffer.from('one\ntwo\nthree\n'));
    const document = await show('a.txt');
    await restore('a.txt', { bytes: Buffer.from('1\ntwo\n3\n') });
    assert.equal(document.getText(), '1\ntwo\n3\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
    await document.save();
  });

  it('include unsaved changes, in the encoding of the file', async () => {
    await put('a.txt', Buffer.from('\ufeffone', 'utf16le'));
    await type(await show('a.txt'), 'unsaved ');
    assert.deepEqual((await snapshot('a.txt'))?.bytes, Buffer.from('\ufeffunsaved one', 'utf16le'));
    assert.equal(await snapshot('b.txt'), undefined);
  });

  it('are left alone if the user has typed since', async () => {
    await put('a.txt', Buffer.from('one\n'));
    const document = await show('a.txt');
    const place = await files.resolve(pathOf('a.txt'), 'write');
    await type(document, 'mine ');
    await refused(
      files.put(place, { bytes: Buffer.from('x') }, Buffer.from('one\n')),
      /has changed in the mean/,
    );
    await refused(files.put(place, undefined, Buffer.from('one\n')), /has changed in the meantime/);
    assert.equal(document.getText(), 'mine one\n');
  });

  for (const state of ['closed', 'open', 'unsaved'] as const) {
    it(`are deleted if they did not exist before: ${state}`, async () => {
      await put('a.txt', Buffer.from('one\n'));
      const document = state === 'closed' ? undefined : await show('a.txt');
      if (document && state === 'unsaved') await type(document, 'mine ');
      await restore('a.txt', undefined);
      await assert.rejects(stat(pathOf('a.txt')));
      assert.equal(await snapshot('a.txt'), undefined);
    });
  }

  it('are created again with folders and mode, even while an editor shows the deleted file', async () => {
    await put('x/a.sh', Buffer.from('one\n'));
    await show('x/a.sh');
    await rm(pathOf('x'), { recursive: true });
    await restore('x/a.sh', { bytes: Buffer.from('two\r\n'), mode: 0o750 });
    assert.deepEqual(await readFile(pathOf('x/a.sh')), Buffer.from('two\r\n'));
    await restore('y/b.sh', { bytes: Buffer.from('two\r\n'), mode: 0o750 });
    assert.equal((await stat(pathOf('y/b.sh'))).mode & 0o777, 0o750);
  });

  it('G31.links: are not restored through a link', async () => {
    await put('real/a.txt', Buffer.from('one\n'));
    await put('link/a.txt', Buffer.from('one\n'));
    const place = await files.resolve(pathOf('link/a.txt'), 'write');
    await rm(pathOf('link'), { recursive: true });
    await symlink(pathOf('real'), pathOf('link'));
    const base = Buffer.from('one\n');
    await refused(files.put(place, { bytes: Buffer.from('x') }, base), /now leads to another place/);
    await refused(files.put(place, undefined, base), /now leads to another place/);
    await refused(files.snapshot(place), /now leads to another place/);
    assert.deepEqual(await readFile(pathOf('real/a.txt')), base);
  });

  it('keep their bytes even if the editor would change them on save', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('insertFinalNewline', true, vscode.ConfigurationTarget.Workspace);
    try {
      await put('a.txt', Buffer.from('one\n'));
      await show('a.txt');
      await restore('a.txt', { bytes: Buffer.from('no line end') });
      assert.deepEqual(await readFile(pathOf('a.txt')), Buffer.from('no line end'));
    } finally {
      await settings.update('insertFinalNewline', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  /** From its current state. */
  async function restore(file: string, content: Snapshot | undefined): Promise<void> {
    const place = await files.resolve(pathOf(file), 'write');
    await files.put(place, content, (await files.snapshot(place))?.bytes);
  }

  async function snapshot(file: string): Promise<Snapshot | undefined> {
    const found = await files.snapshot(await files.resolve(pathOf(file), 'write'));
    return found && { ...found, bytes: Buffer.from(found.bytes) };
  }

  function pathOf(file: string): string {
    return path.join(folder, file);
  }

  async function put(file: string, content: Buffer): Promise<void> {
    await mkdir(path.dirname(pathOf(file)), { recursive: true });
    await writeFile(pathOf(file), content);
  }

  async function show(file: string): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(pathOf(file));
    await vscode.window.showTextDocument(document);
    return document;
  }

  async function type(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }
});

async function refused(work: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(work, (error: unknown) => error instanceof ToolError && message.test(error.message));
}
