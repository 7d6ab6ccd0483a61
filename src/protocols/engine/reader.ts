import type { Diagnostic } from '../../core/words/messages';
import type { ParserOptions } from '../../core/words/protocol';
import type { CallProblem, RawCall } from './calls';
import { Cursor, type Reading } from './cursor';

/** What a text protocol adds to the shared engine: its markers and how the block behind one is read. */
export interface Reader {
  readonly id: string;
  /** Texts that open a block, outside code and reasoning. */
  readonly openers: readonly string[];
  /** Those of them that open a block at the beginning of a line only. */
  readonly lineOpeners?: readonly string[];
  /** Texts that only Parley writes: after a call they begin a result the model has invented. */
  readonly resultOpeners: readonly string[];
  /** Whether a block really begins at an opener; it does if this is not given. Looks, and takes nothing. */
  readonly begins?: (
    cursor: Cursor,
    opener: string,
    isLineStart: boolean,
    offset?: number,
  ) => Reading<boolean>;
  /**
   * Reads one block; the cursor stands on its opener. Ends behind the block, or where reading can go on. Answers false
   * for what turned out to be no block; it was written as text then, with the fence in front of it.
   */
  readonly block: (reply: ReplyWriter, opener: string, fence: OpenFence | undefined) => Reading<boolean>;
  /** Which protocol a block is written in, where several share the opener. */
  readonly formOf?: (block: string) => string;
  /** Models put their only call into a code fence; it counts where nothing else comes of the reply. */
  readonly mayBeFenced?: boolean;
  /** A form without marks of its own. In place of another it counts only where nothing follows in the reply. */
  readonly standsAlone?: boolean;
}

/** A code fence that was opened right in front of a block. */
export interface OpenFence {
  /** Its line, not written yet. */
  readonly text: string;
  /** Whether it only decorates the block that was just read: no other call came before, and nothing follows. */
  readonly isDecoration: () => Reading<boolean>;
}

/** How one reply is read. */
export interface ReaderOptions extends ParserOptions {
  /** Readers of the forms that models fall back into whatever they are told. */
  readonly foreign?: readonly Reader[];
}

/** A part of the reply, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a reader reads from and reports to. */
export interface ReplyWriter {
  readonly cursor: Cursor;
  text(piece: string): void;
  reasoning(piece: string): void;
  /** Announces a call and returns its index. */
  startCall(name: string): number;
  delta(index: number, key: string, text: string): void;
  endCall(call: RawCall): void;
  rejectCall(call: Omit<RawCall, 'arguments'>, problem: CallProblem): void;
  warn(diagnostic: Diagnostic): void;
  /**
   * Lets text that was just taken be read again, as a call that was never closed had swallowed it; says whether it will
   * be. The calls in it count as repaired: they may have been meant as part of the other.
   */
  putBackSwallowed(text: string): boolean;
  /** From here on every call counts as repaired, for this reason; or those that begin before a place. */
  markRepaired(reason: Diagnostic, before?: number): void;
  /**
   * Lets the calls of a block in a foreign form count, if that is wanted and all of them fit an offered tool; says
   * whether they do.
   */
  recover(calls: readonly RawCall[], form: string, block: Span): boolean;
  /** What would make all before it reasoning; empty where nothing does any more. */
  readonly closers: readonly string[];
  /**
   * All in front of that place was reasoning that the prompt has opened: what was reported of it is taken back. Answers
   * false, and does nothing, where it was not: reasoning has come apart from the text, or this is not the first time.
   */
  endReasoning(end: number): boolean;
  /** Calls and malformed calls so far, without those that were taken back. */
  readonly callCount: number;
}
