import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { JsonObject } from '../../src/base/json';
import { ToolError, type Tool } from '../../src/core/words/tool';
import { createEditorFiles } from '../../src/host/platform/files/files';
import { createLanguages } from '../../src/host/platform/files/languages';
import { createEditorMoves } from '../../src/host/platform/files/move-files';
import { createSurroundings } from '../../src/node/surroundings';
import { builtInTools } from '../../src/tools';
import { prepareCall } from '../support/agent/prepare-call';
import { runContext } from '../support/agent/run-context';
import { folderSnapshot } from '../support/workspace/folder-snapshot';
import { eventually } from '../support/eventually';
import { letTimePass } from '../support/turns';

const SILENCE =
  '[No language service reported anything new about it in 3 s. It may still be working, or check only open files.]';

describe('tools in the editor', () => {
  let folder: string;
  let tools: readonly Tool[];
  let languages: ReturnType<typeof createLanguages>;

  beforeEach(async () => {
    const [open] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(open);
    const root = await realpath(open.uri.fsPath);
    folder = await mkdtemp(path.join(root, 'tools-'));
    const surroundings = createSurroundings({
      roots: [root],
      isTrusted: () => true,
      commandRules: () => ({ allow: [], deny: [] }),
      web: { isAllowedAddress: (address) => address === '127.0.0.1' },
    });
    const disk = surroundings.files;
    const files = { ...createEditorFiles(disk), ...createEditorMoves(disk) };
    languages = createLanguages();
    tools = builtInTools({ ...surroundings, files, languages });
  });
  afterEach(async () => {
    languages.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  it('moves a file, and its editor follows', async () => {
    await open('a.txt', 'one\n');
    await call('move_path', { from: at('a.txt'), to: at('new/deep/b.txt') });
    assert.deepEqual(folderSnapshot(folder), ['new/', 'new/deep/', 'new/deep/b.txt: one\n']);
    assert.deepEqual(tabs(), ['new/deep/b.txt']);
  });

  it('moves a folder, and the editors of its files follow', async () => {
    await open('lib/a.txt', 'one\n');
    await call('move_path', { from: at('lib'), to: at('src') });
    assert.deepEqual(folderSnapshot(folder), ['src/', 'src/a.txt: one\n']);
    assert.deepEqual(tabs(), ['src/a.txt']);
  });

  it('G30 moves a file with its unsaved changes', async () => {
    const document = await open('a.txt', 'one\n');
    await insert(document, 'mine ');
    await call('move_path', { from: at('a.txt'), to: at('b.txt') });
    assert.deepEqual(tabs(), ['b.txt']);
    const moved = await vscode.workspace.openTextDocument(path.join(folder, 'b.txt'));
    assert.equal(moved.getText(), 'mine one\n');
    await moved.save();
    assert.deepEqual(folderSnapshot(folder), ['b.txt: mine one\n']);
  });

  it('moves links themselves, even broken ones', async () => {
    await put('lib/a.txt', 'one\n');
    await symlink('lib', path.join(folder, 'link'));
    await symlink('nowhere', path.join(folder, 'lost'));
    await call('move_path', { from: at('link'), to: at('other') });
    await call('move_path', { from: at('lost'), to: at('gone') });
    assert.deepEqual(folderSnapshot(folder), ['gone -> nowhere', 'lib/', 'lib/a.txt: one\n', 'other -> lib']);
  });

  it('never replaces a file that was created at the new path', async () => {
    await put('a.txt', 'one\n');
    const prepared = await prepare('move_path', { from: at('a.txt'), to: at('b.txt') });
    await put('b.txt', 'of the user\n');
    await assert.rejects(prepared.run(runContext()), ToolError);
    assert.deepEqual(folderSnapshot(folder), ['a.txt: one\n', 'b.txt: of the user\n']);
  });

  it('deletes a file and closes its editor', async () => {
    await open('a.txt', 'one\n');
    assert.match(await call('delete_path', { path: at('a.txt') }), /^Deleted .*a\.txt \(a file\)\.$/);
    assert.deepEqual(folderSnapshot(folder), []);
    await eventually(() => tabs().length === 0);
  });

  it('deletes a whole folder, and links in it without their targets', async () => {
    await put('keep/a.txt', 'one\n');
    await put('lib/deep/b.txt', 'two\n');
    await symlink('../keep', path.join(folder, 'lib/link'));
    await symlink('keep', path.join(folder, 'link'));
    await call('delete_path', { path: at('lib') });
    await call('delete_path', { path: at('link') });
    assert.deepEqual(folderSnapshot(folder), ['keep/', 'keep/a.txt: one\n']);
  });

  it('G30 deletes nothing with unsaved changes', async () => {
    const document = await open('lib/a.txt', 'one\n');
    await insert(document, 'mine ');
    await assert.rejects(call('delete_path', { path: at('lib') }), (error) => {
      assert.ok(error instanceof ToolError);
      assert.match(error.message, /lib\/a\.txt has changes in the editor that are not saved\. Ask the user/);
      return true;
    });
    assert.deepEqual(folderSnapshot(folder), ['lib/', 'lib/a.txt: one\n']);
    await document.save();
  });

  describe('language services', () => {
    const own: vscode.Disposable[] = [];
    afterEach(() => {
      while (own.length > 0) own.pop()?.dispose();
    });

    function report(file: string, ...rows: readonly [number, vscode.DiagnosticSeverity, string][]): void {
      const collection = vscode.languages.createDiagnosticCollection('test');
      own.push(collection);
      const diagnostics = rows.map(([line, severity, message]) => {
        const each = new vscode.Diagnostic(new vscode.Range(line - 1, 2, line - 1, 4), message, severity);
        each.source = 'test';
        each.code = { value: 'no-x', target: vscode.Uri.parse('https://example.com/') };
        return each;
      });
      collection.set(vscode.Uri.file(path.resolve(folder, file)), diagnostics);
    }

    it('show the problems of a file, the worst first', async () => {
      await put('a.txt', 'one\ntwo\nthree\n');
      const { Error, Warning, Hint } = vscode.DiagnosticSeverity;
      report('a.txt', [1, Hint, 'faint'], [2, Warning, 'maybe\n  not'], [3, Error, 'no']);
      const name = relative('a.txt');
      // Whether the problems count as new depends on when their event arrives.
      const told = (await call('get_problems', { path: at('a.txt') })).replace(`\n${SILENCE}`, '');
      assert.equal(
        told,
        [
          `2 problems in ${name}: 1 error, 1 warning.`,
          `${name}:3:3 error (test no-x): no`,
          `${name}:2:3 warning (test no-x): maybe not`,
          '[Left out: 1 less severe than warning.]',
        ].join('\n'),
      );
      assert.match(
        await call('get_problems', { path: folder, severity: 'hint' }),
        /^3 problems .*: 1 error, 1 warning, 1 hint\.$/m,
      );
    });

    it('G9.secret leaves out secret files and files outside, with a note', async () => {
      await put('a.txt', 'one\n');
      await put('.env', 'KEY=1\n');
      report('a.txt', [1, vscode.DiagnosticSeverity.Error, 'mine']);
      report('.env', [1, vscode.DiagnosticSeverity.Error, 'the key is 1']);
      report('/etc/hosts', [1, vscode.DiagnosticSeverity.Error, 'far away']);
      const all = await call('get_problems', {});
      assert.match(all, /a\.txt:1:3 error \(test no-x\): mine/);
      assert.match(all, /\[Left out: 2 in files outside the workspace or that hold secrets\.\]$/);
      assert.ok(!all.includes('the key is') && !all.includes('far away'));
      assert.ok(!(await call('get_problems', { path: folder })).includes('the key is'));
      const [asked] = (await prepare('get_problems', { path: at('.env') })).accesses;
      assert.deepEqual(asked?.verdict.decision, 'ask');
    });

    it('wait for the results of a language service', async () => {
      await open('a.json', '{ "a": 1,, }\n');
      let result = '';
      // The service has to start the first time.
      await eventually(async () => {
        result = await call('get_problems', { path: at('a.json') });
        return !result.includes('knows of no problem');
      });
      assert.match(result, /^[12] problems? in .*\n.*a\.json:1:\d+ error \(jsonc? \d+\): /);
    });

    /** Marks each `TODO` in open documents, a moment after it was written. */
    function serviceThatMarks(ending: string): void {
      const collection = vscode.languages.createDiagnosticCollection('todo');
      const look = (document: vscode.TextDocument): void => {
        if (!document.uri.path.endsWith(ending)) return;
        const marks = [...document.getText().matchAll(/TODO (\w+)/g)].map(({ index, 1: what = '' }) => {
          const start = document.positionAt(index);
          return new vscode.Diagnostic(new vscode.Range(start, start), `Do it: ${what}`);
        });
        void letTimePass(20).then(() => collection.set(document.uri, marks));
      };
      own.push(
        collection,
        vscode.workspace.onDidOpenTextDocument(look),
        vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
      );
    }

    it('reports only new problems after an edit', async () => {
      serviceThatMarks('.todo');
      await put('a.todo', 'TODO old\nplain\n');
      const edit = { path: at('a.todo'), old: 'plain', new: 'TODO fresh' };
      const name = relative('a.todo');
      assert.deepEqual((await call('edit_file', edit)).split('\n').slice(2), [
        'New problems: 1 error.',
        `${name}:2:1 error: Do it: fresh`,
      ]);
      const back = { path: at('a.todo'), old: 'TODO fresh', new: 'plain' };
      assert.deepEqual((await call('edit_file', back)).split('\n').slice(2), ['No new problems so far.']);
      const created = await call('write_file', { path: at('b.todo'), content: 'TODO more\n' });
      assert.deepEqual(created.split('\n').slice(1), [
        'New problems: 1 error.',
        `${relative('b.todo')}:1:1 error: Do it: more`,
      ]);
    });

    it('add nothing to an edit of an unknown kind of file', async () => {
      await put('a.txt', 'one\n');
      const report = await call('edit_file', { path: at('a.txt'), old: 'one', new: 'two' });
      assert.deepEqual(report.split('\n').slice(1), ['edit 1: line 1']);
    });

    it('say that no problem is known', async () => {
      await put('a.txt', 'one\n');
      assert.equal(
        await call('get_problems', { path: at('a.txt') }),
        `The editor knows of no problem in ${relative('a.txt')} of severity warning or worse.\n${SILENCE}`,
      );
    });

    it('show the outline of a file', async () => {
      await put('a.json', '{\n  "first": {\n    "inner": 1\n  },\n  "second": 2\n}\n');
      await vscode.workspace.openTextDocument(at('a.json'));
      let outline = '';
      await eventually(async () => {
        outline = await call('get_symbols', { path: at('a.json') });
        return !outline.includes('knows of no symbol');
      });
      assert.equal(
        outline,
        `3 symbols in ${relative('a.json')}:\n2-4 module first\n  3 number inner\n5 number second`,
      );
      assert.equal(
        await call('get_symbols', { path: at('a.json'), query: 'INN' }),
        `1 symbol in ${relative('a.json')}:\n3 number inner`,
      );
    });

    it('find every use of a symbol with the CSS service, and rename it', async () => {
      const text =
        ':root {\n  --brand: red;\n}\na {\n  color: var(--brand);\n}\n/* --brand is spoken of */\n';
      await open('a.css', text);
      let uses = '';
      await eventually(async () => {
        uses = await call('get_symbols', { path: at('a.css'), query: '--brand', references: true });
        return uses.includes('is used in');
      });
      assert.equal(
        uses,
        `--brand is used in 2 lines of 1 file:\n${relative('a.css')}:2: --brand: red;\n${relative('a.css')}:5: color: var(--brand);`,
      );
      const input = { path: at('a.css'), symbol: '--brand', new_name: '--accent', line: 2 };
      assert.match(await call('rename_symbol', input), /^Renamed --brand to --accent: 2 places in 1 file\./);
      assert.deepEqual(folderSnapshot(folder), [
        `a.css: ${text.replace('--brand:', '--accent:').replace('(--brand)', '(--accent)')}`,
      ]);
    });

    it('rename in every file that a service names, and keep unsaved changes', async () => {
      await put('b.txt', 'see one\n');
      const document = await open('a.txt', 'one\n');
      await insert(document, 'mine ');
      // Not for the file of the next test: VS Code may still ask a provider for a moment after it is disposed.
      const language = { scheme: 'file', pattern: '**/tools-*/[ab].txt' };
      own.push(
        vscode.languages.registerRenameProvider(language, {
          provideRenameEdits: (_document, _position, newName) => {
            const edit = new vscode.WorkspaceEdit();
            edit.replace(vscode.Uri.file(at('a.txt')), new vscode.Range(0, 5, 0, 8), newName);
            edit.replace(vscode.Uri.file(at('b.txt')), new vscode.Range(0, 4, 0, 7), newName);
            return edit;
          },
        }),
      );
      const input = { path: at('a.txt'), symbol: 'one', new_name: 'two' };
      assert.match(await call('rename_symbol', input), /^Renamed one to two: 2 places in 2 files\./);
      assert.deepEqual(folderSnapshot(folder), ['a.txt: mine two\n', 'b.txt: see two\n']);
    });

    it('say why something cannot be renamed', async () => {
      await put('plain.txt', 'one word\n');
      const input = { path: at('plain.txt'), symbol: 'word', new_name: 'term' };
      await assert.rejects(
        call('rename_symbol', input),
        /has no language service that can rename .*Use search_text and edit_file/,
      );
      own.push(
        vscode.languages.registerRenameProvider(
          { scheme: 'file', pattern: '**/tools-*/plain.txt' },
          { provideRenameEdits: () => Promise.reject(new Error('It is a keyword.')) },
        ),
      );
      await assert.rejects(
        call('rename_symbol', input),
        /It cannot be renamed: It is a keyword\. Use search_text/,
      );
    });

    it('find symbols by name, except in secret files or outside', async () => {
      await put('a.txt', 'one\n');
      await put('.env', 'KEY=1\n');
      own.push(
        vscode.languages.registerWorkspaceSymbolProvider({
          provideWorkspaceSymbols: (query) =>
            ['a.txt', '.env', '/etc/hosts'].map((file) => {
              const place = new vscode.Location(
                vscode.Uri.file(path.resolve(folder, file)),
                new vscode.Range(0, 0, 4, 1),
              );
              return new vscode.SymbolInformation(`${query}It`, vscode.SymbolKind.EnumMember, 'Kind', place);
            }),
        }),
      );
      const expected = `1 symbol like "make":\n${relative('a.txt')}:1-5 enum member makeIt (in Kind)`;
      assert.equal(await call('get_symbols', { query: 'make' }), expected);
    });

    it('say which arguments are needed', async () => {
      await assert.rejects(prepare('get_symbols', {}), /Give the path of a file for its outline, or a query/);
      await assert.rejects(call('get_symbols', { path: folder }), /is a folder\. Give a query with it/);
    });
  });

  it('fetches a page despite the proxy settings of the editor', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Plums</h1>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      // SAFETY: a server that listens on a port has such an address.
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      assert.equal(await call('fetch_url', { url }), `From ${url} (text/html):\n# Plums`);
    } finally {
      server.close();
    }
  });

  it('evaluates JavaScript in a thread of the extension host', async () => {
    assert.equal(await call('eval_js', { code: 'typeof process + [1, 2].length' }), 'Result: undefined2');
  });

  /** Returns a path in the test folder as a tool argument. */
  function at(file: string): string {
    return path.join(folder, file);
  }

  /** Returns the path as a result names it. */
  function relative(file: string): string {
    return `${path.basename(folder)}/${file}`;
  }

  async function prepare(name: string, input: JsonObject) {
    const tool = tools.find(({ spec }) => spec.name === name);
    assert.ok(tool);
    return prepareCall(tool, input);
  }

  /** Returns the result of a call, with every question answered yes. */
  async function call(name: string, input: JsonObject): Promise<string> {
    return (await (await prepare(name, input)).run(runContext())).text;
  }

  async function put(file: string, content: string): Promise<void> {
    await mkdir(path.dirname(at(file)), { recursive: true });
    await writeFile(at(file), content);
  }

  async function open(file: string, content: string): Promise<vscode.TextDocument> {
    await put(file, content);
    const document = await vscode.workspace.openTextDocument(at(file));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  async function insert(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  /** Returns the files that editors show, relative to the test folder. */
  function tabs(): readonly string[] {
    const inputs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ input }) => input));
    return inputs.flatMap((input) =>
      input instanceof vscode.TabInputText ? [path.relative(folder, input.uri.fsPath)] : [],
    );
  }
});
