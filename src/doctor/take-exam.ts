import { CallIds } from '../core/reply/call-ids';
import { ReplyReader } from '../core/reply/reply-reader';
import type { ReplyPart, Turn } from '../core/words/messages';
import type {
  Conversation,
  Model,
  ModelDelta,
  ModelFailure,
  PromptForm,
  ReplyTiming,
  Usage,
} from '../core/words/model';
import type { Protocol } from '../core/words/protocol';
import type { ProviderMetadata } from '../core/words/provider-metadata';
import type { ToolSpec } from '../core/words/tool';
import { faultOf, resultsOf, type Exam } from './exam';

/**
 * What may help a model: short tool descriptions, an additional worked example, or less variety in its replies (a
 * temperature of 0.2).
 */
export type Help = 'short' | 'example' | 'cool';

/** A protocol that competes, with or without its form enforced. */
export interface Contestant {
  /** `vcp`, `vcp+forced`, `vcp+forced+short` */
  readonly id: string;
  readonly protocol: Protocol;
  readonly isForced: boolean;
  readonly help?: Help;
}

/** What an exam is taken with. */
export interface ExamRoom {
  /** Answers with the contestant's form enforced, or freely. */
  readonly model: Model;
  readonly instructions: string;
  readonly situation?: string;
  /** Parley's tools, which every exam offers. */
  readonly tools: readonly ToolSpec[];
  readonly promptForm: PromptForm;
  readonly callsEndThinking: boolean;
  /** Estimated number of tokens of a text, if the server does not report them. */
  readonly tokensIn: (text: string) => number;
  /** In milliseconds. */
  readonly now: () => number;
}

/** The worst form among the calls; `none` without a call. */
export type CallForm = 'clean' | 'repaired' | 'recovered' | 'malformed' | 'none';

export interface ExamResult {
  readonly type: 'result';
  readonly isRight: boolean;
  /** The error, as a short English sentence. */
  readonly fault?: string;
  readonly form: CallForm;
  readonly usage: Usage;
  /** One for each reply, as it arrived. */
  readonly replies: readonly ExamReply[];
}

export interface ExamReply {
  readonly deltas: readonly ModelDelta[];
  readonly timing: ReplyTiming;
  readonly usage: Usage;
  /** The model reasoned before it answered, in the text or separately. */
  readonly hasReasoning: boolean;
}

export type ExamOutcome =
  | ExamResult
  /** It does not fit into the model's window; `window` is set if the server reported it. */
  | { readonly type: 'skipped'; readonly window?: number }
  /** A failure of the server or the network, not of the model. */
  | { readonly type: 'failure'; readonly failure: ModelFailure }
  | { readonly type: 'stopped' };

/** Lets a model take an exam, until it is over or something is wrong. */
export async function takeExam(
  exam: Exam,
  { protocol }: Contestant,
  room: ExamRoom,
  signal: AbortSignal,
): Promise<ExamOutcome> {
  const tools = representableTools(exam, protocol, room);
  const turns: Turn[] = [...exam.turns];
  const replies: ExamReply[] = [];
  const seen: ReplyPart[] = [];
  let fault: string | undefined;
  for (const step of exam.steps) {
    const { instructions, situation, promptForm } = room;
    const conversation = {
      ...{ instructions, turns, tools, promptForm },
      ...(situation !== undefined && { situation }),
    };
    const answer = await ask(protocol, conversation, room, signal);
    if (signal.aborted) return { type: 'stopped' };
    if ('failure' in answer) return failed(answer.failure);
    const { reply, parts, metadata } = answer;
    replies.push(reply);
    seen.push(...parts);
    fault = faultOf(step, parts);
    if (fault !== undefined) break;
    // Endpoints that send reasoning with their calls may expect it back.
    turns.push(
      { type: 'reply', parts, ...(metadata && { carried: metadata }) },
      { type: 'results', results: resultsOf(step, parts) },
    );
  }
  return {
    type: 'result',
    isRight: fault === undefined,
    ...(fault !== undefined && { fault }),
    form: formOf(seen),
    usage: sumOf(replies.map(({ usage }) => usage)),
    replies,
  };
}

/** All tools of the exam that the protocol can call. */
export function representableTools(
  exam: Pick<Exam, 'tools'>,
  protocol: Protocol,
  { tools }: Pick<ExamRoom, 'tools'>,
): readonly ToolSpec[] {
  return [...tools, ...exam.tools].filter((tool) => protocol.unrepresentable?.(tool) === undefined);
}

function failed(failure: ModelFailure): ExamOutcome {
  if (failure.code !== 'too-long') return { type: 'failure', failure };
  const { window } = failure.figures ?? {};
  return { type: 'skipped', ...(window !== undefined && { window }) };
}

interface ExamAnswer {
  readonly reply: ExamReply;
  readonly parts: readonly ReplyPart[];
  readonly metadata: ProviderMetadata | undefined;
}

async function ask(
  protocol: Protocol,
  conversation: Conversation,
  { model, now, tokensIn, callsEndThinking }: ExamRoom,
  signal: AbortSignal,
): Promise<ExamAnswer | { readonly failure: ModelFailure }> {
  const request = protocol.request(conversation);
  const deltas: ModelDelta[] = [];
  const { tools } = conversation;
  const reader = new ReplyReader(protocol, {
    ...{ tools, ids: new CallIds(), recover: true, callsEndThinking, now },
  });
  for await (const delta of model.stream(request, signal)) {
    if (delta.type === 'failure') return { failure: delta.failure };
    deltas.push(delta);
    reader.push(delta);
  }
  reader.end();
  if (!signal.aborted && reader.reason === undefined) return { failure: CUT_OFF };
  const { replyParts: parts, metadata, usage = estimated(request, deltas, tokensIn) } = reader;
  const { totalMs, firstMs = totalMs } = reader.timing;
  const hasReasoning = parts.some(({ type }) => type === 'reasoning');
  return { reply: { deltas, timing: { firstMs, totalMs }, usage, hasReasoning }, parts, metadata };
}

const CUT_OFF: ModelFailure = { code: 'cut-off', message: 'The reply was cut off.' };

function estimated(
  { messages, tools }: ReturnType<Protocol['request']>,
  deltas: readonly ModelDelta[],
  tokensIn: ExamRoom['tokensIn'],
): Usage {
  const asked = messages.map(({ content }) => content).join('\n') + (tools ? JSON.stringify(tools) : '');
  const said = deltas.map((delta) => {
    if (delta.type === 'text' || delta.type === 'reasoning') return delta.text;
    return delta.type === 'tool-call' ? (delta.name ?? '') + (delta.arguments ?? '') : '';
  });
  return { inputTokens: tokensIn(asked), outputTokens: tokensIn(said.join('')) };
}

/** From the best to the worst. */
const FORMS = ['none', 'clean', 'repaired', 'recovered', 'malformed'] as const satisfies readonly CallForm[];

function formOf(parts: readonly ReplyPart[]): CallForm {
  const forms = parts.flatMap((part): readonly CallForm[] => {
    if (part.type === 'malformed') return ['malformed'];
    if (part.type !== 'call') return [];
    return [part.call.mark === 'echoed' ? 'clean' : part.call.mark];
  });
  return FORMS.findLast((form) => forms.includes(form)) ?? 'none';
}

function sumOf(usages: readonly Usage[]): Usage {
  const cost = usages.reduce((sum, each) => sum + (each.cost ?? 0), 0);
  return {
    inputTokens: usages.reduce((sum, each) => sum + each.inputTokens, 0),
    outputTokens: usages.reduce((sum, each) => sum + each.outputTokens, 0),
    ...(cost > 0 && { cost }),
  };
}
