import { fitRequest, SHORT_PROMPT } from '../context/fit-request';
import { renderRequest } from '../context/render-request';
import type { Transcript } from '../transcript/transcript';
import type { ToolCallConfig } from '../words/config';
import type { ModelRequest, RequestSize } from '../words/model';
import type { RunOutcome } from '../words/outcome';
import type { Tool } from '../words/tool';
import type { AgentOptions, EditedReply, RunScope } from './agent-options';
import { callableTools, describedTools } from './on-demand';

/** One request and its reply, or an edited reply instead of both. */
export interface Round {
  readonly config: ToolCallConfig;
  /** The tools that the request describes. */
  readonly described: readonly Tool[];
  /** The tools that the reply may call. */
  readonly callable: readonly Tool[];
  /** What is sent, unless the reply was edited. */
  readonly request?: ModelRequest | undefined;
  readonly size?: RequestSize | undefined;
  readonly editedReply?: EditedReply | undefined;
}

interface RoundOptions {
  /** From 1. */
  readonly number: number;
  readonly maxRounds: number;
  /** Summarize even if the history fits. */
  readonly force: 'asked' | 'refused' | undefined;
  readonly scope: RunScope;
}

/** Makes the next request fit the model's window and begins its round. Returns the outcome if it cannot be sent. */
export async function prepareRound(
  options: AgentOptions,
  { number, maxRounds, force, scope }: RoundOptions,
  signal: AbortSignal,
): Promise<Round | RunOutcome> {
  const { model, prompt, tools, conversation } = options;
  const { contextBudget, transcript, emit } = conversation;
  const config = tools.config();
  const offering = { offer: tools.offer, protocol: prompt.protocol };
  const described = describedTools(offering, config);
  const promptForm = contextBudget.form(prompt.promptForm);
  const editedReply = number === 1 ? conversation.editedReply : undefined;
  const spend = scope.meter.add.bind(scope.meter);
  const size = editedReply
    ? undefined
    : await fitRequest(options, { tools: described, spend, force }, signal);
  if (signal.aborted) return { type: 'aborted' };
  if (size && 'type' in size) return size;
  const turns = contextBudget.turns(transcript());
  const { loaded, callable } = callableTools(offering, config, turns);
  const request = editedReply
    ? undefined
    : {
        ...renderRequest(prompt, { described, loaded }, turns, contextBudget),
        ...(endedInRepetition(transcript()) && VARIED),
      };
  const cacheBreak = request && scope.depth === 0 ? contextBudget.prefix.look(request) : undefined;
  emit({
    type: 'round-start',
    round: number,
    maxRounds,
    protocol: (editedReply ?? prompt).protocol.id,
    model: model.client.name,
    ...(size && { size }),
    ...(contextBudget.window.tokens !== undefined && { window: contextBudget.window.tokens }),
    ...(cacheBreak && { cacheBreak }),
    ...(editedReply && { isMended: true }),
  });
  if (contextBudget.form(prompt.promptForm) !== promptForm) emit(SHORT_PROMPT);
  return { config, described, callable, request, size, editedReply };
}

const VARIED = { isVaried: true } as const;

/** Whether the next request repeats the last one because its reply had to be stopped. */
function endedInRepetition({ entries }: Transcript): boolean {
  const last = entries.findLast(({ type }) => type === 'user' || type === 'reply');
  return last?.type === 'reply' && last.ended === 'repetition';
}
