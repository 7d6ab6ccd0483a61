import type { Image } from '../../core/words/attachment';
import type { FileImage } from '../../core/words/file-change';
import type { PathUse, Verdict } from '../../core/words/verdict';
import type { FileLine, LineStart } from '../text/shown-lines';

/** A resolved path argument. Every later step uses `resolved` only. */
export interface Place {
  /** Absolute, links resolved. */
  readonly resolved: string;
  /** Relative to its root with `/`, or absolute when it lies outside. For people and models. */
  readonly display: string;
  readonly verdict: Verdict;
  /** The path began with the name of the workspace folder, which was taken for the folder. */
  readonly isWithoutFolderName?: true;
}

/** For the preview of a change to the file. */
export function runsCodeIn({ verdict }: Place): { readonly runsCode?: true } {
  return verdict.runsCode ? { runsCode: true } : {};
}

export interface Files {
  /** Throws `ToolError` if the path is refused outright or the policy denies it. For moves use `resolveMove`. */
  resolve(path: string, use: Exclude<PathUse, 'move'>): Promise<Place>;
  /** `undefined` if nothing is there. */
  stat(place: Place): Promise<FileInfo | undefined>;
  /** Throws `ToolError` for binary or undecodable files. The text is the editor's when the file is open there. */
  readText(place: Place): Promise<TextFile>;
  /** Judges by the bytes, not by the name. `undefined` if the file is not an image, or too large. */
  readImage(place: Place): Promise<ImageFile | undefined>;
  /**
   * Streams the lines of a file on disk that is too large to read whole, in batches; cuts overlong lines. The line of
   * `start` begins at that character. Throws `ToolError` for binary files.
   */
  readLines(place: Place, start: LineStart, signal: AbortSignal): AsyncIterable<readonly FileLine[]>;
  /**
   * Replaces the text of an existing file, or creates it with its folders. `base` is the text that the change is based
   * on, `undefined` for a new file; if the file differs from it, throws `ToolError` and changes nothing. Returns the
   * text as stored: an editor may format a file when it saves it.
   */
  writeText(place: Place, text: string, base: string | undefined): Promise<string>;
  /** Sorted by name, including hidden entries. */
  list(place: Place): Promise<readonly Entry[]>;
  /**
   * The content as the user sees it: unsaved text counts, in the encoding of the file. `undefined` if there is no file.
   * Throws `ToolError` if it is not a regular file or too large to read whole.
   */
  snapshot(place: Place): Promise<Snapshot | undefined>;
  /**
   * Writes exactly these bytes, creating the file and its folders if needed; `undefined` removes it. `base` is the
   * content that the decision was based on; if the file differs from it, throws `ToolError` and changes nothing.
   */
  put(place: Place, content: Snapshot | undefined, base: Uint8Array | undefined): Promise<void>;
  /** Separates the names of a resolved path. On some systems `\\` may be part of a name. */
  readonly separator: '/' | '\\';
  /** Whether both paths are the same entry in two spellings that the file system treats as equal. */
  isSameEntry(one: Place, other: Place): Promise<boolean>;
  /** Resolves both ends of a move; does not follow a link at the end of either path. Throws like `resolve`. */
  resolveMove(from: string, to: string): Promise<MovePlaces>;
  /** Files below a folder, up to a limit. */
  count(place: Place, signal: AbortSignal): Promise<FileCount>;
  /** Moves a file, a folder or a link to an unused path, creating missing folders. Throws `ToolError`. */
  move(places: MovePlaces): Promise<void>;
  /** Deletes a file, a folder with its contents, or a link; uses the trash if there is one. Throws `ToolError`. */
  remove(place: Place): Promise<void>;
}

export interface MovePlaces {
  readonly from: Place;
  readonly to: Place;
}

export interface FileCount {
  readonly files: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
}

export interface Snapshot {
  readonly bytes: Uint8Array;
  /** Permission bits, if the system has them. An existing file keeps its bits. */
  readonly mode?: number;
}

/** Stores file contents by hash, so that the user can restore them. */
export interface FileImages {
  /** The hash. */
  nameOf(bytes: Uint8Array): FileImage;
  /**
   * Whether it is on disk now, with everything reported before. Never rejects: what cannot be stored is missing later.
   */
  keep(bytes: Uint8Array): Promise<boolean>;
}

export interface FileInfo {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes. */
  readonly size: number;
}

export interface TextFile {
  /** With the line endings of the file, without the byte order mark. */
  readonly text: string;
  /** As people write it: `utf-8`, `utf-16le`. */
  readonly encoding: string;
  readonly byteOrderMark: boolean;
}

export interface ImageFile {
  readonly image: Image;
  /** Bytes. */
  readonly size: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** It has a size and an end. Servers refuse the whole request if an image lacks them. */
  readonly isWhole: boolean;
}

export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** An ignore file for agents names it. */
  readonly isWithheld?: true;
  /** Bytes of a file; absent if its folder has too many files to ask. */
  readonly size?: number;
}
