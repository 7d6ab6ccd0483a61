/** Where session files lie: a folder that nobody else can read (G21). */
export interface SessionFolder {
  /** Of all files in it; none when it is not there yet. */
  names(): Promise<readonly string[]>;
  head(name: string, most: number): Promise<FileHead>;
  read(name: string): Promise<Uint8Array>;
  /** Makes the folder too. Throws when there is such a file. At once, so that what was said is written. */
  create(name: string): NewFile;
  /** Writes a file that appears whole or not at all. On the disk when fulfilled; makes the folder too. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
}

export interface FileHead {
  readonly bytes: Uint8Array;
  /** Of the whole file. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** A file of which nobody else knows the name, so nobody else writes it. */
export interface NewFile {
  /** A process that is killed after it has lost nothing. */
  append(bytes: Uint8Array): void;
  /** Begins to bring what was appended to the disk, where a power cut does not reach it. */
  sync(onError: (error: unknown) => void): void;
  close(): void;
}
