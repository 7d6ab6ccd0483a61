import * as vscode from 'vscode';
import { KeptImages } from './host/attachments/kept-images';
import { PastedImages } from './host/attachments/pasted-images';
import { WindowContext } from './host/attachments/window-context';
import { CurrentActivity, registerRunningKey, registerStatusItem } from './host/chat/activity';
import type { ChatParts } from './host/chat/chat-parts';
import { ChatPlaces } from './host/chat/chat-places';
import { Choices } from './host/chat/choices';
import { Conversation } from './host/chat/conversation';
import { keepGrant } from './host/chat/decide';
import { MessageBox } from './host/chat/message-box';
import { offerMove } from './host/chat/move-offer';
import { Outbox } from './host/chat/outbox';
import { registerRunNotice } from './host/chat/run-notice';
import { judgeInWindow } from './host/chat/run-setup';
import { SpokenProtocols } from './host/chat/spoken-protocols';
import { registerWaitingNotice } from './host/chat/waiting-notice';
import { Gateway } from './host/gateway/gateway';
import { RequestLog } from './host/inspector/request-log';
import { Lab } from './host/lab/lab';
import { Mcp } from './host/mcp/mcp';
import { CallStatistics, showCountsHint } from './host/models/call-statistics';
import { ModelServers } from './host/models/model-servers';
import { PublishedModels } from './host/models/published-models';
import { VsCodeModels } from './host/models/vscode-models';
import { Checkpoints, confirmRewind } from './host/sessions/checkpoints';
import { SandboxOffer } from './host/sandbox/sandbox-offer';
import { watchSandbox } from './host/sandbox/watch-sandbox';
import { registerSessionsTree, SavedSessions } from './host/sessions/saved-sessions';
import { registerContributedTools } from './host/tools/contributed-tools';
import type { OfferParts } from './host/tools/offer-parts';
import { ToolToggles } from './host/tools/tool-toggles';
import { placeForClick, registerToolsTree } from './host/tools/tools-tree';
import { WindowTools } from './host/tools/window-tools';
import { registerCommands, registerFixActions } from './host/window/commands';
import { DiffView } from './host/window/diff-view';
import { Output } from './host/window/output';
import { Secrets } from './host/window/secrets';
import { registerIgnoredSettings, SettingsStore } from './host/window/settings';
import { tellOutcome } from './host/window/translated';
import type { WindowParts } from './host/window/window-parts';
import { ModelFacts } from './models/model-facts';

/** VS Code does not pass anything from activation to deactivation. */
let atEnd: (() => Promise<unknown>) | undefined;

/** Builds every part of Parley in order of dependency, and decides nothing. */
export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const secrets = new Secrets(context.secrets);
  const output = own(new Output(secrets));
  const settings = own(new SettingsStore());
  const diffs = own(new DiffView());
  const window: WindowParts = { context, settings, secrets, output, diffs };
  const onError = (error: unknown): void => output.error(error);

  const spoken = new SpokenProtocols(context.globalState);
  const facts = own(new ModelFacts(context.globalState, () => settings.get('models')));
  const servers = own(new ModelServers(secrets, facts));
  const vsCodeModels = own(new VsCodeModels());
  const counts = own(new CallStatistics(facts));
  const choices = own(new Choices(settings, spoken, vsCodeModels, context.workspaceState, servers, counts));
  const mcp = own(new Mcp(window));
  const tools: WindowTools = own(new WindowTools(window, mcp, (bytes) => saved.keepImage(bytes)));
  const toggles = new ToolToggles({
    settings,
    tools,
    placeForClick: () => placeForClick(settings),
    listed: async () => (await import('./host/tools/tool-facts')).listedNow({ settings, tools, choices }),
  });
  const gateway = own(new Gateway({ secrets, servers, output, choices, settings }));
  const offer: OfferParts = { choices, tools, toggles, mcp };

  const requests = new RequestLog();
  const attachments = own(new WindowContext({ ...window, ...offer }));
  const runParts = { ...window, ...offer, attachments, requests, servers };
  const prepare = async (signal: AbortSignal, options?: { readonly isPreview: true }) =>
    (await import('./host/chat/prepare-in-window')).prepareInWindow(runParts, signal, options);
  const conversation = own(
    new Conversation({
      prepareRun: prepare,
      judge: judgeInWindow(settings, choices),
      keep: keepGrant({ ...window, mcp }),
      isAttended: true,
      onError,
    }),
  );
  const saved = own(new SavedSessions({ ...window, conversation }));
  atEnd = () => Promise.all([saved.flush(), tools.endCommands(), mcp.end(), gateway.stop()]);
  own(tools.follow(conversation));
  own(output.follow(conversation));
  own(requests.follow(conversation));
  own(spoken.follow(conversation, choices));
  own(counts.follow(conversation, choices));
  own(counts.onHint((hint) => void showCountsHint(hint, (profile) => lab.findProtocol(profile))));
  const activity = own(new CurrentActivity(conversation));
  const checkpoints = new Checkpoints({ ...window, ...offer, conversation, saved });
  // The lab starts no run of the conversation that could be stopped.
  const prepareRun = () => prepare(new AbortController().signal, { isPreview: true });
  const ofConversation = { conversation, checkpoints, requests, prepareRun };
  const lab = own(new Lab({ ...window, ...offer, ...ofConversation, gateway, servers, counts }));
  const place = async () => (await import('./host/attachments/images-on-disk')).placeOfImages(context);
  const images = new PastedImages(attachments, new KeptImages({ place, onError }));
  const confirm = (entry: number) => confirmRewind(entry, { conversation, checkpoints });
  const outbox = own(new Outbox({ conversation, attachments, images, confirmRewind: confirm, onError }));
  const sandboxOffer = own(new SandboxOffer({ settings, memory: context.globalState }));
  own(sandboxOffer.follow(conversation));
  const messageBox = new MessageBox();
  const chat: ChatParts = {
    conversation,
    activity,
    attachments,
    images,
    outbox,
    messageBox,
    saved,
    checkpoints,
    lab,
    sandboxOffer,
  };

  const places = own(new ChatPlaces({ ...window, ...offer, ...chat, restored: saved.restore() }));
  own(registerCommands({ ...window, ...offer, ...chat, places, servers, gateway }));
  own(registerToolsTree({ ...window, ...offer, onChatOpened: places.onOpened, onError }));
  own(registerSessionsTree(saved, places.onOpened));
  own(registerContributedTools({ ...window, ...offer }));
  own(watchSandbox({ settings, tools, output }));
  own(registerStatusItem(activity));
  own(registerRunningKey(conversation, outbox));
  own(
    registerRunNotice({
      conversation,
      isSeen: () => places.isSeen,
      tell: (outcome) => void tellOutcome(outcome),
    }),
  );
  own(offerMove(conversation, context.globalState));
  const tellOfCall = async () =>
    (await import('./host/chat/tell-waiting')).tellWaiting({ ...window, conversation, places });
  own(registerWaitingNotice({ activity, isSeen: () => places.isSeen, tell: () => void tellOfCall() }));
  own(registerIgnoredSettings(context.workspaceState));
  own(new PublishedModels({ settings, secrets, servers, served: gateway.served }));
  own(registerFixActions());
}

/** VS Code waits some seconds for this before it ends the extension host; it does not wait for disposal alone. */
export async function deactivate(): Promise<void> {
  await atEnd?.();
}
