import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { Emitter, type Disposable } from '../base/disposable';
import type { Json } from '../base/json';
import type { Tool } from '../core/words/tool';
import type { Grant } from '../core/words/verdict';
import type { ConfiguredServer } from './definition';
import { digest } from './pins';
import type { McpSurroundings } from './ports';
import { ProgramFiles } from './program-files';
import { ConversationResources, readResource } from './read-resource';
import { readSchema, type ReadSchema } from './schema';
import { McpServer } from './server';
import { serverTool, type CallTool } from './server-tool';
import { safeNames } from './tool-names';

/** All MCP servers of a window; a source of tools like the built-in list. */
export class McpServers implements Disposable {
  private readonly changes = new Emitter<void>();
  private running: readonly McpServer[] = [];
  private built: readonly Tool[] | undefined;
  private readonly schemas = new WeakMap<ListedTool, ReadSchema>();
  private readonly resources = new ConversationResources();
  /** Servers that were removed. */
  private readonly leaving = new Set<Promise<void>>();

  readonly onDidChange = this.changes.event;

  private readonly files: ProgramFiles;

  constructor(private readonly surroundings: McpSurroundings) {
    this.files = new ProgramFiles(surroundings.limits);
  }

  get all(): readonly McpServer[] {
    return this.running;
  }

  get(name: string): McpServer | undefined {
    return this.running.find((server) => server.name === name);
  }

  /** The toolset of a server's tools. */
  toolsetOf(server: McpServer): string {
    return this.toolsets().get(server) ?? '';
  }

  /** Replaces the list of servers. A server with an unchanged definition continues. */
  update(configured: readonly ConfiguredServer[]): void {
    const kept = new Map(this.running.map((server) => [JSON.stringify(server.configured), server]));
    const next = configured.map((each) => {
      const key = JSON.stringify(each);
      const server = kept.get(key);
      kept.delete(key);
      return server ?? this.make(each);
    });
    for (const gone of kept.values()) {
      const left = gone.leave().finally(() => this.leaving.delete(left));
      this.leaving.add(left);
    }
    this.running = next;
    this.change();
  }

  /** Starts every server that may run and was not stopped. Resolves when the state of each is known. */
  async start(): Promise<void> {
    await Promise.all(this.running.map((server) => server.start()));
  }

  tools(): readonly Tool[] {
    return (this.built ??= this.build());
  }

  /** Resolves when all servers have ended. */
  async end(): Promise<void> {
    await Promise.all([...this.leaving, ...this.running.map((server) => server.stop())]);
  }

  dispose(): void {
    this.changes.dispose();
    for (const server of this.running) void server.leave();
  }

  private make(configured: ConfiguredServer): McpServer {
    const server = new McpServer(configured, this.surroundings, this.files);
    server.onDidChange(() => this.change());
    return server;
  }

  private toolsets(): ReadonlyMap<McpServer, string> {
    const names = safeNames(this.running.map(({ name }) => ({ plain: `mcp_${name}`, key: name })));
    return new Map(this.running.map((server, at) => [server, names[at] ?? '']));
  }

  private build(): readonly Tool[] {
    const toolsets = this.toolsets();
    const all = this.running.flatMap((server) =>
      server.offer.tools.map((listed) => ({ server, listed, toolset: toolsets.get(server) ?? '' })),
    );
    const names = safeNames(
      all.map(({ toolset, server, listed }) => ({
        plain: `${toolset}_${listed.name}`,
        key: `${server.name}\0${listed.name}`,
      })),
    );
    const grants = new Map(this.running.map((server) => [server, serverGrant(server)]));
    const ofServers = all.map(({ server, listed, toolset }, at) => {
      const { state } = server;
      const isChanged = state.type === 'running' && state.changed.includes(listed.name);
      const grant = grants.get(server);
      const offered = {
        listed,
        wireName: names[at] ?? '',
        server: { name: server.name, toolset },
        digest: digest(server.pinnedText(listed)),
        read: this.schemaOf(listed),
        ...(grant && { serverGrant: grant }),
        ...(isChanged && { problem: CHANGED }),
      };
      const call: CallTool = async (tool, args, options, caller) => {
        const result = await server.callTool(tool, args, options);
        this.resources.sawLinks(caller, server, result);
        return result;
      };
      return serverTool(offered, call, this.surroundings);
    });
    const withResources = this.running
      .filter(({ offer }) => offer.resources.length + offer.templates.length > 0)
      .map((server) => {
        const grant = grants.get(server);
        return { server, toolset: toolsets.get(server) ?? '', ...(grant && { grant }) };
      });
    if (withResources.length === 0) return ofServers;
    return [...ofServers, readResource(withResources, this.resources, this.surroundings)];
  }

  /** Parsed once per listing. */
  private schemaOf(listed: ListedTool): ReadSchema {
    const known = this.schemas.get(listed);
    if (known) return known;
    // SAFETY: it was received as JSON.
    const read = readSchema(listed.inputSchema as Json, this.surroundings.limits);
    this.schemas.set(listed, read);
    return read;
  }

  private change(): void {
    this.built = undefined;
    this.changes.fire();
  }
}

/** For all tools as they are now; none while the user has to review a change. */
function serverGrant(server: McpServer): Grant | undefined {
  const text = server.reviewedText;
  if (text === undefined) return undefined;
  return { type: 'mcp-server-in-session', server: server.name, digest: digest(text) };
}

const CHANGED = 'It has changed since you last saw it. Review its changes in the Tools view.';
