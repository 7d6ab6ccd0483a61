import * as vscode from 'vscode';
import { registerChatView } from './host/chat-view';
import { Checkpoints } from './host/checkpoints';
import { Choices } from './host/choices';
import { registerCommands } from './host/commands';
import { registerContributedTools } from './host/contributed-tools';
import { confirmRewind } from './host/confirm-rewind';
import { Conversation } from './host/conversation';
import { CurrentActivity } from './host/current-activity';
import { DiffView } from './host/diff-view';
import { registerFixActions } from './host/fix-actions';
import { registerIgnoredSettings } from './host/ignored-settings';
import { Inspector } from './host/inspector/inspector';
import { RequestLog } from './host/inspector/request-log';
import { judgeInWindow } from './host/judge';
import { keepInSettings } from './host/keep-grant';
import { Lab } from './host/lab/lab';
import { MessageBox } from './host/message-box';
import { Outbox } from './host/outbox';
import { Output } from './host/output';
import { placeForClick } from './host/place-for-click';
import { registerRunNotice } from './host/run-notice';
import { PastedImages } from './host/pasted-images';
import { prepareRun } from './host/run-setup';
import { registerRunningContext } from './host/running-context';
import { SavedSessions } from './host/saved-sessions';
import { Secrets } from './host/secrets';
import { registerSessionsTree } from './host/sessions-tree';
import { SettingsStore } from './host/settings';
import { SpokenProtocols } from './host/spoken-protocols';
import { registerStatusItem } from './host/status-item';
import { tellOutcome } from './host/tell-outcome';
import { ToolToggles } from './host/tool-toggles';
import { registerToolsTree } from './host/tools-tree';
import { VsCodeModels } from './host/vscode-models';
import { WindowContext } from './host/window-context';
import { WindowTools } from './host/window-tools';

/** VS Code hands nothing of an activation to its end. */
let atEnd: (() => Promise<unknown>) | undefined;

/** Builds every part of Parley in the order in which they need each other, and decides nothing. */
export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const secrets = new Secrets(context.secrets);
  const output = own(new Output(secrets));
  const settings = own(new SettingsStore());
  const spoken = new SpokenProtocols(context.globalState);
  const vsCodeModels = own(new VsCodeModels());
  const choices = own(new Choices(settings, spoken, vsCodeModels));
  const tools: WindowTools = own(
    new WindowTools(context, settings, output.log, (bytes) => saved.keepImage(bytes)),
  );
  const requests = new RequestLog();
  const along = own(new WindowContext({ context, settings, choices }));
  const prepare = () => prepareRun({ settings, choices, secrets, tools, context: along, requests });
  const conversation = own(
    new Conversation({
      prepareRun: prepare,
      judge: judgeInWindow(settings, choices),
      keep: keepInSettings(settings, output.log),
      isAttended: true,
      onError: (error) => output.error(error),
    }),
  );
  const saved = own(new SavedSessions({ context, conversation, secrets, settings, output }));
  atEnd = () => Promise.all([saved.flush(), tools.endCommands()]);
  own(tools.follow(conversation));
  own(output.follow(conversation));
  own(requests.follow(conversation));
  own(spoken.follow(conversation, choices));
  own(registerRunningContext(conversation));
  const activity = own(new CurrentActivity(conversation));
  own(registerStatusItem(activity));
  const toggles = new ToolToggles({ settings, tools, placeForClick: () => placeForClick(settings) });
  own(registerToolsTree({ tools, settings, toggles, choices }));
  const diffs = own(new DiffView());
  const lab = own(
    new Lab({ context, conversation, tools, settings, choices, secrets, toggles, diffs, output }),
  );
  own(registerContributedTools(context, { tools, settings, choices, diffs, log: output.log }));
  const checkpoints = new Checkpoints({ conversation, saved, tools, diffs });
  const inspector = own(
    new Inspector({
      context,
      conversation,
      requests,
      secrets,
      settings,
      checkpoints,
      prepareRun: prepare,
      lab,
      log: output.log,
    }),
  );
  const messageBox = new MessageBox();
  const images = new PastedImages(along);
  const outbox = own(
    new Outbox({
      conversation,
      context: along,
      images,
      confirmRewind: (entry) => confirmRewind(entry, { conversation, checkpoints }),
      onError: (error) => output.error(error),
    }),
  );
  const chat = {
    conversation,
    choices,
    checkpoints,
    inspector,
    diffs,
    toggles,
    tools,
    context: along,
    images,
    outbox,
    messageBox,
    activity,
    restored: saved.restore(),
    log: output.log,
  };
  const { isSeen } = own(registerChatView(context.extensionUri, chat));
  own(registerRunNotice({ conversation, isSeen, tell: (outcome) => void tellOutcome(outcome) }));
  own(registerSessionsTree(saved));
  own(registerIgnoredSettings(context.workspaceState));
  own(registerFixActions());
  own(
    registerCommands({
      conversation,
      settings,
      choices,
      secrets,
      toggles,
      output,
      saved,
      checkpoints,
      messageBox,
      lab,
      inspector,
    }),
  );
}

/** VS Code waits some seconds for this before it ends the extension host; disposing alone it does not wait for. */
export async function deactivate(): Promise<void> {
  await atEnd?.();
}
