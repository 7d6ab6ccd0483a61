import type { Completion, Pickers } from '../../contract/chat';
import type { Transcript } from '../../core/transcript/transcript';

/** What the host has told. */
export interface Shown {
  /** Counts the conversations: another number, another conversation. */
  readonly session: number;
  readonly transcript: Transcript;
  readonly pickers: Pickers;
}

export interface Completions {
  readonly id: number;
  readonly items: readonly Completion[];
}
