import { Emitter, type Disposable } from '../base/disposable';
import { toggleOf, type AgentTools, type ToolCallConfig } from '../core/words/config';
import type { Tool } from '../core/words/tool';

/** Where tools come from: the built-in list, an MCP server. */
export interface ToolSource {
  readonly tools: () => readonly Tool[];
  /** Fires when the result of `tools` changes; absent if it never does. */
  readonly onDidChange?: (listener: () => void) => Disposable;
}

/** A toolset with the methods that were asked for. */
export interface DiscoveredToolset {
  readonly toolsetId: string;
  readonly methods: readonly Tool[];
}

export type ToggleConfig = Pick<
  ToolCallConfig,
  'enabled' | 'toolToggles' | 'defaultToolEnabled' | 'agentTools'
>;

/** Knows every tool, and which of them a model may be offered. */
export class ToolRegistry implements Disposable {
  private readonly sources = new Map<ToolSource, Disposable | undefined>();
  private readonly changes = new Emitter<void>();
  private known: readonly Tool[] | undefined;

  readonly onDidChange = this.changes.event;

  constructor(...sources: readonly ToolSource[]) {
    for (const source of sources) this.add(source);
  }

  /** Adds the tools of a source until the returned object is disposed. */
  add(source: ToolSource): Disposable {
    this.sources.set(
      source,
      source.onDidChange?.(() => this.change()),
    );
    this.change();
    return {
      dispose: () => {
        this.sources.get(source)?.dispose();
        if (this.sources.delete(source)) this.change();
      },
    };
  }

  /** Methods that agents may call, or those that the filter lets through, by toolset. */
  getDiscoveredMethods(
    filter: (tool: Tool) => boolean = (tool) => tool.agentCallable,
  ): readonly DiscoveredToolset[] {
    const toolsets = new Map<string, Tool[]>();
    for (const tool of this.all().filter(filter)) {
      toolsets.set(tool.toolset, [...(toolsets.get(tool.toolset) ?? []), tool]);
    }
    return [...toolsets].map(([toolsetId, methods]) => ({ toolsetId, methods }));
  }

  /** The tools that a model is told about. */
  offered(config: ToggleConfig): readonly Tool[] {
    if (!config.enabled) return [];
    return this.all().filter(
      (tool) => isOfferable(tool) && isSwitchedOn(tool, config) && isAllowedTo(tool, config.agentTools),
    );
  }

  /** By wire name, else by the qualified form `toolsetId_methodName`. An MCP name is never split. */
  resolve(name: string): Tool | undefined {
    const exact = this.all().find((tool) => tool.spec.name === name);
    if (exact || name.startsWith('mcp_')) return exact;
    const split = name.lastIndexOf('_');
    const [toolset, method] = [name.slice(0, Math.max(split, 0)), name.slice(split + 1)];
    return this.all().find((tool) => tool.toolset === toolset && tool.method === method);
  }

  /** A sentence about a tool that exists but is not offered; nothing for any other name. */
  whyUnavailable(name: string, config: ToggleConfig): string | undefined {
    const tool = this.resolve(name);
    if (!tool) return undefined;
    if (!tool.agentCallable) return `The tool "${tool.spec.name}" is not for models.`;
    if (!config.enabled) return `Tool calling is switched off, so "${tool.spec.name}" cannot run.`;
    if (tool.whyNotOffered !== undefined) return tool.whyNotOffered;
    if (!isSwitchedOn(tool, config)) return `The tool "${tool.spec.name}" is switched off in the tools view.`;
    if (isAllowedTo(tool, config.agentTools)) return undefined;
    return `The agent "${config.agentTools?.agent ?? ''}" may not use "${tool.spec.name}".`;
  }

  dispose(): void {
    for (const subscription of this.sources.values()) subscription?.dispose();
    this.sources.clear();
    this.changes.dispose();
  }

  /** The first tool with a name wins: nothing that comes later can replace a built-in tool. */
  private all(): readonly Tool[] {
    if (this.known) return this.known;
    const byName = new Map<string, Tool>();
    for (const source of this.sources.keys()) {
      for (const tool of source.tools()) {
        if (!byName.has(tool.spec.name)) byName.set(tool.spec.name, tool);
      }
    }
    this.known = [...byName.values()];
    return this.known;
  }

  private change(): void {
    this.known = undefined;
    this.changes.fire();
  }
}

/** Whether its toggle makes a difference. */
export function isOfferable({ agentCallable, whyNotOffered }: Tool): boolean {
  return agentCallable && whyNotOffered === undefined;
}

/** Whether the settings switch a tool on. */
export function isSwitchedOn(
  tool: Tool,
  { toolToggles, defaultToolEnabled }: Pick<ToolCallConfig, 'toolToggles' | 'defaultToolEnabled'>,
): boolean {
  const toggle = toggleOf(tool, toolToggles) ?? (defaultToolEnabled && tool.offByDefault !== true);
  return toggle !== false;
}

/** Whether the selected agent may use a tool if it is switched on. */
export function isAllowedTo(tool: Tool, agent: AgentTools | undefined): boolean {
  if (agent === undefined) return true;
  if (agent.readOnly && tool.effect !== 'read') return false;
  return (toggleOf(tool, agent.toolToggles) ?? agent.defaultToolEnabled) !== false;
}

/** Prefix of our tool names where other programs list them beside their tools. */
const PREFIX = 'parley_';

/** Whether other programs may call a tool: the toolset `agent` is part of the loop of a conversation. */
export function isContributed({ toolset }: Tool): boolean {
  return toolset !== 'agent';
}

export function contributedName({ spec }: Tool): string {
  return PREFIX + spec.name;
}

export function isContributedName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** The wire name. */
export function wireNameOf(contributed: string): string {
  return contributed.slice(PREFIX.length);
}
