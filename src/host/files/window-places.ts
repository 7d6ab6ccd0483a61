import * as vscode from 'vscode';
import { localFolders, virtualFolders } from './local-folders';
import type { VirtualFolders } from './virtual-files';

export interface WindowPlaces {
  /** The folders of the workspace that are on this machine, absolute. */
  readonly roots: readonly string[];
  readonly ownFolders: readonly string[];
  /** Set where there are folders, and none of them is on this machine. */
  readonly virtual?: VirtualFolders;
}

/** Where files may be read in this window, as the one path resolver wants to know it. */
export function windowPlaces(context: Pick<vscode.ExtensionContext, 'globalStorageUri'>): WindowPlaces {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const virtual = virtualFolders(folders).map(({ uri }) => uri);
  const [first] = virtual;
  return {
    roots: localFolders(folders).map((folder) => folder.uri.fsPath),
    ownFolders: [context.globalStorageUri.fsPath],
    ...(first && {
      virtual: {
        system: { scheme: first.scheme, authority: first.authority },
        roots: virtual.map(({ path }) => path.replace(/(?<=.)\/$/, '')),
      },
    }),
  };
}
