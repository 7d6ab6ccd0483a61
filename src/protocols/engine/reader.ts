import type { Diagnostic } from '../../core/words/messages';
import type { ParserOptions } from '../../core/words/protocol';
import type { CallProblem, RawCall } from './calls';
import { Cursor, type Reading } from './cursor';

/** What a text protocol adds to the shared engine: its markers and how the block after one is read. */
export interface Reader {
  readonly id: string;
  /** Texts that open a block, outside code and reasoning. */
  readonly openers: readonly string[];
  /** Openers that count only at the beginning of a line. */
  readonly lineOpeners?: readonly string[];
  /** Texts that close a block or a part of it: where none was read, they are what is left of a lost call. */
  readonly closers?: readonly string[];
  /** Texts that only Parley writes: after a call, they begin a result that the model invented. */
  readonly resultOpeners: readonly string[];
  /** Whether a block really begins at an opener; by default it does. Takes nothing. */
  readonly begins?: (
    cursor: Cursor,
    opener: string,
    isLineStart: boolean,
    offset?: number,
  ) => Reading<boolean>;
  /**
   * Reads one block, with the cursor on its opener. Ends after the block, or where reading can continue. Returns false
   * if it was not a block; it was then written as text, with the preceding fence.
   */
  readonly block: (reply: ReplyWriter, opener: string, fence: OpenFence | undefined) => Reading<boolean>;
  /** The protocol in whose form a block is written, if several share the opener. */
  readonly formOf?: (block: string) => string;
  /** Models put their only call into a code fence; it counts if the reply has nothing else after it. */
  readonly mayBeFenced?: boolean;
  /** The info string of a code fence that is a block: its content is read, with this as its opener. */
  readonly fencedAs?: string;
  /**
   * A form without distinctive markers. When another form is in use, it counts only if nothing follows in the reply.
   */
  readonly standsAlone?: boolean;
}

/** A code fence opened right before a block. */
export interface OpenFence {
  /** Its line, not written yet. */
  readonly text: string;
  /** Whether it only decorates the block that was just read: no other call came before, and nothing follows. */
  readonly isDecoration: () => Reading<boolean>;
}

/** The offered tools; without them any name is accepted. */
export type OfferedTools = ParserOptions['tools'];

/** How one reply is read. */
export interface ReaderOptions extends ParserOptions {
  /** Readers of the forms that models fall back to, whatever the prompt says. */
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
  /** `isShown`: it only shows calls, as code, quotations and repeated results do. */
  text(piece: string, isShown?: boolean): void;
  reasoning(piece: string): void;
  /** Announces a call and returns its index. */
  startCall(name: string): number;
  delta(index: number, key: string, text: string): void;
  endCall(call: RawCall): void;
  rejectCall(call: Omit<RawCall, 'arguments'>, problem: CallProblem): void;
  warn(diagnostic: Diagnostic): void;
  /**
   * Puts back text that an unclosed call had taken; returns whether it will be read again. Calls in it count as
   * repaired: they may have been meant as part of the other.
   */
  putBackSwallowed(text: string): boolean;
  /**
   * From here on, every call counts as repaired, for this reason; with `before`, only those that begin before that
   * position.
   */
  markRepaired(reason: Diagnostic, before?: number): void;
  /**
   * Accepts the calls of a block in a foreign form if recovery is on and all of them fit an offered tool; returns
   * whether it did. Without a form, they are in the current one, inside code fences.
   */
  recover(calls: readonly RawCall[], form: string | undefined, block: Span): boolean;
  /** The form of a call in a thought, if one seems to be there and not only its name. */
  lostForm(text: string): string | undefined;
  /** What would turn everything before it into reasoning; empty once nothing can. */
  readonly closers: readonly string[];
  /**
   * Everything before the position was reasoning that the prompt opened: what was reported of it is revoked. Returns
   * false and does nothing if reasoning arrived separately, or if this is not the first time.
   */
  endReasoning(end: number): boolean;
  /** Calls and malformed calls so far, without revoked ones. */
  readonly callCount: number;
}
