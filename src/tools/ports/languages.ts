import type { Place } from './files';

/** What the editor knows by the languages of files. Paths are absolute, as the editor has them, and nobody has judged them. */
export interface Languages {
  /** All that is known. Waits a while for what is said about the file, if one is given. */
  problems(file: Place | undefined, signal: AbortSignal): Promise<KnownProblems>;
  /** Makes a change of a file, and waits a while for what is said about it then. Rejects when the change does. */
  aroundChange<T>(file: Place, change: () => Promise<T>, signal: AbortSignal): Promise<ObservedChange<T>>;
  /** In the order of the text, what is inside right after what it is in. */
  outline(file: Place): Promise<readonly OutlinedSymbol[]>;
  /** By a part of the name. */
  find(query: string): Promise<readonly FoundSymbol[]>;
  /** Where the symbol is used that stands there, its definition included. */
  references(file: Place, spot: TextSpot): Promise<readonly Reference[]>;
  /** What a rename of the symbol that stands there would change; nothing where no service can. Throws `ToolError`. */
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
  /** Somebody has said something about the file while it was waited for. */
  readonly isFresh: boolean;
}

export interface ObservedChange<T> {
  readonly result: T;
  /** Absent where nobody had looked at the file: what is known after the change may have been there before. */
  readonly before?: readonly Problem[];
  readonly after: KnownProblems;
}

/** The worst first. */
export const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;
export type ProblemSeverity = (typeof SEVERITIES)[number];

/** Why tools that need `Languages` are not offered. */
export const NO_EDITOR =
  'There is no editor here that knows problems and symbols. Run the build or the linter, or use search_text.';

export interface Problem {
  readonly path: string;
  /** From 1, like the column. */
  readonly line: number;
  readonly column: number;
  readonly severity: ProblemSeverity;
  readonly message: string;
  /** Who says so: `ts`, `eslint`. */
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
