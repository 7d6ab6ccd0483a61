import * as vscode from 'vscode';
import { createFiles } from '../../../node/files/files';
import type { PlacesOptions } from '../../../node/files/path-file-system';
import { createSearch } from '../../../node/search/search';
import type { Files } from '../../../tools/ports/files';
import type { Search } from '../../../tools/ports/search';
import type { SettingsStore } from '../settings';
import { createEditorFiles } from './files';
import { localFolders, virtualFolders } from '../local-folders';
import { createVirtualFiles, virtualResources, type VirtualFolders } from './virtual-files';
import { createVirtualSearch } from './virtual-surroundings';

/** Its `roots` are the workspace folders on this machine. */
interface WindowFileAccess extends Required<PlacesOptions> {
  /** Set if there are folders, and none of them is on this machine. */
  readonly virtual?: VirtualFolders;
}

/** Further sources, besides open folders, of where files may be read in this window. */
export interface FileAccessParts {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri'>;
  readonly settings: Pick<SettingsStore, 'get'>;
}

/** Where files may be read in this window, for the one path resolver. */
export function windowFileAccess({ context, settings }: FileAccessParts): WindowFileAccess {
  const secretNames = (): readonly string[] => settings.get('approvals.secretFiles');
  const folders = vscode.workspace.workspaceFolders ?? [];
  const virtual = virtualFolders(folders).map(({ uri }) => uri);
  const [first] = virtual;
  return {
    roots: localFolders(folders).map((folder) => folder.uri.fsPath),
    ownFolders: [context.globalStorageUri.fsPath],
    secretNames,
    ...(first && {
      virtual: {
        system: { scheme: first.scheme, authority: first.authority },
        roots: virtual.map(({ path }) => path.replace(/(?<=.)\/$/, '')),
        secretNames,
      },
    }),
  };
}

/** Files of the window as the editor has them, and search in them, on disk or in a virtual file system. */
export function windowFiles(parts: FileAccessParts): { readonly files: Files; readonly search: Search } {
  const { virtual, ...access } = windowFileAccess(parts);
  if (virtual) {
    const files = createEditorFiles(createVirtualFiles(virtual), virtualResources(virtual.system));
    return { files, search: createVirtualSearch(virtual) };
  }
  return { files: createEditorFiles(createFiles(access)), search: createSearch(access) };
}
