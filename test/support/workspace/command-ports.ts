import path from 'node:path';
import { pathFileSystem } from '../../../src/node/files/path-file-system';
import { loadShellGrammar } from '../../../src/node/shell-grammar';
import type { CommandPorts } from '../../../src/policy/commands/commands';

/** The real grammar and the real file system; git prints no secret file. */
export function commandPorts(): CommandPorts {
  const grammar = loadShellGrammar(path.resolve(__dirname, '../../../src/node'));
  return { grammar: () => grammar, files: pathFileSystem, gitNames: () => Promise.resolve([]) };
}
