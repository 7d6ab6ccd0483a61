import { walkthroughId } from '../../../manifest/views';
import * as vscode from 'vscode';
import { registerCommands } from '../../platform/commands';
import { openDocs } from '../../platform/open-docs';
import type { Platform } from '../../platform/platform';
import { startNewSession, unlessBusy } from '../../services/conversation/conversation';
import type { Services } from '../../services/services';
import { CurrentActivity, registerBackgroundKey, registerRunningKey, registerStatusItem } from './activity';
import { ChatViews } from './chat-views';
import { moveChat, offerMove } from './move-offer';
import type { PageActionParts } from './page-actions';
import { registerRunNotice } from './run-notice';
import { tellOutcome } from './tell-outcome';
import { registerWaitingNotice } from './waiting-notice';

/** The pages of the chat, what tells of a run outside of them, and commands on the conversation. */
export function registerChat(
  platform: Platform,
  services: Services,
  inspect: PageActionParts['inspect'],
): { readonly focus: () => Promise<void>; readonly onOpened: vscode.Event<unknown> } {
  const { context, own } = platform;
  const { conversation, outbox, saved } = services;
  const activity = own(new CurrentActivity(conversation));
  const views = own(
    new ChatViews({ ...platform, ...services, activity, inspect, restored: saved.restore() }),
  );
  const focus = (): Promise<void> => views.focus();
  own(registerStatusItem(activity));
  own(registerRunningKey(conversation, outbox));
  own(registerBackgroundKey(services.background));
  const isSeen = (): boolean => views.isSeen;
  own(registerRunNotice({ conversation, isSeen, tell: (outcome) => void tellOutcome(outcome) }));
  own(offerMove(conversation, context.globalState));
  const tellOfCall = async () =>
    (await import('./tell-waiting')).tellWaiting({ ...platform, conversation, views });
  own(registerWaitingNotice({ activity, isSeen, tell: () => void tellOfCall() }));
  own(
    registerCommands({
      newSession: async () => {
        await startNewSession(conversation);
        await focus();
      },
      openWalkthrough: () =>
        vscode.commands.executeCommand('workbench.action.openWalkthrough', `parley.parley#${walkthroughId}`),
      openDocs: (page?: unknown, heading?: unknown) => openDocs(context.extensionUri, page, heading),
      backgroundCommands: async () =>
        (await import('./background-list')).showBackgroundCommands(services.background, platform.diffs),
      focusChat: focus,
      findInChat: () => views.find(),
      openChatInEditor: () => views.openInEditor(),
      moveChat,
      compactSession: () => unlessBusy(conversation.session, () => conversation.session.summarize()),
      stop: () => outbox.stop(),
      managePermissions: async () =>
        (await import('./manage-permissions')).managePermissions({ ...platform, ...services }),
    }),
  );
  return { focus, onOpened: views.onOpened };
}
