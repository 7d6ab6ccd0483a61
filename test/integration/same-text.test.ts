import assert from 'node:assert/strict';
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Tool } from '../../src/core/words/tool';
import { createEditorFiles } from '../../src/host/platform/files/files';
import { createLanguages } from '../../src/host/platform/files/languages';
import { createEditorMoves } from '../../src/host/platform/files/move-files';
import { createSurroundings, type OwnedSurroundings } from '../../src/node/surroundings';
import { builtInTools } from '../../src/tools';
import type { Languages } from '../../src/tools/ports/languages';
import { runRow, toolCallRows } from '../support/workspace/tool-call-rows';

describe('tools in the editor and over plain Node', () => {
  const owned: OwnedSurroundings[] = [];
  // One for all rows: it waits only once for the language services of a kind of file.
  let languages: Languages & vscode.Disposable;
  let root: string;
  let inEditor: readonly Tool[];
  let overNode: readonly Tool[];

  before(async () => {
    const [open] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(open);
    root = await realpath(open.uri.fsPath);
    languages = createLanguages();
  });
  beforeEach(() => {
    const [editor, node] = [surroundings(), surroundings()];
    const files = { ...createEditorFiles(editor.files), ...createEditorMoves(editor.files) };
    inEditor = builtInTools({ ...editor, files, languages });
    overNode = builtInTools(node);
  });
  afterEach(async () => {
    for (const each of owned.splice(0)) {
      each.dispose();
      await each.endCommands();
    }
  });

  after(() => void languages.dispose());

  for (const row of toolCallRows()) {
    it(`return the same text: ${row.name}`, async () => {
      const told = await runRow(root, row, overNode);
      assert.deepEqual(await runRow(root, row, inEditor), told);
    });
  }

  it('include tools that need an editor only here', () => {
    const missing = (tools: readonly Tool[]) =>
      tools.filter(({ whyNotOffered }) => whyNotOffered !== undefined).map(({ spec }) => spec.name);
    assert.deepEqual(missing(inEditor), []);
    assert.deepEqual(missing(overNode), ['get_problems', 'get_symbols', 'rename_symbol']);
  });

  function surroundings(): OwnedSurroundings {
    const made = createSurroundings({
      roots: [root],
      isTrusted: () => true,
      commandRules: () => ({ allow: [], deny: [] }),
    });
    owned.push(made);
    return made;
  }
});
