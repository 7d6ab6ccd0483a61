import path from 'node:path';
import { pathFileSystem } from '../../../src/node/path-file-system';
import { loadShellGrammar } from '../../../src/node/shell-grammar';
import type { CommandPorts } from '../../../src/policy/commands';

/** The real grammar and the real file system. */
export function commandPorts(): CommandPorts {
  const wasm = path.join(path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm');
  const grammar = loadShellGrammar(wasm);
  return { grammar: () => grammar, files: pathFileSystem };
}
