import { realpathSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import { limits } from '../../../base/limits';
import { noticeText } from '../../../base/text';
import type { Tool } from '../../../core/words/tool';
import { ApprovalFiles } from '../../../mcp/approval-files';
import type { McpSurroundings, ServerState } from '../../../mcp/ports';
import type { McpServer } from '../../../mcp/server';
import { McpServers } from '../../../mcp/servers';
import { readImage } from '../../../node/files/images';
import { startServerProgram } from '../../../node/processes/start-program';
import { localFolders } from '../../platform/local-folders';
import { approveServer, reviewTools } from './approve-server';
import { askForm } from './ask-form';
import { ConfigProblems } from './config-files';
import { findMcpServers, type FoundServers } from './find-servers';
import type { Platform } from '../../platform/platform';
import { onOneLine } from '../../platform/input-text';
import { Inputs } from './inputs';
import { mcpInChat, type McpInChat } from './mcp-in-chat';
import { locateServer, resolveServer, serverAddress } from './resolve-server';
import { ServerLogs } from './server-logs';
import { shownName, type ConfigProblemRow, type ShownServer } from './shown-server';
import { SignIns } from './sign-in';

export interface McpPlatform extends Pick<Platform, 'context' | 'settings' | 'secrets' | 'diffs'> {
  readonly output: Pick<Platform['output'], 'error' | 'warn'>;
}

/** The MCP servers of a window, if there are any: found, approved, started, shown. A separate bundle. */
export class McpWindow implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());
  private readonly approvals: ApprovalFiles;
  private readonly inputs: Inputs;
  private readonly logs: ServerLogs;
  private readonly servers: McpServers;
  private readonly signIns: SignIns;
  private readonly diagnostics = this.store.add(new ConfigProblems());
  private found: FoundServers = { servers: [], problems: [] };
  /** Names of servers that the user has stopped. */
  private readonly stopped = new Set<string>();
  private hasAsked = false;

  readonly onDidChange = this.changed.event;
  readonly inChat: McpInChat;

  constructor(private readonly parts: McpPlatform) {
    const { context, secrets, output } = parts;
    this.approvals = new ApprovalFiles(vscode.Uri.joinPath(context.globalStorageUri, 'mcp').fsPath);
    this.inputs = new Inputs(secrets);
    this.logs = this.store.add(new ServerLogs((text) => secrets.redact(text)));
    this.signIns = this.store.add(new SignIns({ context, secrets, log: output }));
    const surroundings = this.surroundings();
    this.servers = this.store.add(new McpServers(surroundings));
    this.inChat = mcpInChat(this.servers, surroundings);
    this.servers.onDidChange(() => this.show());
  }

  /** Applies the current configuration. While MCP is off, there are no servers. */
  async update(isOn: boolean): Promise<void> {
    const found = isOn
      ? await findMcpServers(this.parts.settings.get('mcp.servers'))
      : { servers: [], problems: [] };
    const isSame = JSON.stringify(found) === JSON.stringify(this.found);
    this.found = found;
    if (isSame) return;
    const before = this.servers.all;
    this.servers.update(found.servers.map(({ configured }) => configured));
    for (const gone of before) if (!this.isCurrent(gone)) this.inputs.cancel(gone.configured);
    void this.start()
      .then(() => this.askToReview())
      .catch((error: unknown) => this.parts.output.error(error));
  }

  /**
   * Starts servers that may run. Resolves when the state of each is known, without waiting for sign-ins. Never
   * rejects.
   */
  async start(): Promise<void> {
    const wanted = this.servers.all.filter(
      ({ name, state }) => !this.stopped.has(name) && state.type !== 'signing-in',
    );
    await Promise.all(wanted.map(startedOrSigningIn));
  }

  tools(): readonly Tool[] {
    return this.servers.tools();
  }

  get hasServers(): boolean {
    return this.servers.all.length > 0;
  }

  get shown(): readonly ShownServer[] {
    return this.servers.all.map((server) => ({
      name: server.name,
      toolsetId: this.servers.toolsetOf(server),
      state: this.stateOf(server),
      flaws: server.flaws.map((flaw) => this.parts.secrets.redact(flaw)),
      hasInputs: server.configured.inputs !== undefined,
      isSignedIn: this.signIns.isSignedIn(server.name),
    }));
  }

  get problems(): readonly ConfigProblemRow[] {
    return this.found.problems;
  }

  allowTool(digest: string): void {
    this.approvals.allow(digest);
  }

  /** Without a name, the user picks a suitable server. */
  async approve(name?: string): Promise<void> {
    const server = await this.pick(name, ({ state }) => state.type === 'unapproved');
    if (!server) return;
    this.stopped.delete(server.name);
    const { approvals } = this;
    const isCurrent = (each: McpServer): boolean => this.isCurrent(each);
    await approveServer(server, { approvals, diffs: this.parts.diffs, isCurrent });
  }

  async review(name?: string): Promise<void> {
    const isChanged = ({ state }: McpServer): boolean => state.type === 'running' && state.changed.length > 0;
    const server = await this.pick(name, isChanged);
    if (server) await reviewTools(server, this.parts.diffs);
  }

  async restart(name?: string): Promise<void> {
    const server = await this.pick(name, ({ state }) => state.type !== 'unapproved');
    if (!server) return;
    this.stopped.delete(server.name);
    this.inputs.cancel(server.configured);
    await server.startAnew();
  }

  async stop(name?: string): Promise<void> {
    const server = await this.pick(
      name,
      ({ state }) => !['unapproved', 'stopped', 'failed'].includes(state.type),
    );
    if (!server) return;
    this.stopped.add(server.name);
    // It may be waiting for the user.
    this.inputs.cancel(server.configured);
    await server.stop();
  }

  async showLog(name?: string): Promise<void> {
    const server = await this.pick(name, () => true);
    if (server) this.logs.show(server.name);
  }

  /** Deletes the tokens of a sign-in; without them the server cannot continue. */
  async signOut(name?: string): Promise<void> {
    const server = await this.pick(name, ({ configured }) => configured.definition.type === 'http');
    if (!server) return;
    this.stopped.add(server.name);
    this.inputs.cancel(server.configured);
    await server.stop();
    const isDone = await this.signIns.signOut(server.name, serverAddress(server.configured));
    const shown = noticeText(shownName(server.name));
    const text = isDone
      ? vscode.l10n.t('You signed out of {0}. Restart the server to sign in again.', shown)
      : vscode.l10n.t(
          'You are still signed in: the address of {0} is known only after it has started in this window. Start it, then sign out.',
          shown,
        );
    void vscode.window.showInformationMessage(text);
  }

  /** Inputs of a server are asked for again at its next start. */
  async forgetInputs(name?: string): Promise<void> {
    const server = await this.pick(name, ({ configured }) => configured.inputs !== undefined);
    if (!server) return;
    await this.inputs.forget(server.configured);
    const text =
      'The values you entered for {0} were deleted. You are asked again when the server next starts.';
    void vscode.window.showInformationMessage(vscode.l10n.t(text, noticeText(shownName(server.name))));
  }

  /** The file of a server; nothing for the user's settings. */
  locationOf(name: string): vscode.Location | undefined {
    return this.found.servers.find(({ configured }) => configured.name === name)?.location;
  }

  end(): Promise<void> {
    for (const { configured } of this.servers.all) this.inputs.cancel(configured);
    return this.servers.end();
  }

  dispose(): void {
    this.store.dispose();
  }

  private surroundings(): McpSurroundings {
    const { secrets } = this.parts;
    const { inputs } = this;
    return {
      limits,
      approvals: this.approvals,
      locate: (server) => locateServer(server, rootPaths()),
      resolve: (server, executable) => resolveServer(server, executable, { inputs, secrets }),
      startProgram: (program) => startServerProgram(program, rootPaths()),
      // Looked up at each request, because VS Code replaces it with one that knows the user's proxies.
      fetch: (input, init) => fetch(input, init),
      imageOf: (bytes) => {
        const facts = readImage(bytes);
        return facts?.isWhole ? { mediaType: facts.mediaType, data: bytes.toString('base64') } : undefined;
      },
      roots: () =>
        localFolders(vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
          uri: uri.toString(),
          name,
        })),
      onRootsChange: (listener) => vscode.workspace.onDidChangeWorkspaceFolders(listener),
      elicit: askForm,
      signIn: (server, url) => this.signIns.signIn(server, url),
      log: (server, text) => this.logs.add(server, text),
      onSurvivors: (server, pids) => {
        const text = 'These processes of the MCP server {0} could not be ended: {1}. End them manually.';
        const shown = noticeText(shownName(server));
        void vscode.window.showWarningMessage(vscode.l10n.t(text, shown, pids.join(', ')));
      },
    };
  }

  private show(): void {
    const failed = this.servers.all.flatMap((server) => {
      const { name } = server;
      const state = this.stateOf(server);
      const location = this.locationOf(name);
      return state.type === 'failed' && location ? [{ name, problem: state.problem, location }] : [];
    });
    this.diagnostics.show(this.found.problems, failed);
    this.changed.fire(undefined);
  }

  /** In displayable form, because the reason may be in the server's own words. */
  private stateOf({ state }: McpServer): ServerState {
    const { secrets } = this.parts;
    if (state.type === 'failed') return { ...state, problem: secrets.redact(state.problem) };
    if (state.type === 'starting' && state.output !== undefined)
      return { ...state, output: secrets.redact(state.output) };
    return state;
  }

  /** Once per window. */
  private async askToReview(): Promise<void> {
    const unapproved = this.servers.all.filter(({ state }) => state.type === 'unapproved');
    if (this.hasAsked || unapproved.length === 0) return;
    this.hasAsked = true;
    const review = vscode.l10n.t('Review');
    const [first] = unapproved;
    const text =
      unapproved.length === 1
        ? vscode.l10n.t(
            'The MCP server {0} is waiting for your approval.',
            noticeText(shownName(first?.name ?? '')),
          )
        : vscode.l10n.t('{0} MCP servers are waiting for your approval.', unapproved.length);
    if ((await vscode.window.showInformationMessage(text, review)) === review) await this.approve();
  }

  /** The server of this name, the only suitable one, or the user's pick. */
  private async pick(
    name: string | undefined,
    fits: (server: McpServer) => boolean,
  ): Promise<McpServer | undefined> {
    if (name !== undefined) return this.servers.get(name);
    const [first, ...others] = this.servers.all.filter(fits);
    if (!first) {
      tellNone();
      return undefined;
    }
    if (others.length === 0) return first;
    const items = [first, ...others].map((server) => ({ label: onOneLine(server.name), server }));
    const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('MCP server') });
    // It may have been changed or removed while the list was open.
    if (!picked || this.isCurrent(picked.server)) return picked?.server;
    tellNone();
    return undefined;
  }

  private isCurrent(server: McpServer): boolean {
    return this.servers.get(server.name) === server;
  }
}

function tellNone(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t('No MCP server supports this action now. Check the servers in the Tools view.'),
  );
}

function startedOrSigningIn(server: McpServer): Promise<void> {
  return new Promise((resolve) => {
    const listening = server.onDidChange(() => {
      if (server.state.type === 'signing-in') done();
    });
    const done = (): void => {
      listening.dispose();
      resolve();
    };
    void server.start().then(done);
  });
}

/** As named and as resolved: programs of the workspace are found through neither. */
function rootPaths(): readonly string[] {
  const named = localFolders(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return [...new Set([...named, ...named.map(realPath)])];
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // A missing folder.
    return path.resolve(folder);
  }
}
