/**
 * A path as the kernel has it: each character is one byte. Names need not be UTF-8, and everything that a command has
 * created must be found, whatever its name is.
 */
export type BytePath = string & { readonly bytes: unique symbol };

export function bytePath(path: string | Buffer): BytePath {
  const bytes = typeof path === 'string' ? Buffer.from(path) : path;
  return bytes.toString('latin1') as BytePath;
}

/** For calls of `node:fs`. */
export function toBuffer(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** For people and for name tables. */
export function toText(path: string): string {
  return Buffer.from(path, 'latin1').toString();
}

export function joinBytes(folder: BytePath, name: string): BytePath {
  return (folder === '/' ? `/${name}` : `${folder}/${name}`) as BytePath;
}

/** The parent folder; the root's is the root itself. */
export function parentOf(path: BytePath): BytePath {
  return (path.slice(0, Math.max(path.lastIndexOf('/'), 1)) || '/') as BytePath;
}

export function nameOf(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf('/') + 1) as BytePath;
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
