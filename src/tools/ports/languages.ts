import type { Place } from './files';

/**
 * What the editor's language services know. Paths are absolute, as the editor has them; the policy has not judged them.
 */
export interface Languages {
  /** All known problems. If a file is given, waits a while for reports about it. */
  problems(file: Place | undefined, signal: AbortSignal): Promise<KnownProblems>;
  /** Makes a change to a file, then waits a while for reports about it. Rejects if the change does. */
  aroundChange<T>(file: Place, change: () => Promise<T>, signal: AbortSignal): Promise<ObservedChange<T>>;
  /** In the order of the text; nested symbols follow the symbol that contains them. */
  outline(file: Place): Promise<readonly OutlinedSymbol[]>;
  /** By a part of the name. */
  find(query: string): Promise<readonly FoundSymbol[]>;
  /** Where the symbol at this position is used, including its definition. */
  references(file: Place, spot: TextSpot): Promise<readonly Reference[]>;
  /** What renaming the symbol at this position would change; nothing if no service can rename. Throws `ToolError`. */
  rename(file: Place, spot: TextSpot, newName: string): Promise<readonly TextChange[]>;
}

/** Both from 1. */
export interface TextSpot {
  readonly line: number;
  readonly column: number;
}

export interface Reference extends TextSpot {
  readonly path: string;
}

/** Edits of one file, in the text as the editor has it. */
export interface TextChange {
  readonly path: string;
  readonly edits: readonly {
    readonly start: TextSpot;
    readonly end: TextSpot;
    readonly text: string;
  }[];
}

export interface KnownProblems {
  readonly problems: readonly Problem[];
  /** A service reported about the file during the wait. */
  readonly isFresh: boolean;
}

export interface ObservedChange<T> {
  readonly result: T;
  /** Absent if no service had looked at the file: problems known after the change may be old. */
  readonly before?: readonly Problem[];
  readonly after: KnownProblems;
}

/** The worst first. */
export const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;
export type ProblemSeverity = (typeof SEVERITIES)[number];

/** Why tools that need `Languages` are not offered. */
export const NO_EDITOR =
  'No editor is available that knows problems and symbols. Run the build or the linter, or use search_text.';

export interface Problem {
  readonly path: string;
  /** From 1, like the column. */
  readonly line: number;
  readonly column: number;
  readonly severity: ProblemSeverity;
  readonly message: string;
  /** The source of the problem: `ts`, `eslint`. */
  readonly source?: string;
  readonly code?: string;
}

export interface CodeSymbol {
  /** From 1. */
  readonly line: number;
  readonly endLine: number;
  /** In words: `function`, `enum member`. */
  readonly kind: string;
  readonly name: string;
  readonly container?: string;
}

export interface OutlinedSymbol extends CodeSymbol {
  /** How many symbols it is in. */
  readonly depth: number;
}

export interface FoundSymbol extends CodeSymbol {
  readonly path: string;
}
