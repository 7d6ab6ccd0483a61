import { Language, Parser, type Node } from '@vscode/tree-sitter-wasm';
import path from 'node:path';
import type { ShellGrammar, ShellNode } from '../policy/commands/simple-commands';
import { readPacked } from './packed-file';

// The runtime keeps one state for the whole process, and two loads at once mix it up.
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
  // With the bytes at hand it looks for no file.
  const engine = { locateFile: (file: string) => file, wasmBinary };
  await Parser.init(engine);
  const bash = await Language.load(await readPacked(path.join(wasmFolder, 'tree-sitter-bash.wasm')));
  const parser = new Parser();
  parser.setLanguage(bash);
  // The engine compiles what is used at its first use; a real command should not pay for that out of its time.
  parser.parse('a "b" \'c\' $d && e | f > g; h')?.delete();
  return {
    parse: (text, timeoutMs) => {
      const isLate = pastProcessorTime(timeoutMs);
      const tree = parser.parse(text, null, { progressCallback: isLate });
      if (tree === null) {
        // Else the next text would be read as the rest of this one.
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

/** Says whether the process has worked for so long. On a busy machine time passes without work, which costs nobody. */
function pastProcessorTime(milliseconds: number): () => boolean {
  const start = process.cpuUsage();
  let asked = 0;
  let isPast = false;
  return () => {
    // Asking the system costs about as much as copying a node.
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
 * The tree lives in the memory of the WebAssembly module until it is deleted; the copy does not. Copying takes
 * longer than parsing, so the time counts here too.
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
    // Asking costs a call into the module each time; below a sound node all is sound.
    hasError: isSound ? false : node.hasError,
    missing: isSound ? false : node.isMissing,
    children,
  };
}
