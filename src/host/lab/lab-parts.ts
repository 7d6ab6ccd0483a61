import * as vscode from 'vscode';
import { LabToHost } from '../../contract/lab';
import type { HostToLab, LabAnswers } from '../../contract/lab';
import type { Choices } from '../chat/choices';
import type { Conversation } from '../chat/conversation';
import type { Mcp } from '../mcp/mcp';
import type { ToolToggles } from '../tools/tool-toggles';
import type { WindowTools } from '../tools/window-tools';
import type { DiffView } from '../window/diff-view';
import type { Output } from '../window/output';
import type { Secrets } from '../window/secrets';
import type { SettingsStore } from '../window/settings';

export interface LabParts {
  readonly context: vscode.ExtensionContext;
  readonly tools: WindowTools;
  readonly mcp: Pick<Mcp, 'allowTool'>;
  readonly settings: SettingsStore;
  readonly choices: Choices;
  readonly conversation: Conversation;
  readonly secrets: Secrets;
  readonly toggles: ToolToggles;
  readonly diffs: DiffView;
  readonly output: Output;
}

/** What one tab does for its page. */
export interface LabTab<Message extends LabToHost> {
  /** By the type of the message. What a request is answered with is what its handler returns. */
  readonly handlers: Handlers<Message>;
  readonly dispose?: () => void;
}

export type Handlers<Message extends LabToHost> = {
  readonly [Type in Message['type']]: (message: Extract<Message, { type: Type }>) => Returned<Type>;
};

/** Sends something to the page. `false` where none is there: the next one asks for what it shows. */
export type Tell = (message: HostToLab) => boolean;

export type Returned<Type> = Type extends keyof LabAnswers
  ? LabAnswers[Type] | Promise<LabAnswers[Type]>
  : void | Promise<void>;
