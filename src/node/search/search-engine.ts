import { ToolError } from '../../core/words/tool';
import type { FileWithMatches, SearchCut, TextQuery } from '../../tools/ports/search';

/** A search engine for folders and files: ripgrep, or a walk in JavaScript. */
export interface SearchEngine {
  /** Hands out every file under a folder that no ignore file hides, relative to it. */
  list(folder: string, onFile: (path: string) => void, signal: AbortSignal): Promise<SearchEnd>;
  /** Throws `ToolError` for a pattern that cannot be read. */
  text(query: TextQuery, signal: AbortSignal): Promise<FoundText>;
}

export interface SearchEnd {
  readonly cut?: SearchCut;
}

/** As many matches as may be kept, by file and in no order. */
export interface FoundText extends SearchEnd {
  readonly files: readonly FileWithMatches[];
  readonly total: number;
  readonly totalFiles: number;
}

/** The error for a model about an invalid pattern. */
export function unreadablePattern(reason: string): ToolError {
  return new ToolError(
    `The pattern cannot be read: ${reason}. Correct it, or search for the text itself with is_regex=false.`,
  );
}
