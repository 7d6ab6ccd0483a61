import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import type { CommandId } from '../../manifest/commands';
import { views } from '../../manifest/views';
import { walkthroughId } from '../../manifest/walkthrough';
import { demoProfile, profileSecrets, type ModelProfile } from '../../models/profiles';
import { mentionPath } from '../attachments/dropped-paths';
import type { ChatParts } from '../chat/chat-parts';
import type { ChatPlaces } from '../chat/chat-places';
import type { Choices } from '../chat/choices';
import { startNewSession, unlessBusy } from '../chat/conversation';
import type { MessageBox } from '../chat/message-box';
import { moveChat } from '../chat/move-offer';
import type { Gateway } from '../gateway/gateway';
import type { Lab } from '../lab/lab';
import { mcpActions } from '../mcp/mcp-actions';
import type { ModelServers } from '../models/model-servers';
import { profileProblem } from '../models/profile-problem';
import type { SessionRef } from '../sessions/session-keeper';
import type { OfferParts } from '../tools/offer-parts';
import { isToolset, type ToolRow, type ToolToggles } from '../tools/tool-toggles';
import type { Secrets } from './secrets';
import type { WindowParts } from './window-parts';

/** The parts that commands act on. */
export type CommandParts = WindowParts &
  OfferParts &
  ChatParts & {
    readonly places: Pick<ChatPlaces, 'focus' | 'openInEditor'>;
    readonly servers: ModelServers;
    readonly gateway: Gateway;
  };

/** Arguments from VS Code depend on where a command is invoked. */
type Action = (...given: never[]) => unknown;

/** Every command of the manifest and its handler. */
export function registerCommands(parts: CommandParts): vscode.Disposable {
  const {
    conversation,
    settings,
    choices,
    secrets,
    toggles,
    output,
    saved,
    checkpoints,
    outbox,
    lab,
    inspector,
    servers,
    gateway,
    places,
  } = parts;
  const focusChat = (): Promise<void> => places.focus();
  const problemOf = (profile: ModelProfile): string | undefined =>
    profileProblem(profile, settings.get('models'));
  const findProtocol = (profile: ModelProfile): Promise<void> => lab.findProtocol(profile);
  const picker = { settings, choices, secrets, problemOf, servers, findProtocol };
  const actions: Record<CommandId, Action> = {
    newSession: async () => {
      await startNewSession(conversation);
      await focusChat();
    },
    openWalkthrough: () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `parley.parley#${walkthroughId}`),
    focusChat,
    openChatInEditor: () => places.openInEditor(),
    moveChat,
    showTools: () => vscode.commands.executeCommand(`${views.tools.id}.focus`),
    openSession: async (session?: SessionRef) => {
      await (await saved.load()).openSession(session);
      await focusChat();
    },
    searchSessions: async () => {
      if (await (await saved.load()).searchSessions()) await focusChat();
    },
    renameSession: async (session?: SessionRef) => (await saved.load()).renameSession(session),
    deleteSession: async (session?: SessionRef) => (await saved.load()).deleteSession(session),
    exportSession: async (session?: SessionRef) => (await saved.load()).exportSession(session),
    compactSession: () => unlessBusy(conversation.session, () => conversation.session.summarize()),
    // Ignores arguments of the caller: the user chooses.
    restoreCheckpoint: () => checkpoints.restore(),
    stop: () => outbox.stop(),
    ...editorActions(parts.messageBox, focusChat),
    selectModel: async () => (await import('../models/model-picker')).pickModel(picker),
    findLocalServers: async () => (await import('../models/add-model/add-model')).addModel(picker, 'machine'),
    addModel: async () => (await import('../models/add-model/add-model')).addModel(picker),
    importModels: async () =>
      (await import('../models/import-models/import-models')).importModels({
        ...picker,
        storage: parts.context.globalStorageUri,
      }),
    openModelSettings: () => openSettings('parley.models'),
    testConnection: async () => (await import('../models/model-picker')).testModel(undefined, picker),
    findProtocol: () => findProtocol(choices.profile ?? demoProfile),
    selectProtocol: () => choices.ask('protocol', vscode.l10n.t('Tool-calling protocol')),
    selectAgent: () => choices.ask('agent', vscode.l10n.t('Agent')),
    startGateway: () => gateway.start(),
    stopGateway: () => gateway.stop(),
    sandboxStatus: async () => (await import('../sandbox/sandbox-status')).showSandboxStatus(parts),
    setApiKey: () => setApiKey(choices, secrets),
    openLab: () => lab.open(),
    inspectReply: () => inspector.open(),
    showCalls: () => output.showCalls(),
    showLog: () => output.showLog(),
    enableAllTools: () => toggles.setAll(true),
    disableAllTools: () => toggles.setAll(false),
    resetToolToggles: () => toggles.reset(),
    ...toolRowActions(toggles, lab),
    ...mcpActions(parts.mcp, settings),
  };
  const store = new DisposableStore();
  for (const [id, action] of Object.entries(actions)) {
    store.add(vscode.commands.registerCommand(`parley.${id}`, action));
  }
  return store;
}

/** Commands that add something from the editor to the message box. */
function editorActions(messageBox: MessageBox, focusChat: () => Promise<void>) {
  const add = async (text: string | undefined): Promise<void> => {
    if (text === undefined) return;
    messageBox.add(text);
    await focusChat();
  };
  const load = () => import('../attachments/from-editor');
  return {
    addToChat: async () => add((await load()).selectionText()),
    addFileToChat: async (clicked?: unknown, all?: unknown) => {
      const given: readonly unknown[] = Array.isArray(all) ? all : [clicked];
      await add(await (await load()).filesText(given.filter((each) => each instanceof vscode.Uri)));
    },
    addTerminalSelectionToChat: async () => add(await (await load()).terminalSelectionText()),
    addTerminalToChat: () => add('@terminal'),
    fixProblem: async (uri?: vscode.Uri, problems?: readonly vscode.Diagnostic[]) =>
      add(await (await load()).problemText(uri, problems)),
  } satisfies Partial<Record<CommandId, Action>>;
}

/** Commands on rows of the tools tree. Only the tree knows which row is meant. */
function toolRowActions(toggles: ToolToggles, lab: Lab) {
  return {
    tryInLab: async (row?: ToolRow) => {
      if (row && !isToolset(row)) await lab.tryTool(row.spec.name);
    },
    copyToolName: async (row?: ToolRow) => {
      if (row && !isToolset(row)) await vscode.env.clipboard.writeText(row.spec.name);
    },
    defineToolAlways: async (row?: ToolRow) => row && toggles.define(row, true),
    defineToolOnDemand: async (row?: ToolRow) => row && toggles.define(row, 'onDemand'),
    keepToolInWorkspace: async (row?: ToolRow) => row && toggles.keep(row, 'workspace'),
    keepToolForUser: async (row?: ToolRow) => row && toggles.keep(row, 'user'),
    resetTool: async (row?: ToolRow) => row && toggles.forget(row),
  } satisfies Partial<Record<CommandId, Action>>;
}

async function openSettings(query: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', query);
}

async function setApiKey(choices: Choices, secrets: Secrets): Promise<void> {
  const { profile } = choices;
  if (profile?.baseUrl !== undefined) return setSecret(profile, profile.baseUrl, secrets);
  const open = vscode.l10n.t('Open Settings');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'This model needs no key. Pick a model with an address first, or add one to "parley.models".',
    ),
    open,
  );
  if (answer === open) await openSettings('parley.models');
}

/** The key of the profile, or one of the secrets named in its headers. */
async function setSecret(profile: ModelProfile, baseUrl: string, secrets: Secrets): Promise<void> {
  const title = profile.name ?? profile.id;
  const names = profileSecrets(profile);
  if (names.length === 0) {
    await secrets.askForKey(title, baseUrl);
    return;
  }
  const state = (secret: string | undefined): string =>
    secret === undefined ? vscode.l10n.t('not set') : vscode.l10n.t('set');
  const key = { label: vscode.l10n.t('API key'), description: state(await secrets.keyFor(baseUrl)) };
  const named = await Promise.all(
    names.map(async (name) => ({
      label: name,
      description: state(await secrets.named(name, baseUrl)),
      name,
    })),
  );
  const item = await vscode.window.showQuickPick<{ label: string; name?: string }>([...named, key], {
    title: vscode.l10n.t('Secrets of {0}', title),
  });
  if (!item) return;
  if (item.name === undefined) await secrets.askForKey(title, baseUrl);
  else await secrets.askForNamed(item.name, title, baseUrl);
}

/**
 * "Fix with Parley" for problems of the editor, in the light bulb and in the Problems view. It only writes a message.
 */
export function registerFixActions(): vscode.Disposable {
  const kind = vscode.CodeActionKind.QuickFix;
  return vscode.languages.registerCodeActionsProvider(
    '*',
    {
      provideCodeActions({ uri }, _, { diagnostics }) {
        const problems = diagnostics.filter(({ severity }) => severity !== vscode.DiagnosticSeverity.Hint);
        if (problems.length === 0 || mentionPath(uri) === undefined) return [];
        const title = vscode.l10n.t('Fix with Parley');
        const action = new vscode.CodeAction(title, kind);
        action.diagnostics = problems;
        action.command = { title, command: 'parley.fixProblem', arguments: [uri, problems] };
        return [action];
      },
    },
    { providedCodeActionKinds: [kind] },
  );
}
