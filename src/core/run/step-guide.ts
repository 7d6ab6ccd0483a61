import type { CallRequest } from '../reply/reply-reader';
import type { RenderedPart } from '../words/protocol';
import { runningSpec } from '../words/tool';
import type { AgentOptions } from './agent-options';
import type { NextStep } from './checks/reply-check';
import { DoneCalls } from './done-calls';
import { isQuestion, namedFiles, namesProject } from './first-look';
import { callableTools } from './on-demand';
import type { FormOfStep, Round } from './round';
import { hasActed, messageOf } from './since-message';

/**
 * Guides a model that works in steps of one call through one run: it looks before it answers, and does not go in
 * circles. For any other model it does nothing.
 */
export class StepGuide {
  /** Read before the first step: the worked example, in the right form and of the right project. */
  readonly files: readonly string[];
  readonly done: DoneCalls | undefined;
  /** The message asks for work, not only for an answer. */
  private readonly isTask: boolean;
  private isCallNeeded: boolean;

  constructor(private readonly options: Pick<AgentOptions, 'prompt' | 'tools' | 'conversation'>) {
    const { prompt, tools, conversation } = options;
    const text = messageOf(conversation);
    const isOne = prompt.steps === 'one' && !conversation.editedReply && tools.config().enabled;
    const files = tools.files ?? [];
    this.files = isOne ? namedFiles(text, files) : [];
    this.done = isOne ? new DoneCalls() : undefined;
    this.isTask = !isQuestion(text);
    this.isCallNeeded = isOne && namesProject(text, files) && (this.isTask || this.files.length === 0);
  }

  /** What the form of the next reply allows. */
  get form(): FormOfStep {
    return { isCallNeeded: this.isCallNeeded, leftOut: this.done?.leftOut ?? [] };
  }

  /** Called when a reply was judged, and when its calls have run. */
  goOn(next: NextStep | undefined, requests: readonly CallRequest[]): void {
    if (next?.type === 'ask-again') this.isCallNeeded ||= next.isCallNeeded ?? false;
    else if (requests.some(({ type }) => type === 'call')) {
      // An answer instead of another call would claim what was not done.
      const isStuck = this.done?.isStuck ?? false;
      this.isCallNeeded = isStuck && this.isTask && !hasActed(this.options.conversation);
    }
  }
}

/** A round whose reply Parley writes: it reads the file. Nothing if the model may not read files. */
export function readRound(
  { prompt, tools, conversation, model }: AgentOptions,
  path: string,
): Round | undefined {
  const { protocol } = prompt;
  const { contextBudget, emit, transcript } = conversation;
  const config = tools.config();
  const { callable } = callableTools(
    { offer: tools.offer, protocol },
    config,
    contextBudget.turns(transcript()),
  );
  const reading = callable.find(({ spec }) => runningSpec(spec).name === 'read_file');
  if (!reading) return undefined;
  const { name, offers } = reading.spec;
  const args = offers ? offers.fromCall({ path }) : { path };
  if (!args) return undefined;
  const parts: readonly RenderedPart[] = [
    { type: 'text', text: `The message names ${path}, so it is read first.` },
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
