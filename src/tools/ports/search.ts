import type { Place } from './files';

/** Leaves out ignored files, those that an ignore file for agents names, and the folders of version control. */
export interface Search {
  /** Paths under the folder that match, newest first, relative to it. */
  files(query: FileQuery, signal: AbortSignal): Promise<FileMatches>;
  /** Secret files are left out. Throws `ToolError` for an invalid pattern, or if text cannot be searched here. */
  text(query: TextQuery, signal: AbortSignal): Promise<TextMatches>;
  /**
   * Looks again where a search found nothing, or may have missed text: counts what it left out, and searches files in
   * encodings that the editor's settings tell. Bounded. Absent, or `undefined`, where nothing can do it.
   */
  lookAgain?(query: TextQuery | FileQuery, signal: AbortSignal): Promise<SecondLook | undefined>;
  /** How many files are under the folder and under each folder in it, down to `depth` levels. */
  census(folder: Place, depth: number, signal: AbortSignal): Promise<Census>;
}

export interface FileQuery {
  readonly folder: Place;
  /** Tests relative paths. */
  readonly matches: (path: string) => boolean;
  readonly max: number;
  readonly includeIgnored?: boolean;
}

export interface FileMatches {
  readonly paths: readonly string[];
  readonly total: number;
  /** Matching files that are left out because an ignore file for agents names them. */
  readonly withheld?: number;
  /** Why the search ended early. */
  readonly cut?: SearchCut;
}

/** `size`: a file was left out because it is too large. */
export type SearchCut = 'time' | 'size';

export interface TextQuery {
  /** A folder, or one file. */
  readonly place: Place;
  readonly query: string;
  readonly isRegex: boolean;
  readonly glob?: FileFilter;
  readonly caseSensitive: boolean;
  /** Lines of context on each side. */
  readonly context: number;
  readonly max: number;
  readonly maxPerFile: number;
  readonly includeIgnored?: boolean;
}

export interface SecondLook {
  /** Matches in what the search left out. A file that it had found, too, is here as a whole. */
  readonly found: TextMatches;
  readonly omitted: OmittedFiles;
}

/** What neither look searched. */
export interface OmittedFiles {
  /** Files and folders that ignore files name; a folder counts as one. */
  readonly ignored: number;
  readonly binary: number;
  readonly secret: number;
  /** Files in encodings that are not known, relative to the folder. */
  readonly undecoded: readonly string[];
  /** There is more than was counted. */
  readonly isMore: boolean;
}

export interface FileFilter {
  /** As it was given. */
  readonly glob: string;
  /** Tests relative paths. */
  readonly matches: (path: string) => boolean;
  /** Every path that matches has a name that fits one of these shell patterns; empty if nothing is known. */
  readonly names: readonly string[];
}

export interface TextMatches {
  readonly files: readonly FileWithMatches[];
  /** All matching lines, including those that are not in `files`. */
  readonly total: number;
  readonly totalFiles: number;
  readonly cut?: SearchCut;
}

export interface FileWithMatches {
  /** Relative to the searched folder. */
  readonly path: string;
  readonly lines: readonly MatchLine[];
  /** All matching lines of this file, including those that are not in `lines`. */
  readonly total: number;
}

export interface MatchLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
}

export interface Census {
  /** By path relative to the folder; the folder itself is `''`. A folder without visible files is missing. */
  readonly folders: ReadonlyMap<string, number>;
  /** The visible files of the upper `depth` levels. */
  readonly files: ReadonlySet<string>;
  readonly cut?: SearchCut;
}
