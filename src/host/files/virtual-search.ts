import * as vscode from 'vscode';
import { searchBy } from '../../node/search';
import type { WalkStart } from '../../node/walk';
import { createWalkEngine } from '../../node/walk-engine';
import type { WholeFiles } from '../../node/searched-files';
import { limits } from '../../policy/limits';
import type { Search } from '../../tools/workspace';
import { kindOf, unlessMissing, type VirtualFolders } from './virtual-files';
import { resourceAt, virtualPath } from './virtual-path';

/** So many requests are under way at once: each may go over a network. */
const AT_ONCE = 16;

/** Search in folders that are not on this machine, where no ripgrep can run. */
export function createVirtualSearch({ system, roots, secretNames }: VirtualFolders): Search {
  const startAt = async (target: string): Promise<WalkStart> => {
    const tops = roots.map((root) => virtualPath(system, root));
    // The resolver lets nothing through that lies elsewhere.
    const top = tops.filter((root) => isBelow(root, target)).sort((a, b) => b.length - a.length)[0] ?? target;
    const git = vscode.Uri.joinPath(resourceAt(top), '.git');
    return {
      top,
      target,
      inRepository: (await orNothing(() => vscode.workspace.fs.stat(git))) !== undefined,
    };
  };
  return searchBy({
    engine: async () => createWalkEngine({ startAt, secretNames: secretNames?.() ?? [], files: wholeFiles }),
    modified: async (folder, below) => {
      const uri = vscode.Uri.joinPath(resourceAt(folder.resolved), below);
      return (await orNothing(() => vscode.workspace.fs.stat(uri)))?.mtime ?? 0;
    },
  });
}

const wholeFiles: WholeFiles = {
  separator: '/',
  atOnce: AT_ONCE,
  list: async (folder) => {
    const found = await orNothing(() => vscode.workspace.fs.readDirectory(resourceAt(folder)));
    return (found ?? []).map(([name, type]) => {
      const kind = kindOf(type);
      return { name, kind: kind === 'link' ? 'other' : kind };
    });
  },
  read: async (file) => {
    const uri = resourceAt(file);
    const stat = await orNothing(() => vscode.workspace.fs.stat(uri));
    if (!stat || kindOf(stat.type) !== 'file') return undefined;
    if (stat.size > limits.readWholeFileBytes) return 'too large';
    return orNothing(() => vscode.workspace.fs.readFile(uri));
  },
};

function isBelow(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** What cannot be read is passed over, as ripgrep does. */
async function orNothing<T>(look: () => Thenable<T>): Promise<T | undefined> {
  return unlessMissing(look).catch((error: unknown) => {
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  });
}
