import type { PastedImages } from '../../services/attachments/pasted-images';
import type { WindowContext } from '../../services/attachments/window-context';
import type { Inspector } from '../inspector/inspector';
import type { Lab } from '../lab/lab';
import type { Checkpoints } from '../../services/sessions/checkpoints';
import type { SavedSessions } from '../../services/sessions/saved-sessions';
import type { CurrentActivity } from './activity';
import type { SandboxOffer } from '../../services/sandbox/sandbox-offer';
import type { Conversation } from '../../services/conversation/conversation';
import type { MessageBox } from '../../services/runs/message-box';
import type { Outbox } from '../../services/runs/outbox';

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
  readonly inspector: Inspector;
  readonly sandboxOffer: SandboxOffer;
}
