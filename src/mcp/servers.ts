import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { Emitter, type Disposable } from '../base/disposable';
import type { Json } from '../base/json';
import type { Tool } from '../core/words/tool';
import type { ConfiguredServer } from './definition';
import { digest } from './pins';
import type { McpSurroundings } from './ports';
import { ProgramFiles } from './program-files';
import { readSchema, type ReadSchema } from './schema';
import { McpServer } from './server';
import { serverTool } from './server-tool';
import { safeNames } from './tool-names';

/** All MCP servers of a window; a source of tools like the built-in list. */
export class McpServers implements Disposable {
  private readonly changes = new Emitter<void>();
  private running: readonly McpServer[] = [];
  private built: readonly Tool[] | undefined;
  private readonly schemas = new WeakMap<ListedTool, ReadSchema>();
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
    return all.map(({ server, listed, toolset }, at) => {
      const { state } = server;
      const isChanged = state.type === 'running' && state.changed.includes(listed.name);
      const offered = {
        listed,
        wireName: names[at] ?? '',
        server: { name: server.name, toolset },
        digest: digest(server.pinnedText(listed)),
        read: this.schemaOf(listed),
        ...(isChanged && { problem: CHANGED }),
      };
      return serverTool(offered, (...call) => server.callTool(...call), this.surroundings);
    });
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

const CHANGED = 'It has changed since you last saw it. Review its changes in the Tools view.';
