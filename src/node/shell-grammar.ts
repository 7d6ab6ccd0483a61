import { Language, Parser, type Node } from '@vscode/tree-sitter-wasm';
import path from 'node:path';
import type { ShellGrammar, ShellNode } from '../policy/commands/simple-commands';
import { readPacked } from './packed-file';

// The runtime has one state per process, which two parallel loads would corrupt.
let loaded: Promise<ShellGrammar> | undefined;

/**
 * Loads `tree-sitter.wasm` and `tree-sitter-bash.wasm` from a folder: about 25 ms, so only at first use. The process
 * has one grammar; later calls get the same, whatever the folder. After a failure the next call tries again.
 */
export async function loadShellGrammar(wasmFolder: string): Promise<ShellGrammar> {
  loaded ??= load(wasmFolder);
  try {
    return await loaded;
  } catch (error) {
    loaded = undefined;
    throw error;
  }
}

async function load(wasmFolder: string): Promise<ShellGrammar> {
  const wasmBinary = await readPacked(path.join(wasmFolder, 'tree-sitter.wasm'));
  // With the bytes given, it does not look for a file.
  const engine = { locateFile: (file: string) => file, wasmBinary };
  await Parser.init(engine);
  const bash = await Language.load(await readPacked(path.join(wasmFolder, 'tree-sitter-bash.wasm')));
  const parser = new Parser();
  parser.setLanguage(bash);
  // The engine compiles code at first use; the first real command should not lose parsing time to that.
  parser.parse('a "b" \'c\' $d && e | f > g; h')?.delete();
  return {
    parse: (text, timeoutMs) => {
      const isLate = pastProcessorTime(timeoutMs);
      const tree = parser.parse(text, null, { progressCallback: isLate });
      if (tree === null) {
        // Otherwise the next text would be parsed as the rest of this one.
        parser.reset();
        return undefined;
      }
      try {
        return copy(tree.rootNode, { text, isLate });
      } finally {
        tree.delete();
      }
    },
  };
}

/**
 * Returns whether the process has used this much CPU time. Time in which a busy machine runs other work does not count.
 */
function pastProcessorTime(milliseconds: number): () => boolean {
  const start = process.cpuUsage();
  let asked = 0;
  let isPast = false;
  return () => {
    // Reading the clock costs about as much as copying a node.
    if (isPast || asked++ % 32 !== 0) return isPast;
    const { user, system } = process.cpuUsage(start);
    isPast = user + system > milliseconds * 1_000;
    return isPast;
  };
}

interface CopySource {
  readonly text: string;
  readonly isLate: () => boolean;
}

/**
 * Copies the tree, which lives in the memory of the WebAssembly module until it is deleted. Copying takes longer than
 * parsing, so it counts toward the time too.
 */
function copy(node: Node, from: CopySource, isInSound = false): ShellNode | undefined {
  if (from.isLate()) return undefined;
  const isSound = isInSound || !node.hasError;
  const children: ShellNode[] = [];
  for (const child of node.children) {
    if (child === null) return undefined;
    const copied = copy(child, from, isSound);
    if (copied === undefined) return undefined;
    children.push(copied);
  }
  return {
    type: node.type,
    named: node.isNamed,
    text: from.text.slice(node.startIndex, node.endIndex),
    start: node.startIndex,
    end: node.endIndex,
    // Each check is a call into the module; below a node without errors there are no errors to find.
    hasError: isSound ? false : node.hasError,
    missing: isSound ? false : node.isMissing,
    children,
  };
}
