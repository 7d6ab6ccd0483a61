/** What the walk that searches without ripgrep asks of a file system. Paths are absolute; links are not followed. */
export interface SearchedFiles extends FileSystemTraits {
  /** Nothing where it cannot be read. */
  list(folder: string): Promise<readonly SearchedEntry[]>;
  /** Hands out the content until `take` wants no more; a piece may be used until then. Nothing of what cannot be read. */
  read(file: string, take: TakePiece): Promise<'too large' | undefined>;
}

/** Files that are read as a whole, by the thread that has the file system. */
export interface WholeFiles extends FileSystemTraits {
  list(folder: string): Promise<readonly SearchedEntry[]>;
  /** Nothing of what cannot be read. */
  read(file: string): Promise<Uint8Array | 'too large' | undefined>;
}

export interface FileSystemTraits {
  /** Between the names of a path. */
  readonly separator: '/' | '\\';
  /** How many of its answers are worth waiting for side by side. */
  readonly atOnce: number;
}

export interface SearchedEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

export type TakePiece = (piece: Buffer, isLast: boolean) => boolean;
