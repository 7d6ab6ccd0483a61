import type { EarlierMessage } from '../../core/transcript/references';
import type { ImageAttachment } from '../../core/words/attachment';

/** What the user wants to say. */
export interface Outgoing {
  readonly text: string;
  /** What they pasted for it. */
  readonly images: readonly ImageAttachment[];
  /** The message in whose place it comes. */
  readonly instead?: EarlierMessage;
}

/** What has become of a message: its run has begun, or it was not taken. */
export interface Settled {
  readonly text: string;
  readonly isTaken: boolean;
}
