import * as vscode from 'vscode';
import { KeptImages } from './host/attachments/kept-images';
import { PastedImages } from './host/attachments/pasted-images';
import { WindowContext } from './host/attachments/window-context';
import { CurrentActivity, registerRunningKey, registerStatusItem } from './host/chat/activity';
import { registerChatView } from './host/chat/chat-view';
import { Choices } from './host/chat/choices';
import { Conversation } from './host/chat/conversation';
import { keepGrant } from './host/chat/decide';
import { MessageBox } from './host/chat/message-box';
import { Outbox } from './host/chat/outbox';
import { registerRunNotice } from './host/chat/run-notice';
import { judgeInWindow, prepareRun } from './host/chat/run-setup';
import { Inspector } from './host/inspector/inspector';
import { RequestLog } from './host/inspector/request-log';
import { Lab } from './host/lab/lab';
import { Mcp } from './host/mcp/mcp';
import { SpokenProtocols } from './host/models/spoken-protocols';
import { VsCodeModels } from './host/models/vscode-models';
import { Checkpoints, confirmRewind } from './host/sessions/checkpoints';
import { registerSessionsTree, SavedSessions } from './host/sessions/saved-sessions';
import { registerContributedTools } from './host/tools/contributed-tools';
import { ToolToggles } from './host/tools/tool-toggles';
import { placeForClick, registerToolsTree } from './host/tools/tools-tree';
import { WindowTools } from './host/tools/window-tools';
import { registerCommands, registerFixActions } from './host/window/commands';
import { DiffView } from './host/window/diff-view';
import { Output } from './host/window/output';
import { Secrets } from './host/window/secrets';
import { registerIgnoredSettings, SettingsStore } from './host/window/settings';
import { tellOutcome } from './host/window/translated';

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
  const choices = own(new Choices(settings, spoken, vsCodeModels, context.workspaceState));
  const diffs = own(new DiffView());
  const mcp = own(new Mcp({ context, settings, secrets, diffs, output }));
  const tools: WindowTools = own(
    new WindowTools(context, settings, mcp, output, (bytes) => saved.keepImage(bytes)),
  );
  const requests = new RequestLog();
  const along = own(new WindowContext({ context, settings, choices, mcp }));
  const prepare = (signal: AbortSignal) =>
    prepareRun({ settings, choices, secrets, tools, mcp, context: along, requests }, signal);
  const conversation = own(
    new Conversation({
      prepareRun: prepare,
      judge: judgeInWindow(settings, choices),
      keep: keepGrant({ settings, mcp, log: output }),
      isAttended: true,
      onError: (error) => output.error(error),
    }),
  );
  const saved = own(new SavedSessions({ context, conversation, secrets, settings, output }));
  atEnd = () => Promise.all([saved.flush(), tools.endCommands(), mcp.end()]);
  own(tools.follow(conversation));
  own(output.follow(conversation));
  own(requests.follow(conversation));
  own(spoken.follow(conversation, choices));
  const activity = own(new CurrentActivity(conversation));
  own(registerStatusItem(activity));
  const toggles = new ToolToggles({ settings, tools, placeForClick: () => placeForClick(settings) });
  own(registerToolsTree({ tools, mcp, settings, toggles, choices }));
  const lab = own(
    new Lab({ context, conversation, tools, mcp, settings, choices, secrets, toggles, diffs, output }),
  );
  own(registerContributedTools(context, { tools, settings, choices, diffs, log: output }));
  const checkpoints = new Checkpoints({ conversation, saved, tools, diffs });
  const inspector = own(
    new Inspector({
      context,
      conversation,
      requests,
      secrets,
      settings,
      checkpoints,
      // It asks for no run that could be stopped.
      prepareRun: () => prepare(new AbortController().signal),
      lab,
      log: output,
    }),
  );
  const messageBox = new MessageBox();
  const images = new PastedImages(
    along,
    new KeptImages({
      place: async () => (await import('./host/attachments/images-on-disk')).placeOfImages(context),
      onError: (error) => output.error(error),
    }),
  );
  const outbox = own(
    new Outbox({
      conversation,
      context: along,
      images,
      confirmRewind: (entry) => confirmRewind(entry, { conversation, checkpoints }),
      onError: (error) => output.error(error),
    }),
  );
  own(registerRunningKey(conversation, outbox));
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
    secrets,
    log: output,
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
      outbox,
      lab,
      inspector,
      mcp,
    }),
  );
}

/** VS Code waits some seconds for this before it ends the extension host; disposing alone it does not wait for. */
export async function deactivate(): Promise<void> {
  await atEnd?.();
}
