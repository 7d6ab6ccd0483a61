import * as vscode from 'vscode';
import type { RunSetup } from '../../core/session';
import type { Conversation } from '../chat/conversation';
import type { Lab } from '../lab/lab';
import type { Checkpoints } from '../sessions/checkpoints';
import type { Output } from '../window/output';
import type { Secrets } from '../window/secrets';
import type { SettingsStore } from '../window/settings';
import type { RequestLog } from './request-log';

export interface InspectorParts {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
  readonly conversation: Conversation;
  readonly requests: RequestLog;
  readonly secrets: Pick<Secrets, 'redact' | 'learn'>;
  readonly settings: SettingsStore;
  readonly checkpoints: Pick<Checkpoints, 'restore'>;
  /** What a run would need now. */
  readonly prepareRun: () => Promise<RunSetup | { readonly problem: string }>;
  readonly lab: Pick<Lab, 'open'>;
  readonly log: Pick<Output, 'warn' | 'error'>;
}
