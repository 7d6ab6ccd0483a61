import type { AppliedRules } from './ignore-files';
import type { FileWithMatches, SearchCut, TextQuery } from '../../tools/ports/search';

/** A search engine for folders and files: ripgrep, or a walk. */
export interface SearchEngine {
  /** Emits every file below a folder that is not ignored, relative to it. */
  list(folder: ListedFolder, onFile: (path: string) => void, signal: AbortSignal): Promise<SearchEnd>;
  /** Throws `ToolError` for an invalid pattern, or one that the engine cannot search for. */
  text(query: TextQuery, signal: AbortSignal): Promise<FoundText>;
}

export interface ListedFolder {
  /** Absolute. */
  readonly path: string;
  readonly rules: AppliedRules;
}

export interface SearchEnd {
  readonly cut?: SearchCut;
}

/** The matches to keep, grouped by file, in no particular order. */
export interface FoundText extends SearchEnd {
  readonly files: readonly FileWithMatches[];
  readonly total: number;
  readonly totalFiles: number;
}
