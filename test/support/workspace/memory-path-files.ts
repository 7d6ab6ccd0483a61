import type { Platform } from '../../../src/policy/paths/path-text';
import type { FileKind, PathFileSystem } from '../../../src/policy/paths/path-file-system';

interface MemoryFiles {
  readonly platform: Platform;
  readonly caseSensitive: boolean;
  /** Those of posix, if not given. */
  readonly hasSpecialFolders?: boolean;
  /** Absolute path → what is there. Folders above are made. */
  readonly files: Readonly<Record<string, FileKind>>;
  /** A path → the one that it is another name of: a mapped drive, a short name. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** A file system without links, for forms of paths that this machine does not have. */
export function memoryPathFiles({
  platform,
  caseSensitive,
  hasSpecialFolders = platform === 'posix',
  files,
  aliases = {},
}: MemoryFiles): PathFileSystem {
  const separator = platform === 'win32' ? '\\' : '/';
  const real = (path: string): string => {
    const alias = Object.keys(aliases).find((name) => path.toLowerCase().startsWith(name.toLowerCase()));
    return alias === undefined ? path : (aliases[alias] ?? '') + path.slice(alias.length);
  };
  const key = (given: string) => {
    const path = real(given);
    const names: string[] = [];
    for (const name of path.split(platform === 'win32' ? /[\\/]+/u : /\/+/u)) {
      if (name === '..') names.pop();
      else if (name !== '.' && name !== '') names.push(caseSensitive ? name : name.toLowerCase());
    }
    return names.join(separator);
  };
  const known = new Map<string, { kind: FileKind; path: string }>();
  for (const [path, kind] of Object.entries(files)) {
    const names = path.split(separator);
    names.forEach((_, index) => {
      const part = names.slice(0, index + 1).join(separator);
      known.set(key(part), { kind: index === names.length - 1 ? kind : 'directory', path: part });
    });
  }
  return {
    platform,
    caseSensitive,
    hasSpecialFolders,
    realpath: async (path) => known.get(key(path))?.path,
    kind: async (path) => known.get(key(path))?.kind,
    readLink: async () => Promise.reject(new Error('No links here')),
    entries: async () => [],
  };
}

/** A file system on which every question fails. */
export const brokenPathFiles: PathFileSystem = {
  platform: 'posix',
  caseSensitive: true,
  hasSpecialFolders: true,
  realpath: async () => Promise.reject(new Error('I/O error')),
  kind: async () => Promise.reject(new Error('I/O error')),
  readLink: async () => Promise.reject(new Error('I/O error')),
  entries: async () => Promise.reject(new Error('I/O error')),
};
