import { ToolError } from '../../core/tool';
import type { Processes, Surroundings } from '../../tools/workspace';
import { createEditorFiles } from './files';
import { createLanguages } from './languages';
import { createEditorMoves } from './move-files';
import { createVirtualFiles, virtualResources, type VirtualFolders } from './virtual-files';
import { createVirtualSearch } from './virtual-search';

/** What of the surroundings is another one where the folders are not on this machine. The editor stays the same. */
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
  started: [],
};

function noProcess(): ToolError {
  return new ToolError(
    'No command can run here: the folder is in a virtual file system, which no process can work on. Use the tools for files.',
  );
}
