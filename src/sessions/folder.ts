/** The folder of session files, which no other user can read (G21). */
export interface SessionFolder {
  /** Of all files in it; empty if the folder does not exist yet. */
  names(): Promise<readonly string[]>;
  head(name: string, most: number): Promise<FileHead>;
  read(name: string): Promise<Uint8Array>;
  /**
   * Creates the folder too. Throws if the file exists. Synchronous, so that events are written before the process can
   * end.
   */
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

/** A file whose name no other process knows, so none writes it. */
export interface NewFile {
  /** Once it returns, killing the process loses nothing. */
  append(bytes: Uint8Array): void;
  /** Starts to flush the appended data to disk, so that it survives a power cut. */
  sync(onError: (error: unknown) => void): void;
  close(): void;
}
