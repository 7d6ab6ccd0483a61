import {
  Client,
  ProtocolError,
  UnauthorizedError,
  type CallToolResult,
  type ElicitResult,
  type GetPromptResult,
  type jsonSchemaValidator,
  type JsonSchemaValidator,
  type Prompt,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
  type Tool as ListedTool,
  type Transport,
} from '@modelcontextprotocol/client';
import { orAborted, unlessAborted } from '../base/async';
import type { Disposable } from '../base/disposable';
import type { JsonObject } from '../base/json';
import { visibleText } from '../base/text';
import { CallClock } from './call-clock';
import type { ConfiguredServer } from './definition';
import { readForm, type Form } from './form';
import { MendingTransport } from './mending-transport';
import type { McpSurroundings, ServerProcess } from './ports';

/** Lists that a server offers. */
export interface Offer {
  readonly instructions: string;
  readonly tools: readonly ListedTool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
}

/** The lists as they were read; one that failed is missing. */
export interface ListedOffer extends Partial<Offer> {
  /** What is wrong with the lists, in sentences for people. */
  readonly flaws: readonly string[];
}

export interface ConnectionEvents {
  /** It ended by itself: the reason as a clause, after all its processes have ended. Not called after `close`. */
  readonly onEnd: (reason: Promise<string>) => void;
  /** One of its lists has changed. */
  readonly onListChanged: () => void;
  /** Its program has written to its error output. */
  readonly onOutput: (text: string) => void;
  /** The user must sign in before it can be used. */
  readonly onSigningIn: () => void;
  /** The user has signed in. */
  readonly onSignedIn: () => void;
}

interface ConnectionParts {
  readonly server: ConfiguredServer;
  readonly surroundings: McpSurroundings;
  readonly events: ConnectionEvents;
  /** For a server started here. */
  readonly program?: ServerProcess;
  /** Asks the user to sign in for more permissions. Absent without sign-in. */
  readonly signIn?: (signal: AbortSignal) => Promise<void>;
  /** Tells a server over HTTP that its session is over. */
  readonly endSession?: () => Promise<void>;
}

/** Options of a call besides its arguments. */
export interface CallOptions {
  readonly signal: AbortSignal;
  /** Progress lines for display. */
  readonly onProgress: (text: string) => void;
}

const CLIENT = { name: 'parley', title: 'Parley', version: '0.1.0' };

/** The SDK's timeouts are disabled: each call has a clock here, and a start has one as a whole. */
const NEVER = 2 ** 31 - 1;

/** One connection to one server, from its handshake until one side ends it. */
export class Connection {
  /** No more requests are possible. */
  isClosed = false;
  /** The limit it broke, if it was ended for that. */
  breach: string | undefined;
  private readonly client: Client;
  private readonly calls = new Set<CallClock>();
  private readonly owned: Disposable[] = [];
  private readonly life = new AbortController();
  private signingIn: Promise<void> | undefined;
  private isAsking = false;
  /** What was left out of the lists that are being read. */
  private flaws: string[] = [];
  /** Number of consecutive forms. */
  private dismissed = 0;

  /** `legacy` uses the handshake of servers before 2026; `auto` finds out which one the server knows. */
  constructor(
    private readonly parts: ConnectionParts,
    mode: 'legacy' | 'auto',
  ) {
    // A server without pauses would delay this forever; list callers batch bursts themselves.
    const changed = { autoRefresh: false, debounceMs: 0, onChanged: () => parts.events.onListChanged() };
    this.client = new Client(CLIENT, {
      // No sampling: a server never uses the user's model.
      capabilities: { roots: { listChanged: true }, elicitation: { form: {} } },
      versionNegotiation: { mode },
      listChanged: { tools: changed, prompts: changed, resources: changed },
      // The transport ends lists, so that what was read is kept.
      listMaxPages: 0,
      jsonSchemaValidator: laxValidator,
    });
    this.serve();
  }

  async connect(transport: Transport, signal: AbortSignal): Promise<void> {
    this.client.onclose = () => this.ended();
    this.client.onerror = (error) => this.log(error.message);
    const mending = new MendingTransport(transport, {
      maxPages: this.parts.surroundings.limits.mcpListPages,
      onFlaw: (flaw) => {
        this.log(`[${flaw}]`);
        this.flaws.push(flaw);
      },
    });
    await this.client.connect(mending, { timeout: NEVER, signal });
  }

  /** Each list on its own: one that cannot be read costs only itself. */
  async list(signal: AbortSignal): Promise<ListedOffer> {
    this.flaws = [];
    const { client } = this;
    const can = client.getServerCapabilities();
    // Tools are what a server is for; the start waits for them.
    const soon = AbortSignal.any([signal, AbortSignal.timeout(this.parts.surroundings.limits.mcpListMs)]);
    const optionsOf = (ends: AbortSignal) => ({ signal: ends, timeout: NEVER, cacheMode: 'bypass' }) as const;
    const read = <T>(list: string, isOffered: boolean, ask: () => Promise<readonly T[]>) =>
      isOffered ? this.listOrFlaw(list, ask, signal) : Promise.resolve([]);
    const [tools, prompts, resources, templates] = await Promise.all([
      read(
        'tools',
        can?.tools !== undefined,
        async () => (await client.listTools(undefined, optionsOf(signal))).tools,
      ),
      read(
        'prompts',
        can?.prompts !== undefined,
        async () => (await client.listPrompts(undefined, optionsOf(soon))).prompts,
      ),
      read(
        'resources',
        can?.resources !== undefined,
        async () => (await client.listResources(undefined, optionsOf(soon))).resources,
      ),
      read(
        'resourceTemplates',
        can?.resources !== undefined,
        async () => (await client.listResourceTemplates(undefined, optionsOf(soon))).resourceTemplates,
      ),
    ]);
    return {
      instructions: client.getInstructions() ?? '',
      ...(tools && { tools }),
      ...(prompts && { prompts }),
      ...(resources && { resources }),
      ...(templates && { templates }),
      flaws: this.flaws,
    };
  }

  /** Nothing if the list cannot be read. */
  private async listOrFlaw<T>(
    list: string,
    ask: () => Promise<readonly T[]>,
    signal: AbortSignal,
  ): Promise<readonly T[] | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || this.isClosed || error instanceof UnauthorizedError) throw error;
      if (error instanceof ProtocolError && error.code === METHOD_NOT_FOUND) return [];
      const said = error instanceof Error ? error.message : String(error);
      const shown = visibleText(said.replace(/\s+/g, ' ').slice(0, MOST_SAID));
      const problem = `Its ${list} could not be read: ${shown}`;
      this.log(`[${problem}]`);
      this.flaws.push(problem);
      return undefined;
    }
  }

  /** A call ends after a time without activity; waiting for the user does not count. */
  async callTool(tool: ListedTool, args: JsonObject, options: CallOptions): Promise<CallToolResult> {
    const ms = this.callTimeoutMs;
    const clock = new CallClock(ms, options.signal);
    this.calls.add(clock);
    // A form of an earlier call may still be open; its answer counts for this call, too.
    if (this.isAsking) clock.pause();
    try {
      return await this.authorized(clock, () => this.call(tool, args, options, clock));
    } catch (error) {
      if (clock.isOverdue) throw new Overdue(ms);
      throw error;
    } finally {
      this.calls.delete(clock);
      clock.dispose();
    }
  }

  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<GetPromptResult> {
    return this.client.getPrompt({ name, arguments: { ...args } }, this.limited(signal));
  }

  readResource(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    return this.client.readResource({ uri }, { ...this.limited(signal), cacheMode: 'bypass' });
  }

  /** Ends the session and the program with everything it has started. Returns processes that are still running. */
  async close(): Promise<readonly number[]> {
    this.isClosed = true;
    this.life.abort();
    for (const part of this.owned.splice(0)) part.dispose();
    const { endSession, surroundings } = this.parts;
    // An HTTP server keeps a session until told otherwise, and may be gone; the wait is short.
    if (endSession) await within(surroundings.limits.mcpGoodbyeMs, endSession());
    await this.client.close().catch(() => undefined);
    return (await this.parts.program?.end()) ?? [];
  }

  private call(
    tool: ListedTool,
    args: JsonObject,
    { onProgress }: CallOptions,
    clock: CallClock,
  ): Promise<CallToolResult> {
    return this.client.callTool(
      { name: tool.name, arguments: { ...args } },
      {
        timeout: NEVER,
        signal: clock.signal,
        toolDefinition: withoutOutputSchema(tool),
        onprogress: ({ progress, total, message }) => {
          clock.restart();
          const share = total === undefined ? String(progress) : `${progress}/${total}`;
          onProgress(message === undefined ? `${share}\n` : `${share} ${message}\n`);
        },
      },
    );
  }

  /** Retries after the user has signed in, if a server requires that for this call. */
  private async authorized<T>(clock: CallClock, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || !this.parts.signIn) throw error;
    }
    clock.pause();
    try {
      // Other calls may wait for it, too: stopping one does not end it.
      this.signingIn ??= this.parts.signIn(this.life.signal).finally(() => (this.signingIn = undefined));
      await orAborted(this.signingIn, clock.signal);
    } finally {
      clock.resume();
    }
    return call();
  }

  private limited(signal: AbortSignal): { readonly signal: AbortSignal; readonly timeout: number } {
    return { signal: AbortSignal.any([signal, AbortSignal.timeout(this.callTimeoutMs)]), timeout: NEVER };
  }

  private get callTimeoutMs(): number {
    const { server, surroundings } = this.parts;
    return server.options?.callTimeoutMs ?? surroundings.limits.mcpCallTimeoutMs;
  }

  /** What the server may request: the workspace folders, and plain answers from the user. */
  private serve(): void {
    const { client } = this;
    const { surroundings } = this.parts;
    client.setRequestHandler('roots/list', () => ({
      roots: surroundings.roots().map((root) => ({ ...root })),
    }));
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      const form = readForm(params);
      if ('refusal' in form) {
        this.log(form.refusal);
        return { action: 'decline' };
      }
      return this.ask(form, mcpReq.signal);
    });
    this.owned.push(
      surroundings.onRootsChange(() => {
        client
          .notification({ method: 'notifications/roots/list_changed' })
          .catch((error: unknown) => this.log(String(error)));
      }),
    );
  }

  /** One form at a time, and none after too many dismissed ones. */
  private async ask(form: Form, signal: AbortSignal): Promise<ElicitResult> {
    const { limits, elicit } = this.parts.surroundings;
    if (this.isAsking || this.dismissed >= limits.mcpDismissedForms) return { action: 'decline' };
    this.isAsking = true;
    // A user who thinks is not a server that hangs.
    for (const call of this.calls) call.pause();
    try {
      const answer = await elicit(this.parts.server.name, form, AbortSignal.any([signal, this.life.signal]));
      this.dismissed = answer.action === 'accept' ? 0 : this.dismissed + 1;
      return answer.action === 'accept' ? { action: 'accept', content: { ...answer.content } } : answer;
    } finally {
      this.isAsking = false;
      for (const call of this.calls) call.resume();
    }
  }

  private ended(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.life.abort();
    for (const part of this.owned.splice(0)) part.dispose();
    this.parts.events.onEnd(this.reason());
  }

  private async reason(): Promise<string> {
    const { program } = this.parts;
    if (!program) return this.breach ?? 'the connection was closed';
    // Processes it started may outlive it.
    const [how, survivors] = await Promise.all([program.ended, program.end()]);
    if (survivors.length > 0) this.parts.surroundings.onSurvivors(this.parts.server.name, survivors);
    return this.breach ?? how;
  }

  private log(text: string): void {
    this.parts.surroundings.log(this.parts.server.name, text);
  }
}

/** Models read every answer, also one that lacks the structured content that its schema promises. */
function withoutOutputSchema({ outputSchema: _, ...tool }: ListedTool): ListedTool {
  return tool;
}

/** JSON-RPC's code of a method that the server does not know. */
const METHOD_NOT_FOUND = -32_601;

/** Characters shown of an error. */
const MOST_SAID = 300;

/** A call without activity for too long. */
export class Overdue extends Error {
  override readonly name = 'Overdue';

  constructor(ms: number) {
    super(`nothing was heard of it for ${ms / 1_000} s`);
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const done = work.catch(() => undefined);
  await unlessAborted(done, AbortSignal.timeout(ms));
}

/**
 * Accepts every answer: models read it, nothing relies on its shape, and a pattern in a foreign schema would run
 * here. Replaces the checker of the SDK.
 */
const laxValidator: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    // SAFETY: our code reads it only as JSON.
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};
