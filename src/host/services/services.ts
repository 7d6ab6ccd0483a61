import * as vscode from 'vscode';
import { ModelFacts } from '../../models/model-facts';
import type { Platform } from '../platform/platform';
import { KeptImages } from './attachments/kept-images';
import { PastedImages } from './attachments/pasted-images';
import { WindowContext } from './attachments/window-context';
import { Choices } from './choices/choices';
import { judgeInWindow } from './choices/run-setup';
import { SpokenProtocols } from './choices/spoken-protocols';
import { Conversation } from './conversation/conversation';
import { RequestLog } from './conversation/request-log';
import { Gateway } from './gateway/gateway';
import { Mcp } from './mcp/mcp';
import { CallStatistics } from './models/call-statistics';
import { ModelServers } from './models/model-servers';
import { PublishedModels } from './models/published-models';
import { VsCodeModels } from './models/vscode-models';
import { keepGrant } from './runs/decide';
import { MessageBox } from './runs/message-box';
import { Outbox } from './runs/outbox';
import { WorkspacePermissions } from './choices/workspace-permissions';
import { SandboxOffer } from './sandbox/sandbox-offer';
import { watchSandbox } from './sandbox/watch-sandbox';
import { Checkpoints, confirmRewind } from './sessions/checkpoints';
import { SavedSessions } from './sessions/saved-sessions';
import { SessionImages } from './sessions/session-images';
import { registerContributedTools } from './tools/contributed-tools';
import { targetForClick } from './tools/restricted-mode';
import { ToolToggles } from './tools/tool-toggles';
import { BackgroundCommands } from './tools/background-commands';
import { WindowTools } from './tools/window-tools';

/** What the user interface shows and acts on. */
export type Services = ReturnType<typeof createServices>;

/** The second floor, in order of dependency. */
export function createServices(platform: Platform) {
  const { context, settings, secrets, output, own } = platform;
  const onError = (error: unknown): void => output.error(error);

  const spoken = new SpokenProtocols(context.globalState);
  const facts = own(new ModelFacts(context.globalState, () => settings.get('models')));
  const servers = own(new ModelServers(secrets, facts));
  const vsCodeModels = own(new VsCodeModels());
  const counts = own(new CallStatistics(facts));
  const choices = own(new Choices(settings, spoken, vsCodeModels, context.workspaceState, servers, counts));
  const mcp = own(new Mcp(platform));
  const images = new SessionImages();
  const tools = own(new WindowTools(platform, mcp, images.keep));
  const toggles = new ToolToggles({
    settings,
    tools,
    targetForClick: () => targetForClick(settings),
    listed: async () => (await import('./tools/tool-facts')).listedNow({ settings, tools, choices }),
  });
  const gateway = own(new Gateway({ secrets, servers, output, choices, settings }));
  own(new PublishedModels({ settings, secrets, servers, served: gateway.served }));
  const attachments = own(new WindowContext({ ...platform, choices, mcp }));

  const permissions = new WorkspacePermissions(context.globalState, () =>
    (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()),
  );

  const requests = new RequestLog();
  const runParts = { ...platform, choices, tools, mcp, attachments, requests, servers };
  const prepareRun = async (signal: AbortSignal, options?: { readonly isPreview: true }) =>
    (await import('./runs/prepare-in-window')).prepareInWindow(runParts, signal, options);
  const conversation = own(
    new Conversation({
      prepareRun,
      judge: judgeInWindow(settings, choices, permissions),
      keep: keepGrant({ settings, output, mcp, permissions }),
      isAttended: true,
      onError,
    }),
  );
  const saved = own(new SavedSessions({ ...platform, conversation, images }));
  own(tools.follow(conversation));
  own(output.follow(conversation));
  own(requests.follow(conversation));
  own(spoken.follow(conversation, choices));
  own(counts.follow(conversation, choices));
  const checkpoints = new Checkpoints({ ...platform, tools, conversation, saved });
  const storage = async () => (await import('./attachments/images-on-disk')).imageStorage(context);
  const pasted = new PastedImages(attachments, new KeptImages({ storage, onError }));
  const outbox = own(
    new Outbox({
      conversation,
      attachments,
      images: pasted,
      confirmRewind: (entry) => confirmRewind(entry, { conversation, checkpoints }),
      onError,
    }),
  );
  const background = own(new BackgroundCommands(tools, conversation));
  const sandboxOffer = own(new SandboxOffer({ settings, memory: context.globalState }));
  own(sandboxOffer.follow(conversation));
  own(registerContributedTools({ ...platform, tools, choices }));
  own(watchSandbox({ settings, tools, output }));

  return {
    servers,
    counts,
    choices,
    mcp,
    tools,
    background,
    toggles,
    gateway,
    attachments,
    prepareRun,
    requests,
    conversation,
    permissions,
    saved,
    checkpoints,
    images: pasted,
    outbox,
    messageBox: new MessageBox(),
    sandboxOffer,
    /** Resolves when everything is saved and stopped. */
    end: () => Promise.all([saved.flush(), tools.endCommands(), mcp.end(), gateway.stop()]),
  };
}
