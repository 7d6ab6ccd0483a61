import type { RunSetup } from '../../core/session';
import type { Conversation } from '../chat/conversation';
import type { Lab } from '../lab/lab';
import type { Checkpoints } from '../sessions/checkpoints';
import type { WindowParts } from '../window/window-parts';
import type { RequestLog } from './request-log';

export interface InspectorParts extends WindowParts {
  readonly conversation: Conversation;
  readonly checkpoints: Pick<Checkpoints, 'restore'>;
  readonly lab: Pick<Lab, 'open'>;
  readonly requests: RequestLog;
  /** What a run would need now. */
  readonly prepareRun: () => Promise<RunSetup | { readonly problem: string }>;
}
