import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JsonObject } from '../../src/base/json';
import { findMentions, writeMention } from '../../src/core/mentions';
import type { FileChange } from '../../src/core/words/file-change';
import { ToolError, type Tool } from '../../src/core/words/tool';
import { mentionPath } from '../../src/host/services/attachments/dropped-paths';
import { virtualSurroundings } from '../../src/host/platform/files/virtual-surroundings';
import { createSurroundings, imageName } from '../../src/node/surroundings';
import { builtInTools } from '../../src/tools';
import { planRestore, restoreFile } from '../../src/tools/files/restore-file';
import type { Surroundings } from '../../src/tools/ports/surroundings';
import { MemoryFileSystem } from '../support/vscode/memory-file-system';
import { prepareCall } from '../support/agent/prepare-call';
import { runContext } from '../support/agent/run-context';
import { ScratchWorkspace } from '../support/workspace/scratch-workspace';

const contents = {
  '.gitignore': 'build/\n*.log\n',
  'a.ts': 'first\nconst foo = 1;\nlast\n',
  'src/b.ts': 'foo(a.b);\r\nfoo\r\n',
  'src/deep/c.js': 'x foo día\n',
  'src/.gitignore': '!keep.log\n',
  'src/keep.log': 'foo kept\n',
  'note.log': 'foo\n',
  'build/d.ts': 'foo\n',
  '.env': 'foo=1\n',
  'binary.bin': Buffer.from('foo\0foo'),
  'wide.txt': Buffer.from('\ufeffa foo día\n', 'utf16le'),
};

const scheme = 'parley-memory';

describe('tools in a virtual file system', () => {
  let memory: MemoryFileSystem;
  let provider: vscode.Disposable;
  let surroundings: Surroundings;
  let tools: readonly Tool[];
  /** The same files on disk. */
  let twin: ScratchWorkspace;

  beforeEach(async () => {
    memory = new MemoryFileSystem({ '/outside.txt': 'foo\n', '/other/o.ts': 'foo\n' });
    for (const [path, content] of Object.entries(contents)) memory.put(`/ws/${path}`, Buffer.from(content));
    provider = vscode.workspace.registerFileSystemProvider(scheme, memory);
    const machine = createSurroundings({
      roots: [],
      isTrusted: () => true,
      commandRules: () => ({ allow: [], deny: [] }),
    });
    const folders = { system: { scheme, authority: 'test' }, roots: ['/ws', '/other'] };
    surroundings = { ...machine, ...virtualSurroundings(folders) };
    tools = builtInTools(surroundings);
    twin = await ScratchWorkspace.create(contents);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    provider.dispose();
    await twin.dispose();
  });

  it('return the same texts as on disk', async () => {
    for (const [name, input] of [
      ['read_file', { path: 'a.ts' }],
      ['read_file', { path: 'src/b.ts', start_line: 2 }],
      ['read_file', { path: 'wide.txt' }],
      ['read_file', { path: 'binary.bin' }],
      ['read_file', { path: 'src/c.js' }],
      ['read_file', { path: 'src' }],
      ['read_file', { path: 'missing/x.ts' }],
      ['read_folder', {}],
      ['read_folder', { depth: 3 }],
      ['read_folder', { path: 'src', include_ignored: true }],
      ['find_files', { glob: 'b.ts' }],
      ['find_files', { glob: '*.log' }],
      ['search_text', { query: 'foo', context: 1 }],
      ['search_text', { query: 'foo(', glob: 'src/*.ts', case_sensitive: true }],
      ['search_text', { query: 'foo', path: 'src/b.ts' }],
      ['search_text', { query: 'foo', path: 'scr' }],
      ['write_file', { path: 'new/deep/n.txt', content: 'new\n' }],
      ['write_file', { path: 'a.ts', content: 'other\n' }],
      ['write_file', { path: 'a.ts', content: 'first\nconst bar = 1;\nlast\n', overwrite: true }],
      ['edit_file', { path: 'src/b.ts', edits: [{ old: 'foo(a.b)', new: 'bar()' }] }],
      ['edit_file', { path: 'src/b.ts', edits: [{ old: 'nothing like it', new: 'x' }] }],
      ['edit_file', { path: 'wide.txt', edits: [{ old: 'día', new: 'ñ' }] }],
      ['move_path', { from: 'src/deep', to: 'moved/here' }],
      ['move_path', { from: 'a.ts', to: 'src/b.ts' }],
      ['delete_path', { path: 'build' }],
      ['delete_path', { path: 'nothing.txt' }],
      ['read_folder', { depth: 3 }],
      ['read_file', { path: 'src/b.ts' }],
    ] satisfies readonly (readonly [string, JsonObject])[]) {
      const expected = await twin.call(name, input).catch(messageOf);
      assert.equal(await call(name, input).catch(messageOf), expected, `${name} ${JSON.stringify(input)}`);
    }
    // What a search left out is counted on disks only.
    const none = await call('find_files', { glob: '*.none', path: 'src' });
    assert.equal(none, 'No file matches *.none in src. Ignored files were left out.');
    const nowhere = await call('search_text', { query: 'NOWHERE', case_sensitive: true });
    assert.match(nowhere, /^No line matches in \.\.\n\[Ignored, binary and secret files were left out\.\]/);
    assert.equal(memory.text('/ws/src/b.ts'), 'bar();\r\nfoo\r\n');
    assert.equal(memory.text('/ws/moved/here/c.js'), 'x foo día\n');
    assert.ok(!memory.paths.includes('/ws/build/d.ts'));
    assert.deepEqual(Buffer.from(memory.readFile(uri('/ws/wide.txt'))), await twin.bytes('wide.txt'));
  });

  it('search for no regular expression', async () => {
    await assert.rejects(
      call('search_text', { query: '(a+)+$', is_regex: true }),
      /^ToolError: A virtual workspace cannot be searched with a regular expression/,
    );
  });

  it('accept and show the other folder by its absolute path', async () => {
    const text = await call('search_text', { query: 'foo', path: `${scheme}://test/other` });
    assert.equal(
      text,
      `1 line matches in 1 file.\n${scheme}://test/other/o.ts\n  1: foo\n[Ignored, binary and secret files were left out.]`,
    );
  });

  it('resolve mentions', async () => {
    const folders = [uri('/ws'), uri('/other')].map((each) => ({ uri: each }));
    for (const [path, named] of [
      ['/ws/src/b.ts', 'src/b.ts'],
      ['/ws', '.'],
      ['/ws/..a.ts', '..a.ts'],
      ['/other/o.ts', `${scheme}://test/other/o.ts`],
    ] as const) {
      const written = mentionPath(uri(path), folders);
      assert.equal(written, named);
      assert.equal((await surroundings.files.resolve(named, 'read')).resolved, `${scheme}://test${path}`);
      const mention = { type: 'file', path: named } as const;
      assert.deepEqual(findMentions(`See ${writeMention(mention) ?? ''} here.`), [mention]);
    }
    for (const elsewhere of [
      vscode.Uri.file('/ws/a.ts'),
      uri('/wsevil/a.ts'),
      uri('/outside.txt'),
      vscode.Uri.from({ scheme, authority: 'elsewhere', path: '/ws/a.ts' }),
      vscode.Uri.parse('untitled:Untitled-1'),
    ]) {
      assert.equal(mentionPath(elsewhere, folders), undefined);
    }
  });

  for (const path of [
    '../outside.txt',
    '/outside.txt',
    `${scheme}://test/outside.txt`,
    `${scheme}://test/ws/../outside.txt`,
    `${scheme}://elsewhere/ws/a.ts`,
    'file:///etc/passwd',
    '/etc/passwd',
    'src/../../outside.txt',
    '/wsevil/a.ts',
    'link.txt',
    'link.txt/../a.ts',
  ]) {
    it(`G6.virtual: cannot reach ${path}`, async () => {
      memory.link('/ws/link.txt');
      for (const name of ['read_file', 'delete_path'])
        await assert.rejects(call(name, { path }), /^ToolError: .* is refused: /);
      await assert.rejects(call('write_file', { path, content: 'x', overwrite: true }), /is refused: /);
      assert.equal(memory.text('/outside.txt'), 'foo\n');
    });
  }

  for (const { name, input, reason } of [
    { name: 'read_file', input: { path: '.env' }, reason: 'secret file' },
    { name: 'write_file', input: { path: '.vscode/settings.json', content: '{}' }, reason: 'protected path' },
    { name: 'write_file', input: { path: 'AGENTS.md', content: 'x' }, reason: 'protected path' },
  ]) {
    it(`ask about ${input.path} as on disk`, async () => {
      const { accesses } = await prepare(name, input);
      const { verdict } = accesses[0] ?? {};
      assert.deepEqual([verdict?.decision, verdict?.reason], ['ask', reason]);
    });
  }

  it('G30 read and change unsaved text, in one step that undo reverts', async () => {
    const document = await vscode.workspace.openTextDocument(uri('/ws/a.ts'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), 'mine\n'));
    assert.match(await call('read_file', { path: 'a.ts' }), /mine/);
    await call('edit_file', { path: 'a.ts', edits: [{ old: 'const foo', new: 'const bar' }] });
    assert.equal(memory.text('/ws/a.ts'), 'mine\nfirst\nconst bar = 1;\nlast\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'mine\nfirst\nconst foo = 1;\nlast\n');
    await document.save();
  });

  it('know problems and symbols', async () => {
    const diagnostics = vscode.languages.createDiagnosticCollection('virtual');
    const range = new vscode.Range(1, 0, 1, 5);
    diagnostics.set(uri('/ws/a.ts'), [new vscode.Diagnostic(range, 'Too plain.')]);
    diagnostics.set(uri('/outside.txt'), [new vscode.Diagnostic(range, 'Elsewhere.')]);
    const symbols = vscode.languages.registerDocumentSymbolProvider(
      { scheme },
      {
        provideDocumentSymbols: () => [
          new vscode.DocumentSymbol('foo', '', vscode.SymbolKind.Constant, range, range),
        ],
      },
    );
    try {
      const text = await call('get_problems', {});
      assert.match(text, /a\.ts[^]*Too plain\./);
      assert.doesNotMatch(text, /Elsewhere/);
      assert.match(await call('get_symbols', { path: 'a.ts' }), /constant foo/);
    } finally {
      diagnostics.dispose();
      symbols.dispose();
    }
  });

  it('say that no command can run', async () => {
    await assert.rejects(call('run_shell_command', { command: 'ls' }), {
      name: 'ToolError',
      message:
        'No command can run here: the folder is in a virtual file system, which no process can work on. Use the tools for files.',
    });
  });

  it('change files that can be restored', async () => {
    const kept = new Map<string, Uint8Array>();
    const keep = async (bytes: Uint8Array): Promise<boolean> => kept.set(imageName(bytes), bytes).size > 0;
    const images = { nameOf: imageName, keep, read: async (image: string) => kept.get(image) };
    tools = builtInTools({ ...surroundings, images });
    const changes: FileChange[] = [];
    const record = (change: FileChange): unknown => changes.push(change);
    await call('edit_file', { path: 'a.ts', edits: [{ old: 'foo', new: 'bar' }] }, record);
    await call('write_file', { path: 'n.txt', content: 'new' }, record);
    const ended = changes.flatMap((change) =>
      change.after === undefined ? [] : [{ ...change, isShared: false }],
    );
    const shelf = { files: surroundings.files, images };
    const plan = await planRestore(ended, shelf);
    assert.deepEqual([plan.files.length, plan.left], [2, []]);
    for (const file of plan.files) assert.equal((await restoreFile(file, shelf)).why, undefined);
    assert.equal(memory.text('/ws/a.ts'), contents['a.ts']);
    assert.equal(memory.text('/ws/n.txt'), undefined);
  });

  function uri(path: string): vscode.Uri {
    return vscode.Uri.from({ scheme, authority: 'test', path });
  }

  async function prepare(name: string, input: JsonObject) {
    const tool = tools.find(({ spec }) => spec.name === name);
    assert.ok(tool, name);
    return prepareCall(tool, input);
  }

  async function call(
    name: string,
    input: JsonObject,
    onFileChange?: (change: FileChange) => unknown,
  ): Promise<string> {
    const context = runContext(new AbortController().signal);
    const prepared = await prepare(name, input);
    const { text } = await prepared.run(onFileChange ? { ...context, onFileChange } : context);
    return text;
  }
});

function messageOf(error: unknown): string {
  if (error instanceof ToolError) return `ToolError: ${error.message}`;
  throw error;
}
