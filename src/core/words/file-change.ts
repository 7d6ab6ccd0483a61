/** What a call did to one file. It is told twice: before, without `after`, and when it is done. */
export interface FileChange {
  /** Absolute, links resolved. */
  readonly path: string;
  /** For people: below the workspace folder, with `/`. */
  readonly display: string;
  readonly before: FileImage;
  /** Permission bits of the file before, where there was one and the system has them. */
  readonly mode?: number;
  /** Missing while the change is under way, and for good when the process was killed meanwhile. */
  readonly after?: FileImage;
}

/**
 * SHA-256 of a content in hexadecimal; `absent` where there is no file, `unknown` where it could not be read, `folder`
 * for one whose files are too many or too large to be kept.
 */
export type FileImage = string;

export const ABSENT: FileImage = 'absent';
export const UNKNOWN: FileImage = 'unknown';
export const FOLDER: FileImage = 'folder';
