import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type CallToolResult,
  type ElicitResult,
  type GetPromptResult,
  type jsonSchemaValidator,
  type JsonSchemaValidator,
  type Prompt,
  type ReadResourceResult,
  type Resource,
  type Tool as ListedTool,
  type Transport,
} from '@modelcontextprotocol/client';
import { orAborted, unlessAborted } from '../base/async';
import type { Disposable } from '../base/disposable';
import type { JsonObject } from '../base/json';
import { CallClock } from './call-clock';
import type { ConfiguredServer } from './definition';
import { readForm, type Form } from './form';
import type { McpSurroundings, ServerProcess } from './ports';

/** What a server offers, as it lists it. */
export interface Offer {
  readonly instructions: string;
  readonly tools: readonly ListedTool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
}

export interface ConnectionEvents {
  /** It ends by itself: why, a clause for people, once nothing of it is left. Not told after `close`. */
  readonly onEnd: (reason: Promise<string>) => void;
  /** One of its lists is another one now. */
  readonly onListChanged: () => void;
  /** The user has to sign in before it can be used. */
  readonly onSigningIn: () => void;
  /** They have. */
  readonly onSignedIn: () => void;
}

interface ConnectionParts {
  readonly server: ConfiguredServer;
  readonly surroundings: McpSurroundings;
  readonly events: ConnectionEvents;
  /** Of a server that was started here. */
  readonly program?: ServerProcess;
  /** Has the user sign in for what they are not allowed so far. Absent where nobody signs in. */
  readonly signIn?: (signal: AbortSignal) => Promise<void>;
}

/** What a call is made with besides its arguments. */
export interface CallOptions {
  readonly signal: AbortSignal;
  /** A line each, for whoever watches. */
  readonly onProgress: (text: string) => void;
}

const CLIENT = { name: 'parley', title: 'Parley', version: '0.1.0' };

/** The SDK's own clocks never end anything: each call has its own here, and a start has one for all of it. */
const NEVER = 2 ** 31 - 1;

const LIST_PAGES = 16;

/** One connection to one server, from its handshake until one side ends it. */
export class Connection {
  /** Nothing can be asked of it any more. */
  isClosed = false;
  /** How it broke a limit, where that is why it was ended. */
  breach: string | undefined;
  private readonly client: Client;
  private readonly calls = new Set<CallClock>();
  private readonly owned: Disposable[] = [];
  private readonly life = new AbortController();
  private signingIn: Promise<void> | undefined;
  private isAsking = false;
  /** Forms in a row. */
  private dismissed = 0;

  /** `legacy` greets as servers before 2026 know it; `auto` finds out which way they know. */
  constructor(
    private readonly parts: ConnectionParts,
    mode: 'legacy' | 'auto',
  ) {
    // Waiting for a pause would be for ever where a server leaves none; whoever lists takes bursts together.
    const changed = { autoRefresh: false, debounceMs: 0, onChanged: () => parts.events.onListChanged() };
    this.client = new Client(CLIENT, {
      // No sampling: a server never speaks with the user's model.
      capabilities: { roots: { listChanged: true }, elicitation: { form: {} } },
      versionNegotiation: { mode },
      listChanged: { tools: changed, prompts: changed, resources: changed },
      listMaxPages: LIST_PAGES,
      jsonSchemaValidator: laxValidator,
    });
    this.serve();
  }

  async connect(transport: Transport, signal: AbortSignal): Promise<void> {
    this.client.onclose = () => this.ended();
    this.client.onerror = (error) => this.log(error.message);
    await this.client.connect(transport, { timeout: NEVER, signal });
  }

  async list(signal: AbortSignal): Promise<Offer> {
    const options = { signal, timeout: NEVER, cacheMode: 'bypass' } as const;
    const can = this.client.getServerCapabilities();
    const [tools, prompts, resources] = await Promise.all([
      can?.tools ? this.client.listTools(undefined, options) : undefined,
      can?.prompts ? this.client.listPrompts(undefined, options) : undefined,
      can?.resources ? this.client.listResources(undefined, options) : undefined,
    ]);
    return {
      instructions: this.client.getInstructions() ?? '',
      tools: tools?.tools ?? [],
      prompts: prompts?.prompts ?? [],
      resources: resources?.resources ?? [],
    };
  }

  /** A call ends after a minute in which nothing was heard of it; while the user is asked no time passes. */
  async callTool(tool: ListedTool, args: JsonObject, options: CallOptions): Promise<CallToolResult> {
    const clock = new CallClock(this.parts.surroundings.limits.mcpCallTimeoutMs, options.signal);
    this.calls.add(clock);
    // A form may be open that an earlier call has left; it is answered for this one, too.
    if (this.isAsking) clock.pause();
    try {
      return await this.authorized(clock, () => this.call(tool, args, options, clock));
    } catch (error) {
      if (clock.isOverdue) throw new Overdue(this.parts.surroundings.limits.mcpCallTimeoutMs);
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

  /** Says goodbye and ends the program with all that it has started. Returns the processes that are still there. */
  async close(): Promise<readonly number[]> {
    this.isClosed = true;
    this.life.abort();
    for (const part of this.owned.splice(0)) part.dispose();
    const { transport } = this.client;
    // An HTTP server keeps a session until it is told, and may be gone; it is not waited for long.
    if (transport instanceof StreamableHTTPClientTransport) {
      await within(this.parts.surroundings.limits.mcpGoodbyeMs, transport.terminateSession());
    }
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
        toolDefinition: tool,
        onprogress: ({ progress, total, message }) => {
          clock.restart();
          const share = total === undefined ? String(progress) : `${progress}/${total}`;
          onProgress(message === undefined ? `${share}\n` : `${share} ${message}\n`);
        },
      },
    );
  }

  /** Once more after the user has signed in, where a server wants that for this very call. */
  private async authorized<T>(clock: CallClock, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || !this.parts.signIn) throw error;
    }
    clock.pause();
    try {
      // Others may wait for it, too: a call that is stopped does not end it.
      this.signingIn ??= this.parts.signIn(this.life.signal).finally(() => (this.signingIn = undefined));
      await orAborted(this.signingIn, clock.signal);
    } finally {
      clock.resume();
    }
    return call();
  }

  private limited(signal: AbortSignal): { readonly signal: AbortSignal; readonly timeout: number } {
    const { mcpCallTimeoutMs } = this.parts.surroundings.limits;
    return { signal: AbortSignal.any([signal, AbortSignal.timeout(mcpCallTimeoutMs)]), timeout: NEVER };
  }

  /** What the server may ask of us: the folders of the workspace, and the user for plain answers. */
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

  /** One form at a time, and none any more from a server whose forms are only dismissed. */
  private async ask(form: Form, signal: AbortSignal): Promise<ElicitResult> {
    const { limits, elicit } = this.parts.surroundings;
    if (this.isAsking || this.dismissed >= limits.mcpDismissedForms) return { action: 'decline' };
    this.isAsking = true;
    // A user who thinks is no server that hangs.
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
    // What it has started may outlive it.
    const [how, survivors] = await Promise.all([program.ended, program.end()]);
    if (survivors.length > 0) this.parts.surroundings.onSurvivors(this.parts.server.name, survivors);
    return this.breach ?? how;
  }

  private log(text: string): void {
    this.parts.surroundings.log(this.parts.server.name, text);
  }
}

/** A call of which nothing was heard for too long. */
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
 * Finds no fault with what servers answer: models read it, nothing relies on its shape, and a pattern in a stranger's
 * schema would run here. It stands in for the checker that the SDK would bring along.
 */
const laxValidator: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    // SAFETY: nothing of ours reads it as anything but JSON.
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};
