import type { Platform } from './file-names';

export type FileKind =
  | 'file'
  | 'directory'
  | 'link'
  /** Device, FIFO, socket. */
  | 'other';

/** What the path rules ask of a file system. `undefined` means that nothing is there; any other failure throws. */
export interface PathFileSystem {
  readonly platform: Platform;
  /** Whether names that differ only in case are different files. */
  readonly caseSensitive: boolean;
  /** Whether `/proc` and its like show the machine there. In a virtual file system they are folders as any other. */
  readonly hasSpecialFolders: boolean;
  /** The path with every link followed, as the operating system does it. */
  realpath(path: string): Promise<string | undefined>;
  /** What the path itself is; a link at its end is not followed. */
  kind(path: string): Promise<FileKind | undefined>;
  readLink(path: string): Promise<string>;
  /** Names in a folder. */
  entries(path: string): Promise<readonly string[] | undefined>;
}
