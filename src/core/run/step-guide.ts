import type { JsonObject } from '../../base/json';
import type { CallRequest } from '../reply/reply-reader';
import type { RenderedPart } from '../words/protocol';
import { runningSpec } from '../words/tool';
import type { AgentOptions } from './agent-options';
import type { NextStep } from './checks/reply-check';
import { ChangeGuard } from './changes/change-guard';
import { DoneCalls } from './done-calls';
import { isQuestion, namedFiles, namedSymbol, namesProject } from './first-look';
import { callableTools, describedTools } from './on-demand';
import { FormFacts } from './form-facts';
import type { FormOfStep, Round } from './round';
import { hasActed, messageOf } from './since-message';

/**
 * Guides a model that works in steps of one call through one run: it looks before it answers, and does not go in
 * circles. For any other model it does nothing.
 */
export class StepGuide {
  /** Made before the first step: the worked example, in the right form and of the right project. */
  readonly looks: readonly FirstLook[];
  readonly done: DoneCalls | undefined;
  readonly guard: ChangeGuard | undefined;
  private readonly facts: FormFacts | undefined;
  /** The message asks for work, not only for an answer. */
  private readonly isTask: boolean;
  private isCallNeeded: boolean;
  /** Set if the next reply must be a call of one tool. */
  private leftOut: readonly string[] | undefined;

  constructor(private readonly options: Pick<AgentOptions, 'prompt' | 'tools' | 'conversation'>) {
    const { prompt, tools, conversation } = options;
    const text = messageOf(conversation);
    const isOne = prompt.steps === 'one' && !conversation.editedReply && tools.config().enabled;
    const files = tools.files ?? [];
    this.looks = isOne ? firstLooks(text, files) : [];
    this.isTask = !isQuestion(text);
    const next = this.isTask ? 'Take another step, or finish if the task is done.' : `Now answer: ${text}`;
    this.done = isOne ? new DoneCalls(next) : undefined;
    this.guard = isOne ? new ChangeGuard(text, this.isTask) : undefined;
    this.facts = this.guard && new FormFacts(options, this.guard);
    this.isCallNeeded = isOne && namesProject(text, files) && (this.isTask || this.looks.length === 0);
  }

  /** What the form of the next reply allows. */
  async form(): Promise<FormOfStep> {
    const facts = await this.facts?.now();
    return {
      isCallNeeded: this.isCallNeeded,
      leftOut: this.leftOut ?? this.done?.leftOut ?? [],
      ...(facts && { facts }),
    };
  }

  private toolsBut(name: string): readonly string[] {
    const { prompt, tools } = this.options;
    const described = describedTools({ offer: tools.offer, protocol: prompt.protocol }, tools.config());
    return described.flatMap(({ spec }) => (runningSpec(spec).name === name ? [] : [spec.name]));
  }

  /** Called when a reply was judged, and when its calls have run. */
  goOn(next: NextStep | undefined, requests: readonly CallRequest[]): void {
    this.leftOut = undefined;
    if (next?.type === 'ask-again') {
      this.isCallNeeded ||= next.isCallNeeded ?? false;
      if (next.tool !== undefined) this.leftOut = this.toolsBut(next.tool);
    } else if (requests.some(({ type }) => type === 'call')) {
      // An answer instead of another call would claim what was not done.
      const isStuck = this.done?.isStuck ?? false;
      this.isCallNeeded = isStuck && this.isTask && !hasActed(this.options.conversation);
    }
  }
}

/** A call that Parley makes itself. */
export interface FirstLook {
  /** Wire name. */
  readonly tool: 'read_file' | 'search_text';
  readonly arguments: JsonObject;
  /** What the message names. */
  readonly subject: string;
}

/** The files that a message names are read; if it names none, its first name of code is searched. */
function firstLooks(message: string, files: readonly string[]): readonly FirstLook[] {
  const named = namedFiles(message, files);
  const symbol = named.length === 0 && files.length > 0 ? namedSymbol(message) : undefined;
  return [
    ...named.map((path): FirstLook => ({ tool: 'read_file', arguments: { path }, subject: path })),
    ...(symbol === undefined
      ? []
      : [{ tool: 'search_text', arguments: { query: symbol }, subject: symbol } as const]),
  ];
}

/** A round whose reply Parley writes: one look. Nothing if the model may not call the tool. */
export function lookRound(
  { prompt, tools, conversation, model }: AgentOptions,
  look: FirstLook,
): Round | undefined {
  const { protocol } = prompt;
  const { contextBudget, emit, transcript } = conversation;
  const config = tools.config();
  const { callable } = callableTools(
    { offer: tools.offer, protocol },
    config,
    contextBudget.turns(transcript()),
  );
  const tool = callable.find(({ spec }) => runningSpec(spec).name === look.tool);
  if (!tool) return undefined;
  const { name, offers } = tool.spec;
  const args = offers ? offers.fromCall(look.arguments) : look.arguments;
  if (!args) return undefined;
  const parts: readonly RenderedPart[] = [
    { type: 'text', text: `The task names ${look.subject}, so I look at it first.` },
    { type: 'call', call: { id: '', name, arguments: args } },
  ];
  emit({ type: 'round-start', round: 1, maxRounds: 1, protocol: protocol.id, model: model.client.name });
  return {
    config,
    described: callable,
    callable,
    editedReply: { protocol, deltas: [...protocol.renderReply(parts), { type: 'end', reason: 'stop' }] },
  };
}
