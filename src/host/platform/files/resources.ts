import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import { mustHaveStayed } from '../../../node/files/move-entry';
import { readRegularFile } from '../../../node/files/regular-file';
import type { MovePlaces, Place } from '../../../tools/ports/files';

/** Maps paths of the tools to resources of the editor and back, in one file system. */
export interface Resources {
  /** Separator in a resolved path. */
  readonly separator: string;
  /** The path that the editor would show. */
  readonly uriOf: (place: Place) => Promise<vscode.Uri>;
  /** The path of a resource as the editor has it; nothing for another file system. */
  readonly pathOf: (uri: vscode.Uri) => string | undefined;
  /** The same with links resolved; nothing for a missing file. */
  readonly resolvedPathOf: (uri: vscode.Uri) => Promise<string | undefined>;
  /** A whole file, past the editor. Throws `ToolError`. */
  readonly read: (place: Place) => Promise<Buffer>;
  /** Throws `ToolError` if a folder in the path has become a link. */
  readonly mustHaveStayed: (places: MovePlaces) => Promise<void>;
}

/** The files of this machine. */
export const localResources: Resources = {
  separator: path.sep,
  uriOf: localUri,
  pathOf: (uri) => (uri.scheme === 'file' ? uri.fsPath : undefined),
  resolvedPathOf: async (uri) =>
    uri.scheme === 'file' ? realpath(uri.fsPath).catch(() => undefined) : undefined,
  read: async (place) => {
    const options = { name: place.display, most: limits.readWholeFileBytes };
    return (await readRegularFile(place.resolved, options)).bytes;
  },
  mustHaveStayed: ({ from, to }) => mustHaveStayed(from.resolved, to.resolved),
};

/** The path under which the editor would show the file: a workspace folder may be reached through a link. */
async function localUri(place: Place): Promise<vscode.Uri> {
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== 'file') continue;
    const real = await realpath(folder.uri.fsPath).catch(() => undefined);
    if (real === undefined || !place.resolved.startsWith(real + path.sep)) continue;
    return vscode.Uri.joinPath(folder.uri, ...path.relative(real, place.resolved).split(path.sep));
  }
  return vscode.Uri.file(place.resolved);
}
