import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import { ToolError } from '../../../core/words/tool';
import { searchBy } from '../../../node/search/search';
import type { SearchedFiles, WalkStart } from '../../../node/search/walk';
import { createWalkEngine } from '../../../node/search/walk-engine';
import type { Processes } from '../../../tools/ports/processes';
import type { Search } from '../../../tools/ports/search';
import type { Surroundings } from '../../../tools/ports/surroundings';
import { createEditorFiles } from './files';
import { createLanguages } from './languages';
import { createEditorMoves } from './move-files';
import {
  createVirtualFiles,
  kindOf,
  resourceAt,
  unlessMissing,
  virtualPath,
  virtualResources,
  type VirtualFolders,
} from './virtual-files';

/** The parts of the surroundings that differ for virtual folders. The editor stays the same. */
export function virtualSurroundings(folders: VirtualFolders): Pick<
  Surroundings,
  'files' | 'search' | 'processes'
> & {
  readonly languages: ReturnType<typeof createLanguages>;
} {
  const resources = virtualResources(folders.system);
  const files = createVirtualFiles(folders);
  return {
    files: { ...createEditorFiles(files, resources), ...createEditorMoves(files, resources) },
    search: createVirtualSearch(folders),
    processes: noProcesses,
    languages: createLanguages(resources),
  };
}

const noProcesses: Processes = {
  judge: async () => {
    throw noProcess();
  },
  start: async () => {
    throw noProcess();
  },
  shellFunction: () => Promise.resolve(undefined),
  started: [],
  hasSandbox: false,
};

function noProcess(): ToolError {
  return new ToolError(
    'No command can run here: the folder is in a virtual file system, which no process can work on. Use the tools for files.',
  );
}

/** Maximum parallel requests: each may use the network. */
const AT_ONCE = 16;

/** Literal search in virtual folders, where ripgrep cannot run. */
export function createVirtualSearch({ system, roots, secretNames }: VirtualFolders): Search {
  const startAt = async (target: string): Promise<WalkStart> => {
    const tops = roots.map((root) => virtualPath(system, root));
    // The resolver refuses paths elsewhere.
    const top = tops.filter((root) => isBelow(root, target)).sort((a, b) => b.length - a.length)[0] ?? target;
    const git = vscode.Uri.joinPath(resourceAt(top), '.git');
    return {
      top,
      target,
      inRepository: (await orNothing(() => vscode.workspace.fs.stat(git))) !== undefined,
    };
  };
  return searchBy({
    engine: async () =>
      createWalkEngine({ startAt, secretNames: secretNames?.() ?? [], files: searchedFiles }),
    modified: async (folder, below) => {
      const uri = vscode.Uri.joinPath(resourceAt(folder.resolved), below);
      return (await orNothing(() => vscode.workspace.fs.stat(uri)))?.mtime ?? 0;
    },
  });
}

const searchedFiles: SearchedFiles = {
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

/** Unreadable files are skipped, as ripgrep does. */
async function orNothing<T>(look: () => Thenable<T>): Promise<T | undefined> {
  return unlessMissing(look).catch((error: unknown) => {
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  });
}
