/** A part of a shell text as the bash grammar sees it. `start` and `end` count characters (UTF-16 units). */
export interface ShellNode {
  readonly type: string;
  /** Operators and quotes are not named; everything with a rule of its own is. */
  readonly named: boolean;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether a part of it could not be read, or had to be invented to go on reading. */
  readonly hasError: boolean;
  readonly missing: boolean;
  readonly children: readonly ShellNode[];
}

export interface ShellGrammar {
  /** `undefined` when the time was not enough. */
  parse(text: string, timeoutMs: number): ShellNode | undefined;
}
