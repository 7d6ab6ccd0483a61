import * as vscode from 'vscode';
import type { PlacesOptions } from '../../node/places';
import type { SettingsStore } from '../settings';
import { localFolders, virtualFolders } from './local-folders';
import type { VirtualFolders } from './virtual-files';

/** Its `roots` are the folders of the workspace that are on this machine. */
export interface WindowPlaces extends Required<PlacesOptions> {
  /** Set where there are folders, and none of them is on this machine. */
  readonly virtual?: VirtualFolders;
}

/** What says, beside the folders that are open, where files may be read in this window. */
export interface PlaceParts {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri'>;
  readonly settings: Pick<SettingsStore, 'get'>;
}

/** Where files may be read in this window, as the one path resolver wants to know it. */
export function windowPlaces({ context, settings }: PlaceParts): WindowPlaces {
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
