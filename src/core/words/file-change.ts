/** What a call did to one file. Emitted twice: before, without `after`, and when it is done. */
export interface FileChange {
  /** Absolute, links resolved. */
  readonly path: string;
  /** For people: relative to the workspace folder, with `/`. */
  readonly display: string;
  readonly before: FileImage;
  /** Permission bits of the file before, if it existed and the system has them. */
  readonly mode?: number;
  /** Missing while the change is in progress, and forever if the process was killed meanwhile. */
  readonly after?: FileImage;
  /** How many lines were added and removed; absent if the contents are not text, or too long to compare. */
  readonly lines?: LineCounts;
}

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/**
 * SHA-256 of the content in hexadecimal; `absent` if there is no file, `unknown` if it could not be read, `folder` for
 * a folder whose files are too many or too large to keep.
 */
export type FileImage = string;

export const ABSENT: FileImage = 'absent';
export const UNKNOWN: FileImage = 'unknown';
export const FOLDER: FileImage = 'folder';
