import { fitRequest, SHORT_PROMPT } from '../context/fit-request';
import { renderRequest } from '../context/render-request';
import type { RunModel } from '../context/run-model';
import type { CallIds } from '../reply/call-ids';
import { EchoDetector } from '../reply/echo-detector';
import { rawText } from '../reply/deltas';
import { RepetitionWatch } from '../reply/repetition';
import { ReplyReader, type CallRequest } from '../reply/reply-reader';
import { entryTurns } from '../transcript/history';
import type { Transcript } from '../transcript/transcript';
import type { ToolCallConfig } from '../words/config';
import type { AgentEvent } from '../words/events';
import { wholeReply, type Diagnostic } from '../words/messages';
import type { Conversation, EndReason, ModelFailure, ModelRequest, RequestSize, Usage } from '../words/model';
import type { RunOutcome } from '../words/outcome';
import type { RunPrompt } from '../words/prompt';
import { CALLS_PER_REPLY, type ParserOptions, type ReplyEvent } from '../words/protocol';
import type { Tool } from '../words/tool';
import type { AgentOptions, EditedReply, RunConversation, RunScope, RunTools } from './agent-options';
import { callableTools, describedTools } from './on-demand';
import { OneStep } from './one-step';

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

/** A reply that has ended. */
export interface Reply {
  /** Calls and malformed calls in the order written. */
  readonly requests: readonly CallRequest[];
  readonly reason: EndReason;
  /** The visible text. */
  readonly text: string;
  /** Nothing visible was written. */
  readonly isEmpty: boolean;
  /** Nothing arrived although tokens were counted: a stop text of the request cut all of it off. */
  readonly isSwallowed: boolean;
  /**
   * Length of the request and its reply, including reasoning: a substitute for tokens if the endpoint does not report
   * them.
   */
  readonly characters: number;
  readonly usage?: Usage;
  /** The text that it repeated until it was stopped. None of its calls run. */
  readonly repeated?: string;
  /** Another form in which the model wrote calls. */
  readonly otherForm?: string;
  /** What was most likely meant as a call and did not run. */
  readonly notRun?: Diagnostic;
  /** As it arrived. */
  readonly raw: string;
  /** Something of the reply has arrived, perhaps only reasoning. */
  readonly hasArrived: boolean;
  readonly failure?: ModelFailure;
}

/** What the form of the next reply allows. */
export interface FormOfStep {
  /** The reply must be a call. */
  readonly isCallNeeded: boolean;
  /** As in `Conversation`. */
  readonly leftOut: NonNullable<Conversation['leftOut']>;
  readonly facts?: Conversation['facts'];
  readonly isAnswerShort?: boolean;
}

interface RoundOptions extends FormOfStep {
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
  { number, maxRounds, force, scope, isCallNeeded, leftOut, facts, isAnswerShort }: RoundOptions,
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
        ...renderRequest(
          prompt,
          { described, loaded, isCallNeeded, leftOut, facts, isAnswerShort },
          turns,
          contextBudget,
        ),
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

const CUT_OFF: ModelFailure = {
  code: 'cut-off',
  message: 'The reply was cut off, and none of its calls ran. Send the message again.',
};

/**
 * Sends one request and reads its reply to the end, emitting events while it streams. An edited reply needs no request.
 */
export async function receiveReply(
  { model, prompt, tools, conversation }: Pick<AgentOptions, 'model' | 'prompt' | 'tools' | 'conversation'>,
  round: Round,
  signal: AbortSignal,
): Promise<Reply> {
  const { emit } = conversation;
  const { editedReply, request } = round;
  if (request) model.onRequest?.(request, { number: conversation.transcript().replies - 1 });
  const protocol = (editedReply ?? prompt).protocol;
  // An edited reply was checked by the user.
  const watch = request && new RepetitionWatch(protocol.markers);
  let repeated: string | undefined;
  // A file cannot make a model copy an API call; it can with text.
  const echoes = request?.tools ? undefined : new EchoDetector(foreignTexts(prompt, conversation));
  const reader = new ReplyReader(protocol, {
    ...parserOptions(model, tools, conversation.ids, round),
    ...(echoes && { isEcho: (written) => echoes.isEcho(written) }),
  });
  const step = request && prompt.steps === 'one' ? new OneStep() : undefined;
  const pass = (events: readonly ReplyEvent[], raw = ''): void => {
    const said = step?.within(events) ?? events;
    repeated ??= watch?.read(raw, said, ({ start, end }) => reader.raw.slice(start, end));
    said.forEach(emit);
  };
  let isFull = false;
  for await (const delta of request ? model.client.stream(request, signal) : (editedReply?.deltas ?? [])) {
    // Nothing after a stop has an effect.
    if (signal.aborted) break;
    if (delta.type === 'retry' || delta.type === 'progress') emit(delta);
    if (delta.type === 'unforced') emit(notice('form-not-forced', delta.message));
    const events = reader.push(delta);
    pass(events, rawText(delta));
    isFull = step ? step.isOver || step.isTooLong : request !== undefined && events.some(isTooMany);
    // Leaving the loop closes the request.
    if (repeated !== undefined || isFull) break;
  }
  const { callEnd } = protocol;
  // The calls before one too many are whole.
  const stopped = reader.reason ?? (isFull ? 'stop' : undefined);
  const isStop = repeated === undefined && (stopped === 'stop' || reader.unclear !== undefined);
  // As a stop text it ended the reply and did not arrive; some servers send it nevertheless.
  if (isStop && step?.isInCall && callEnd && !reader.raw.trimEnd().endsWith(callEnd))
    pass(reader.push({ type: 'text', text: callEnd }));
  pass(reader.end(repeated === undefined ? stopped : 'cut'));
  // An end may have arrived before the repetition was noticed.
  const reason = repeated === undefined ? (reader.reason ?? stopped) : undefined;
  if (repeated !== undefined) emit(notice('repetition', repetition(repeated)));
  if (step?.isOver) emit(notice('one-call', ONE_CALL));
  else if (step?.isTooLong) emit(notice('step-limit', STEP_LIMIT));
  const end: ReplyEnd = { request, reason, repeated, isAborted: signal.aborted };
  emit(endEvent(reader, end));
  const reply = endedReply(reader, end);
  return step ? { ...reply, requests: reply.requests.slice(0, 1) } : reply;
}

const STEP_LIMIT =
  'The step was stopped after about 500 tokens outside of file contents, because a step has no more to say.';
const ONE_CALL = 'The model works in steps of one call, so what it wrote behind the first call was dropped.';

/** Whether a call begins that is one too many. */
function isTooMany(event: ReplyEvent): boolean {
  return event.type === 'call-start' && event.index >= CALLS_PER_REPLY;
}

interface ReplyEnd {
  readonly request: ModelRequest | undefined;
  readonly reason: EndReason | undefined;
  readonly repeated: string | undefined;
  readonly isAborted: boolean;
}

function endEvent(reader: ReplyReader, { request, reason, repeated, isAborted }: ReplyEnd): AgentEvent {
  const { raw, usage, metadata } = reader;
  const { firstMs, totalMs } = reader.timing;
  return {
    type: 'reply-end',
    reason: isAborted ? 'aborted' : repeated === undefined ? (reason ?? 'cut') : 'repetition',
    raw,
    ...(repeated !== undefined && { repeated: repeated.slice(0, REPEATED_KEPT) }),
    ...(usage && { usage }),
    ...(metadata && reason !== undefined && { carried: metadata }),
    ...(request &&
      firstMs !== undefined && {
        timing: { firstMs: Math.round(firstMs), totalMs: Math.round(totalMs) },
      }),
  };
}

function endedReply(reader: ReplyReader, { request, reason, repeated }: ReplyEnd): Reply {
  const { requests, text, usage, otherForm } = reader;
  const isCutOff = reason === undefined && repeated === undefined;
  const notRun = reader.parts
    .flatMap((part) => (part.type === 'warning' ? [part.diagnostic] : []))
    .find(isMeant);
  const failure = reader.failure ?? (isCutOff ? CUT_OFF : undefined);
  return {
    requests,
    reason: reason ?? 'stop',
    text,
    raw: reader.raw,
    hasArrived: reader.characters > 0 || requests.length > 0,
    isEmpty: !/\S/.test(text),
    isSwallowed: reason === 'stop' && !/\S/.test(reader.raw) && isSwallowed(reader, request),
    characters: usage || !request ? 0 : lengthOf(request) + reader.characters,
    ...(usage && { usage }),
    ...(repeated !== undefined && { repeated }),
    ...(otherForm !== undefined && { otherForm }),
    ...(failure && { failure }),
    ...(notRun && { notRun }),
  };
}

/** Codes of warnings about text that can only be a call. */
const MEANT: readonly string[] = ['foreign-block', 'call-in-code', 'bare-call', 'no-envelope', 'native-call'];

function isMeant({ code, isExample }: Diagnostic): boolean {
  return MEANT.includes(code) && !isExample;
}

/**
 * Whether a stop text may be all that was written. It has at most one token per character; a model that wrote more has
 * reasoned where nobody sees it.
 */
function isSwallowed({ usage, characters, raw }: ReplyReader, request: ModelRequest | undefined): boolean {
  const { outputTokens = 0 } = usage ?? {};
  const longest = Math.max(0, ...(request?.stop ?? []).map(({ length }) => length));
  return characters === raw.length && outputTokens > 0 && outputTokens <= longest;
}

/** Characters of a repeated text that are stored and shown. */
const REPEATED_KEPT = 200;
const REPEATED_SHOWN = 80;

function repetition(repeated: string): string {
  const shown = repeated.replace(/\s+/g, ' ').trim().slice(0, REPEATED_SHOWN);
  return `The reply kept repeating itself and was stopped: "${shown}"`;
}

/** A warning about the reply as a whole. */
function notice(code: string, message: string): AgentEvent {
  return { type: 'warning', diagnostic: wholeReply({ code, level: 'warning', message, hint: '' }) };
}

/** How a round's replies are parsed. */
export function parserOptions(
  { callsEndThinking }: Pick<RunModel, 'callsEndThinking'>,
  { offer }: Pick<RunTools, 'offer'>,
  ids: CallIds,
  { config, callable }: Pick<Round, 'config' | 'callable'>,
): ParserOptions {
  return {
    tools: callable.map(({ spec }) => spec),
    whyUnavailable: (name) => offer.whyUnavailable(name, config),
    ids,
    strictness: config.strictness,
    recover: config.recovery !== 'text',
    ...(callsEndThinking !== undefined && { callsEndThinking }),
  };
}

function lengthOf({ messages, tools = [] }: ModelRequest): number {
  return messages.reduce((sum, { content }) => sum + content.length, JSON.stringify(tools).length);
}

/**
 * Texts of others that the model has read. Workspace rules are instructions, so these count; a protocol's own
 * description of tools does not.
 */
function foreignTexts(
  { instructions, situation = '' }: RunPrompt,
  { task, transcript }: RunConversation,
): readonly string[] {
  return [instructions, situation, ...(task === undefined ? [] : [task]), ...textsIn(transcript())];
}

/** Texts from files, programs and servers: results, and the user's attachments. */
function textsIn(transcript: Transcript): readonly string[] {
  // The model may have read what a summary or a shortened result no longer shows.
  const summaries = transcript.entries.flatMap((entry) =>
    entry.type === 'compaction' ? [entry.summary] : [],
  );
  const texts = transcript.entries.flatMap(entryTurns).flatMap((turn) => {
    if (turn.type === 'results') return turn.results.map(({ result }) => result);
    if (turn.type === 'reply') return [];
    return (turn.attachments ?? []).flatMap((each) => (each.type === 'text' ? [each.text] : []));
  });
  return [...summaries, ...texts];
}
