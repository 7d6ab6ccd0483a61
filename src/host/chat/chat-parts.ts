import type { PastedImages } from '../attachments/pasted-images';
import type { WindowContext } from '../attachments/window-context';
import type { Lab } from '../lab/lab';
import type { Checkpoints } from '../sessions/checkpoints';
import type { SavedSessions } from '../sessions/saved-sessions';
import type { CurrentActivity } from './activity';
import type { SandboxOffer } from '../sandbox/sandbox-offer';
import type { Conversation } from './conversation';
import type { MessageBox } from './message-box';
import type { Outbox } from './outbox';

/** The conversation of the window, its inputs, its storage, and the panels that show it. */
export interface ChatParts {
  readonly conversation: Conversation;
  readonly activity: CurrentActivity;
  readonly attachments: WindowContext;
  readonly images: PastedImages;
  readonly outbox: Outbox;
  readonly messageBox: MessageBox;
  readonly saved: SavedSessions;
  readonly checkpoints: Checkpoints;
  readonly lab: Lab;
  readonly sandboxOffer: SandboxOffer;
}
