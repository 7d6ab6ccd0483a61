import type { Completion, Pickers } from '../../contract/chat';
import type { Transcript } from '../../core/transcript/transcript';

/** State reported by the host. */
export interface Shown {
  /** Counts conversations; a new number means another conversation. */
  readonly session: number;
  readonly transcript: Transcript;
  readonly pickers: Pickers;
}

export interface Completions {
  readonly id: number;
  readonly items: readonly Completion[];
}
