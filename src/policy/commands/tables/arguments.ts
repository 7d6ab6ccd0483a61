/**
 * What may follow the words of a rule, for one program or subcommand. A row was looked up in the program's manual; it is
 * harmless on GNU, BSD, macOS and busybox. What writes where it is told to, or takes a program, a config, a plugin, an
 * address, a list of files or the environment has no row. No row says what is bad: what has no row asks.
 */
export interface Arguments {
  /**
   * One row a line, as in a manual: `-n --lines NUMBER: how many lines`. Words in capitals are kinds of values
   * (`argument-kinds.ts`), others are the value itself: `a|b`.
   * - `--color[=a|b]`: the value may be left out, and is never the next word.
   * - `-n+`: the value may be glued to the letter: `-n5`. `-NUMBER`: the number is the option: `-50`.
   * - `*` at the beginning: it may be repeated. `^`: it takes the place of the first operand.
   * - `{name}` at the beginning: of the rows with this name a command may have one.
   */
  readonly options?: string;
  /** The kinds of the words that are no options, in order; the last may be repeated: `TEXT PATH*`. None if not given. */
  readonly operands?: string;
  /** Letters may be written together: `-la`. */
  readonly hasClusters?: true;
  /** A word with a dash is an operand like any other. */
  readonly hasNoOptions?: true;
  /** What may follow `--`: more operands, or arguments of another program. Without it `--` asks. */
  readonly dashes?: 'operands' | Arguments;
  /** It reads everything below its paths: always, or with one of these options. */
  readonly walks?: true | string;
  /** Without a path it does so in the working folder. */
  readonly walksHere?: true;
  /** It runs code of the folder in which it starts, or takes settings from there that can. */
  readonly runsFolder?: true;
  /** It only reads, so that a rule for the words before its last one covers it, too. */
  readonly isImplied?: true;
  /** What it does depends on its options, so a rule that is offered has all of its words. */
  readonly isOfferedWhole?: true;
  /** Upper and lower case are the same in options, and options may begin with a slash. */
  readonly isWindows?: true;
}

/**
 * By the words with which a command begins, without paths: `git log`. `*` is one word, the name of a script or target.
 */
export type Family = Readonly<Record<string, Arguments>>;
