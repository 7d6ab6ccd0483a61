import { setTimeout as delay } from 'node:timers/promises';
import type {
  CallToolResult,
  GetPromptResult,
  ReadResourceResult,
  Tool as ListedTool,
} from '@modelcontextprotocol/client';
import { Emitter } from '../base/disposable';
import type { JsonObject } from '../base/json';
import { ToolError } from '../core/words/tool';
import { StartClock } from './call-clock';
import type { CallOptions, Connection, ListedOffer, Offer } from './connection';
import { canonicalDefinition, type ConfiguredServer } from './definition';
import { ProgramFiles } from './program-files';
import { openConnection, problemOf } from './open-connection';
import { changedTools, pinsOf, type Pins } from './pins';
import { ServerProblem, type McpSurroundings, type ServerState } from './ports';
import { mayDownload } from './start-time';
import { usableTools } from './tool-names';

/** Milliseconds in which repeated change notifications are merged. */
const BURST = 300;

const NOTHING: ListedOffer & Offer = {
  instructions: '',
  tools: [],
  prompts: [],
  resources: [],
  templates: [],
  flaws: [],
};

/** One configured server and its state. It runs only with a definition that the user has approved. */
export class McpServer {
  private readonly changes = new Emitter<void>();
  private current: ServerState = { type: 'stopped' };
  private connection: Connection | undefined;
  private listed: Offer = NOTHING;
  private shownFlaws: readonly string[] = [];
  /** The same, as it is pinned. */
  private listedPins: Pins = pinsOf(NOTHING);
  private pins: Pins | undefined;
  /** Of the definition of its last start. */
  private canonical = '';
  private starting: Promise<void> | undefined;
  private stopping = Promise.resolve();
  /** Aborts pending work when the server is to end. */
  private life = new AbortController();
  /** Times when it ended by itself, in milliseconds. */
  private ends: readonly number[] = [];
  private restart: ReturnType<typeof setTimeout> | undefined;
  private hasLeft = false;
  private isListing = false;
  private isStale = false;

  readonly onDidChange = this.changes.event;

  constructor(
    readonly configured: ConfiguredServer,
    private readonly surroundings: McpSurroundings,
    private readonly files = new ProgramFiles(surroundings.limits),
  ) {
    for (const remark of configured.options?.remarks ?? []) this.log(`[${remark}]`);
  }

  get name(): string {
    return this.configured.name;
  }

  get state(): ServerState {
    return this.current;
  }

  /** Its tools, prompts and resources while it runs. */
  get offer(): Offer {
    return this.listed;
  }

  /** What is wrong with its lists, in sentences for people. */
  get flaws(): readonly string[] {
    return this.shownFlaws;
  }

  /** Digest of everything shown to the user about a tool, and of the current definition. */
  pinnedText(tool: ListedTool): string {
    return [this.canonical, this.listedPins.instructions, this.listedPins.tools[tool.name] ?? ''].join('\0');
  }

  /** Starts it unless it is running, has failed or is disabled; resolves when its state is known. Never rejects. */
  start(): Promise<void> {
    const { type } = this.current;
    if (type === 'running' || type === 'failed' || type === 'restarting') return Promise.resolve();
    if (type === 'stopped' && this.configured.options?.isDisabled) return Promise.resolve();
    return this.begin();
  }

  /** Restarts it, also after a failure or stop. */
  async startAnew(): Promise<void> {
    this.ends = [];
    const stopped = this.stop();
    const { life } = this;
    await stopped;
    // A stop in the meantime takes precedence.
    if (life === this.life) await this.begin();
  }

  /** What the user would approve: the whole definition with its program and its content, as JSON. */
  async definitionToApprove(): Promise<string> {
    return (await this.located()).canonical;
  }

  private async located(): Promise<{ readonly executable: string | undefined; readonly canonical: string }> {
    const { configured, surroundings, files } = this;
    const executable = await surroundings.locate(configured);
    const canonical = canonicalDefinition(configured, executable, await files.of(configured, executable));
    return { executable, canonical };
  }

  /** Records the approval of what was shown, and starts. */
  async approve(shown: string): Promise<void> {
    await this.surroundings.approvals.approve(this.configured, shown);
    await this.startAnew();
  }

  /** Texts of the tools as last seen by the user, and as they are now. */
  difference(): { readonly before: Pins; readonly after: Pins } {
    return { before: this.pins ?? { instructions: '', tools: {} }, after: this.listedPins };
  }

  /** The user has seen the current tools. */
  async acceptChanges(shown: Pins): Promise<void> {
    await this.surroundings.approvals.pin(this.canonical, shown);
    this.pins = shown;
    if (this.current.type === 'running') this.show({ type: 'running', changed: this.changed() });
  }

  async callTool(tool: ListedTool, args: JsonObject, options: CallOptions): Promise<CallToolResult> {
    const connection = this.connected();
    // The tool may have changed since the question.
    if (this.changed().includes(tool.name))
      throw new ToolError(`${tool.name} has changed. Ask the user to look at it in the tools view.`);
    return connection.callTool(tool, args, options);
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<GetPromptResult> {
    return this.connected().getPrompt(name, args, signal);
  }

  async readResource(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    return this.connected().readResource(uri, signal);
  }

  /** Ends it with everything it has started. */
  stop(): Promise<void> {
    clearTimeout(this.restart);
    this.life.abort();
    this.life = new AbortController();
    this.stopping = this.stopping.then(() => this.windUp());
    return this.stopping;
  }

  /** Permanently: nothing starts it again. */
  leave(): Promise<void> {
    this.hasLeft = true;
    this.changes.dispose();
    return this.stop();
  }

  private async windUp(): Promise<void> {
    await this.starting;
    await this.disconnect();
    if (this.current.type !== 'stopped') this.show({ type: 'stopped' });
  }

  private begin(): Promise<void> {
    if (this.hasLeft) return Promise.resolve();
    this.starting ??= this.open(this.life.signal).finally(() => (this.starting = undefined));
    return this.starting;
  }

  private async open(life: AbortSignal): Promise<void> {
    try {
      const started = await this.ready(life);
      // A stop may have come at any moment.
      if (isOver(life)) await this.disconnect();
      else if (started === 'running') this.show({ type: 'running', changed: this.changed() });
      else this.show({ type: 'unapproved', isChanged: started === 'changed' });
    } catch (error) {
      await this.disconnect();
      if (!isOver(life)) this.fail(problemOf(error));
    }
  }

  /** Starts it until it can be called, if the definition is approved. */
  private async ready(life: AbortSignal): Promise<'running' | 'changed' | 'none'> {
    const { configured, surroundings } = this;
    const { approvals } = surroundings;
    const { executable, canonical } = await this.located();
    const approval = await approvals.of(configured, canonical);
    if (approval !== 'approved') return approval;
    this.canonical = canonical;
    this.show({ type: 'starting' });
    const resolved = await surroundings.resolve(configured, executable);
    life.throwIfAborted();
    // The user may have been asked for something meanwhile, and a file may have changed.
    const now = (await this.located()).canonical;
    life.throwIfAborted();
    if (now !== canonical) return 'changed';
    const pins = await approvals.pins(canonical);
    const ms = this.startTimeoutMs(pins === undefined);
    const clock = new StartClock(ms, life);
    try {
      const events = {
        onEnd: (reason: Promise<string>) => void this.endedByItself(reason),
        onListChanged: () => void this.listAnew(),
        onOutput: (text: string) => this.showOutput(text),
        onSigningIn: () => {
          // From here on, time is spent by the user.
          clock.stop();
          this.show({ type: 'signing-in' });
        },
        onSignedIn: () => {
          clock.start();
          this.show({ type: 'starting' });
        },
      };
      const connection = await openConnection({
        server: configured,
        resolved,
        surroundings,
        events,
        signal: clock.signal,
      });
      this.connection = connection;
      this.take(await connection.list(clock.signal));
      this.pins = pins;
      if (!this.pins) {
        // The approval before the first start covers the tools reported at that start.
        this.pins = this.listedPins;
        await approvals.pin(canonical, this.pins);
      }
      if (connection.isClosed) throw new ServerProblem('It ended before it was ready. Look at its log.');
      return 'running';
    } catch (error) {
      if (!clock.isOverdue) throw error;
      const text = `It was not ready after ${ms / 1_000} s. Look at its log and restart it.`;
      throw new ServerProblem(text, { cause: error });
    } finally {
      clock.stop();
    }
  }

  private startTimeoutMs(isFirst: boolean): number {
    const { definition, options } = this.configured;
    const { mcpStartTimeoutMs, mcpFirstStartTimeoutMs } = this.surroundings.limits;
    const usual = isFirst && mayDownload(definition) ? mcpFirstStartTimeoutMs : mcpStartTimeoutMs;
    return options?.startTimeoutMs ?? usual;
  }

  /** Shows how far a long start has come. */
  private showOutput(text: string): void {
    const output = text
      .trim()
      .split(/[\r\n]+/)
      .at(-1)
      ?.slice(0, LONGEST_OUTPUT);
    if (this.current.type === 'starting' && output) this.show({ type: 'starting', output });
  }

  private async endedByItself(ended: Promise<string>): Promise<void> {
    // During the start, the caller of it gets the error.
    if (this.current.type !== 'running') return;
    const { signal: life } = this.life;
    const { mcpRestarts, mcpRestartWindowMs, mcpRestartDelayMs } = this.surroundings.limits;
    const now = Date.now();
    this.ends = [...this.ends.filter((time) => now - time < mcpRestartWindowMs), now];
    const inMs = mcpRestartDelayMs * 2 ** (this.ends.length - 1);
    this.connection = undefined;
    this.take(NOTHING);
    this.show({ type: 'restarting', inMs });
    const reason = await ended;
    this.surroundings.log(this.name, `[It ended: ${reason}]`);
    if (isOver(life)) return;
    if (this.ends.length > mcpRestarts) {
      const minutes = mcpRestartWindowMs / 60_000;
      this.fail(
        `It ended ${this.ends.length} times in ${minutes} minutes, the last time with: ${reason}. Look at its log and restart it.`,
      );
    } else this.restart = setTimeout(() => void this.begin(), inMs);
  }

  /** Loads one list after another, however often the server reports changes. */
  private async listAnew(): Promise<void> {
    this.isStale = true;
    if (this.isListing) return;
    this.isListing = true;
    const { connection } = this;
    const { signal } = this.life;
    try {
      while (this.isStale && connection && connection === this.connection) {
        await delay(BURST, undefined, { signal });
        this.isStale = false;
        const limited = AbortSignal.any([
          signal,
          AbortSignal.timeout(this.surroundings.limits.mcpStartTimeoutMs),
        ]);
        this.take(await connection.list(limited));
        if (this.current.type === 'running') this.show({ type: 'running', changed: this.changed() });
      }
    } catch (error) {
      // The known lists may be outdated; a call of a removed tool fails at the server.
      if (!signal.aborted)
        this.surroundings.log(this.name, `[Its lists could not be read anew: ${problemOf(error)}]`);
    } finally {
      this.isListing = false;
    }
  }

  /** Loads as many items as allowed and counts the rest. A list that could not be read stays as it was. */
  private take(offer: ListedOffer): void {
    const { mcpToolsPerServer, mcpPrompts, mcpResources, mcpSchemaBytes } = this.surroundings.limits;
    const log = (text: string): void => this.log(text);
    const flaws = [...offer.flaws];
    const first = <T>(list: readonly T[], most: number, key: string): readonly T[] => {
      if (list.length > most) {
        const problem = `${list.length - most} of its ${list.length} ${key} are left out.`;
        log(`[${problem}]`);
        flaws.push(problem);
      }
      return list.slice(0, most);
    };
    const { tools, prompts, resources, templates } = { ...this.listed, ...offer };
    const listed = {
      instructions: (offer.instructions ?? '').slice(0, mcpSchemaBytes),
      tools: first(usableTools(tools, this.surroundings.limits, log), mcpToolsPerServer, 'tools'),
      prompts: first(prompts, mcpPrompts, 'prompts'),
      resources: first(resources, mcpResources, 'resources'),
      templates: first(templates, mcpResources, 'resourceTemplates'),
    };
    // On failure, the previous lists are kept.
    const listedPins = pinsOf(listed);
    this.listed = listed;
    this.listedPins = listedPins;
    this.shownFlaws = flaws;
  }

  private changed(): readonly string[] {
    return changedTools(this.pins, this.listedPins);
  }

  private connected(): Connection {
    if (this.connection && this.current.type === 'running') return this.connection;
    throw new ToolError(
      `The MCP server ${this.name} does not run. Do without it, or ask the user to start it.`,
    );
  }

  private async disconnect(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    this.take(NOTHING);
    const survivors = (await connection?.close()) ?? [];
    if (survivors.length > 0) this.surroundings.onSurvivors(this.name, survivors);
  }

  private log(text: string): void {
    this.surroundings.log(this.name, text);
  }

  private fail(problem: string): void {
    this.log(`[${problem}]`);
    this.show({ type: 'failed', problem });
  }

  private show(state: ServerState): void {
    this.current = state;
    this.changes.fire();
  }
}

/** Characters of the last line that are shown. */
const LONGEST_OUTPUT = 200;

/** Read each time, because it changes during a wait. */
function isOver(life: AbortSignal): boolean {
  return life.aborted;
}
