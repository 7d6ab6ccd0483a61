import * as vscode from 'vscode';

/** A file system that is not of this machine: `memfs:`, `vscode-vfs://github`. */
export interface VirtualSystem {
  readonly scheme: string;
  readonly authority: string;
}

/**
 * A path in it as tools and records have it, absolute. No part is escaped, and none of it can be taken for a path of
 * this machine.
 */
export function virtualPath({ scheme, authority }: VirtualSystem, path: string): string {
  return `${scheme}://${authority}${path}`;
}

/** The part behind scheme and authority; nothing for what is no path of this system. */
export function pathInside({ scheme, authority }: VirtualSystem, path: string): string | undefined {
  const prefix = virtualPath({ scheme, authority }, '');
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

export function isIn({ scheme, authority }: VirtualSystem, uri: vscode.Uri): boolean {
  return uri.scheme === scheme && uri.authority === authority;
}

/** The path of whatever resource, of this machine or not. */
export function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : virtualPath(uri, uri.path);
}

/** The resource of an absolute path, of this machine or of a virtual file system. */
export function resourceAt(path: string): vscode.Uri {
  const [, scheme, authority = '', inside = ''] = /^([a-z][\w.+-]+):\/\/([^/]*)(\/.*)$/su.exec(path) ?? [];
  return scheme === undefined ? vscode.Uri.file(path) : vscode.Uri.from({ scheme, authority, path: inside });
}
