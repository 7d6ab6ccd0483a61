import * as vscode from 'vscode';
import { KeptImages } from './host/services/attachments/kept-images';
import { PastedImages } from './host/services/attachments/pasted-images';
import { WindowContext } from './host/services/attachments/window-context';
import { CurrentActivity, registerRunningKey, registerStatusItem } from './host/ui/chat/activity';
import type { ChatParts } from './host/ui/chat/chat-parts';
import { ChatPlaces } from './host/ui/chat/chat-places';
import { Choices } from './host/services/choices/choices';
import { Conversation } from './host/services/conversation/conversation';
import { keepGrant } from './host/services/runs/decide';
import { MessageBox } from './host/services/runs/message-box';
import { offerMove } from './host/ui/chat/move-offer';
import { Outbox } from './host/services/runs/outbox';
import { registerRunNotice } from './host/ui/chat/run-notice';
import { judgeInWindow } from './host/services/choices/run-setup';
import { SpokenProtocols } from './host/services/choices/spoken-protocols';
import { registerWaitingNotice } from './host/ui/chat/waiting-notice';
import { Gateway } from './host/services/gateway/gateway';
import { Inspector } from './host/ui/inspector/inspector';
import { RequestLog } from './host/ui/inspector/request-log';
import { Lab } from './host/ui/lab/lab';
import { Mcp } from './host/services/mcp/mcp';
import { CallStatistics, showCountsHint } from './host/services/models/call-statistics';
import { ModelServers } from './host/services/models/model-servers';
import { PublishedModels } from './host/services/models/published-models';
import { VsCodeModels } from './host/services/models/vscode-models';
import { Checkpoints, confirmRewind } from './host/services/sessions/checkpoints';
import { SandboxOffer } from './host/services/sandbox/sandbox-offer';
import { watchSandbox } from './host/services/sandbox/watch-sandbox';
import { registerSessionsTree, SavedSessions } from './host/services/sessions/saved-sessions';
import { registerContributedTools } from './host/services/tools/contributed-tools';
import type { OfferParts } from './host/services/tools/offer-parts';
import { ToolToggles } from './host/services/tools/tool-toggles';
import { placeForClick, registerToolsTree } from './host/ui/tools/tools-tree';
import { WindowTools } from './host/services/tools/window-tools';
import { registerCommands, registerFixActions } from './host/ui/commands';
import { DiffView } from './host/platform/diff-view';
import { Output } from './host/platform/output';
import { Secrets } from './host/platform/secrets';
import { registerIgnoredSettings, SettingsStore } from './host/platform/settings';
import { tellOutcome } from './host/platform/translated';
import type { WindowParts } from './host/platform/window-parts';
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
    listed: async () =>
      (await import('./host/services/tools/tool-facts')).listedNow({ settings, tools, choices }),
  });
  const gateway = own(new Gateway({ secrets, servers, output, choices, settings }));
  const offer: OfferParts = { choices, tools, toggles, mcp };

  const requests = new RequestLog();
  const attachments = own(new WindowContext({ ...window, ...offer }));
  const runParts = { ...window, ...offer, attachments, requests, servers };
  const prepare = async (signal: AbortSignal, options?: { readonly isPreview: true }) =>
    (await import('./host/services/runs/prepare-in-window')).prepareInWindow(runParts, signal, options);
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
  const lab = own(new Lab({ ...window, ...offer, conversation, gateway, servers, counts }));
  // The inspector starts no run that could be stopped.
  const prepareNow = () => prepare(new AbortController().signal, { isPreview: true });
  const inspector = own(
    new Inspector({ ...window, conversation, checkpoints, lab, requests, prepareRun: prepareNow }),
  );
  const place = async () =>
    (await import('./host/services/attachments/images-on-disk')).placeOfImages(context);
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
    inspector,
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
    (await import('./host/ui/chat/tell-waiting')).tellWaiting({ ...window, conversation, places });
  own(registerWaitingNotice({ activity, isSeen: () => places.isSeen, tell: () => void tellOfCall() }));
  own(registerIgnoredSettings(context.workspaceState));
  own(new PublishedModels({ settings, secrets, servers, served: gateway.served }));
  own(registerFixActions());
}

/** VS Code waits some seconds for this before it ends the extension host; it does not wait for disposal alone. */
export async function deactivate(): Promise<void> {
  await atEnd?.();
}
