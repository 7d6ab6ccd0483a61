import type { ContextMemory, ContextWindow } from '../../../src/core/context/known-window';
import type { RunModel, Summarizer } from '../../../src/core/context/run-model';
import type { RunPrompt } from '../../../src/core/words/prompt';
import type { RunSetup } from '../../../src/core/run/agent-options';
import type { Budget } from '../../../src/core/run/budget';
import type { FolderRules } from '../../../src/core/run/folder-rules';
import type { Hooks } from '../../../src/core/run/hooks';
import { Session, type Judgement, type SessionOptions } from '../../../src/core/session';
import type { ApprovalRequest } from '../../../src/core/words/approval';
import type { ToolCallConfig } from '../../../src/core/words/config';
import type { AgentEvent } from '../../../src/core/words/events';
import type { Steps } from '../../../src/core/words/grammar';
import type { Model, ModelDelta, ModelRequest } from '../../../src/core/words/model';
import type { Protocol, RenderedPart } from '../../../src/core/words/protocol';
import { ToolError, type Effect, type RunContext, type Tool } from '../../../src/core/words/tool';
import type { Grant } from '../../../src/core/words/verdict';
import { judgeCall } from '../../../src/policy/approvals';
import { native } from '../../../src/protocols/native/native';
import { noBudget } from './no-budget';

export const testConfig: ToolCallConfig = {
  enabled: true,
  mode: 'auto',
  toolToggles: {},
  defaultToolEnabled: true,
  toolsOnDemand: 'off',
  maxIterations: 10,
  timeout: 30_000,
  requireConfirmation: true,
  parallelExecution: true,
  recovery: 'ask',
  strictness: 'repair',
};

/** A tool that runs the function on its argument `text`. */
export function testTool(
  name: string,
  effect: Effect,
  action: (text: string, context: RunContext) => Promise<string>,
): Tool {
  return {
    spec: {
      name,
      description: `Test tool ${name}.`,
      parameters: { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false },
    },
    toolset: 'test',
    method: name,
    effect,
    agentCallable: true,
    prepare: async (input) => {
      const text = typeof input.text === 'string' ? input.text : '';
      if (text === 'refuse') throw new ToolError('Cannot do that. Try something else.');
      const kind = effect === 'write' ? 'edit' : 'path';
      return {
        title: `${name} ${text}`,
        accesses: [
          { effect, target: text, kind, verdict: { decision: 'auto', reason: 'inside the workspace' } },
        ],
        run: async (context) => ({ text: await action(text, context) }),
      };
    },
  };
}

/** A model that gives these replies one after another, then "done", and records its requests. */
export class ScriptedModel implements Model {
  readonly name = 'test';
  readonly requests: ModelRequest[] = [];

  constructor(
    private readonly protocol: Protocol,
    private readonly replies: readonly (readonly RenderedPart[] | readonly ModelDelta[])[],
  ) {}

  async *stream(request: ModelRequest): AsyncGenerator<ModelDelta, void, undefined> {
    const reply = this.replies[this.requests.length] ?? [{ type: 'text', text: 'done' }];
    this.requests.push(request);
    if (reply.every(isRendered)) {
      yield* this.protocol.renderReply(reply);
      yield { type: 'end', reason: 'stop' };
    } else {
      // SAFETY: a list that is not all rendered parts was passed as deltas.
      yield* reply;
    }
  }
}

function isRendered(part: RenderedPart | ModelDelta): part is RenderedPart {
  return part.type === 'text' || part.type === 'call';
}

export function callOf(name: string, text: string, id = name + text): RenderedPart {
  return { type: 'call', call: { id, name, arguments: { text } } };
}

export interface TestSession {
  readonly session: Session;
  readonly events: AgentEvent[];
  /** The model, unless the test passes its own. */
  readonly model: ScriptedModel;
  readonly errors: unknown[];
}

export interface TestSessionOptions {
  /** Whether the server says that its template drops the tools of the API. */
  readonly dropsTools?: boolean;
  readonly replies?: ConstructorParameters<typeof ScriptedModel>[1];
  /** Used instead of the model with the replies. */
  readonly model?: Model;
  readonly tools?: readonly Tool[];
  readonly protocol?: Protocol;
  readonly config?: Partial<ToolCallConfig>;
  readonly budget?: Partial<Budget>;
  readonly window?: Partial<ContextWindow>;
  readonly memory?: ContextMemory;
  readonly off?: readonly string[];
  /** `Be good.` if not given. */
  readonly instructions?: string;
  /** `true` if not given. */
  readonly isAttended?: boolean;
  readonly suggestProtocol?: RunPrompt['suggestProtocol'];
  readonly move?: RunSetup['move'];
  readonly isFormChosen?: boolean;
  readonly steps?: Steps;
  /** The files of the project, as models with steps of one call are told them. */
  readonly files?: readonly string[];
  readonly onRequest?: RunModel['onRequest'];
  readonly keep?: SessionOptions['keep'];
  readonly hooks?: Hooks;
  readonly summarizer?: Summarizer;
  readonly folderRules?: FolderRules;
  readonly judge?: (request: ApprovalRequest, granted: readonly Grant[]) => Judgement;
  readonly owner?: object;
  /** Awaited before a run starts. */
  readonly preparing?: (signal: AbortSignal) => Promise<void>;
  /** Used instead of everything that a run is made of here. */
  readonly setup?: RunSetup;
  /** Events of an earlier session. */
  readonly past?: readonly AgentEvent[];
}

/** A session over the real loop and the real policy, with the tools and replies of a test. */
export function testSession(options: TestSessionOptions): TestSession {
  const { replies = [], tools = [], protocol = native, off = [], isAttended = true } = options;
  const model = new ScriptedModel(protocol, replies);
  const config = { ...testConfig, ...options.config };
  const events: AgentEvent[] = [];
  const errors: unknown[] = [];
  const rules = { ...config, isTrusted: true };
  const session = new Session(
    {
      prepareRun: async (signal) => {
        await options.preparing?.(signal);
        if (options.setup) return options.setup;
        return {
          model: {
            client: options.model ?? model,
            window: { reply: 0, count: (text) => Math.ceil(text.length / 4), ...options.window },
            ...(options.memory && { memory: options.memory }),
            ...(options.dropsTools && { dropsTools: true }),
            ...(options.summarizer && { summarizer: options.summarizer }),
            ...(options.onRequest && { onRequest: options.onRequest }),
          },
          prompt: {
            protocol,
            instructions: options.instructions ?? 'Be good.',
            ...(options.suggestProtocol && { suggestProtocol: options.suggestProtocol }),
            ...(options.isFormChosen && { isFormChosen: true }),
            ...(options.steps && { steps: options.steps }),
          },
          tools: {
            offer: {
              offered: () => tools.filter((tool) => !off.includes(tool.spec.name)),
              whyUnavailable: (name) =>
                off.includes(name) ? `The tool "${name}" is switched off.` : undefined,
            },
            config: () => config,
            ...(options.files && { files: options.files }),
            ...(options.hooks && { hooks: options.hooks }),
            ...(options.folderRules && { folderRules: options.folderRules }),
          },
          limits: {
            rounds: () => config.maxIterations,
            budget: () => ({ ...noBudget, ...options.budget }),
          },
          ...(options.move && { move: options.move }),
        };
      },
      judge: options.judge ?? ((request, granted) => judgeCall(request, rules, granted)),
      isAttended,
      owner: options.owner,
      ...(options.keep && { keep: options.keep }),
      onError: (error) => errors.push(error),
    },
    options.past,
  );
  session.onEvent((event) => events.push(event));
  return { session, events, model, errors };
}
