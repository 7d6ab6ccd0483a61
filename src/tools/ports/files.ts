import type { Image } from '../../core/words/attachment';
import type { FileImage } from '../../core/words/file-change';
import type { PathUse, Verdict } from '../../core/words/verdict';

/** A path argument after the one resolver: every later step uses `resolved` only. */
export interface Place {
  /** Absolute, links resolved. */
  readonly resolved: string;
  /** Relative to its root with `/`, or absolute when it lies outside. For people and models. */
  readonly display: string;
  readonly verdict: Verdict;
}

/** For the preview of a change of the file. */
export function runsCodeIn({ verdict }: Place): { readonly runsCode?: true } {
  return verdict.runsCode ? { runsCode: true } : {};
}

export interface Files {
  /** Throws `ToolError` when the path is refused outright or the policy denies it. For moves there is `resolveMove`. */
  resolve(path: string, use: Exclude<PathUse, 'move'>): Promise<Place>;
  /** `undefined` when nothing is there. */
  stat(place: Place): Promise<FileInfo | undefined>;
  /** Throws `ToolError` for binary or undecodable files. The text is the editor's when the file is open there. */
  readText(place: Place): Promise<TextFile>;
  /** What the bytes say, whatever the name does; `undefined` for what is no image, or too large for one. */
  readImage(place: Place): Promise<ImageFile | undefined>;
  /**
   * Streams the lines of a file on disk that is too big to be read whole, some at a time; cuts a line that never ends.
   * Throws `ToolError` for binary files.
   */
  readLines(place: Place, signal: AbortSignal): AsyncIterable<readonly string[]>;
  /**
   * Replaces the text of an existing file, or creates it with its folders. `base` is the text the change was made
   * from, `undefined` for a new file: when the file differs from it by now, throws `ToolError` and changes nothing.
   * Returns the text as it is stored now: an editor may format a file when it saves it.
   */
  writeText(place: Place, text: string, base: string | undefined): Promise<string>;
  /** By name. Hidden entries are among them. */
  list(place: Place): Promise<readonly Entry[]>;
  /**
   * The content as the user has it: unsaved text counts, in the encoding of the file. `undefined` when there is none.
   * Throws `ToolError` for what is no regular file or is too large to be read whole.
   */
  snapshot(place: Place): Promise<Snapshot | undefined>;
  /**
   * Gives the file exactly these bytes, makes it with its folders, or with `undefined` removes it. `base` is the content
   * that this was decided upon: when there is another by now, throws `ToolError` and changes nothing.
   */
  put(place: Place, content: Snapshot | undefined, base: Uint8Array | undefined): Promise<void>;
  /** Between the names of a resolved path. Elsewhere `\\` may be a part of a name. */
  readonly separator: '/' | '\\';
  /** Whether both are one and the same entry, in two spellings that make no difference there. */
  isSameEntry(one: Place, other: Place): Promise<boolean>;
  /** Both ends of a move; a link at the end of either path is not followed. Throws as `resolve` does. */
  resolveMove(from: string, to: string): Promise<MovePlaces>;
  /** Files below a folder, up to a limit. */
  count(place: Place, signal: AbortSignal): Promise<FileCount>;
  /** Moves a file, a folder or a link to where nothing is, with the folders it needs. Throws `ToolError`. */
  move(places: MovePlaces): Promise<void>;
  /** Deletes a file, a folder with all in it, or a link; to the trash where there is one. Throws `ToolError`. */
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
  /** Permission bits, where the system has them. A file that exists keeps its own. */
  readonly mode?: number;
}

/** Keeps what files held, by hash, so that the user can have it back. */
export interface FileImages {
  /** The hash. */
  nameOf(bytes: Uint8Array): FileImage;
  /** Whether it is on the disk now, and so is everything told before. Never rejects: what cannot be kept is missing later. */
  keep(bytes: Uint8Array): Promise<boolean>;
}

export interface FileInfo {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes. */
  readonly size: number;
}

export interface TextFile {
  /** Line endings as they are in the file; without the byte order mark. */
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
  /** It has a size and its end. Servers refuse the whole request for an image without. */
  readonly isWhole: boolean;
}

export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes of a file; absent also where a folder holds too many to ask. */
  readonly size?: number;
}
