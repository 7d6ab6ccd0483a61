import { entryTurns } from '../transcript/history';
import type { Transcript } from '../transcript/transcript';
import type { Carried } from '../words/carried';
import type { ToolCallConfig } from '../words/config';
import type { AgentEvent } from '../words/events';
import type { MalformedCall, ToolCall, Turn } from '../words/messages';
import type { EndReason, ModelDelta, ModelFailure, ModelRequest, Usage } from '../words/model';
import type { ParserOptions, ReplyEvent } from '../words/protocol';
import type { Tool } from '../words/tool';
import type { AgentOptions, GivenReply, ToolOffer } from './agent-options';
import type { CallIds } from './call-ids';
import { Heard } from './echo';
import { RepetitionWatch } from './repetition';

/** A call or malformed call of a reply. */
export type CallRequest =
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'malformed'; readonly malformed: MalformedCall };

/** A reply that has ended. */
export interface Reply {
  /** Calls and malformed calls in the order written. */
  readonly requests: readonly CallRequest[];
  readonly reason: EndReason;
  /** The visible text. */
  readonly text: string;
  /** Nothing visible was written. */
  readonly isEmpty: boolean;
  /**
   * Length of the request and its reply, including reasoning: a substitute for tokens if the endpoint does not report
   * them.
   */
  readonly characters: number;
  readonly usage?: Usage;
  /** The text that it repeated until it was stopped. None of its calls run. */
  readonly repeated?: string;
  /** Another form in which the model wrote calls. */
  readonly seen?: string;
  readonly failure?: ModelFailure;
}

const CUT_OFF: ModelFailure = {
  code: 'cut-off',
  message: 'The reply was cut off, and none of its calls ran. Send the message again.',
};

/** The inputs of a round. */
interface Round {
  readonly config: ToolCallConfig;
  /** The tools offered in it. */
  readonly tools: readonly Tool[];
  readonly given?: GivenReply | undefined;
  /** What is sent, unless the reply is given. */
  readonly request?: ModelRequest | undefined;
}

/**
 * Sends one request and reads its reply to the end, emitting events while it streams. A given reply needs no request.
 */
export async function receiveReply(options: AgentOptions, round: Round, signal: AbortSignal): Promise<Reply> {
  const { emit } = options;
  const { given, request } = round;
  // A given reply was checked by the user who edited it.
  const watch = request ? new RepetitionWatch() : undefined;
  let repeated: string | undefined;
  const { protocol } = given ?? options;
  const parser = protocol.createParser(parserOptions(options, round));
  const transcript = options.transcript();
  if (request) options.onRequest?.(request, { number: transcript.replies - 1 });
  // Workspace rules are instructions, so they count as foreign text; a protocol's own description of tools does not.
  const heard = new Heard([
    options.instructions,
    options.situation ?? '',
    ...(options.task === undefined ? [] : [options.task]),
    ...foreignTexts(transcript),
  ]);
  const raw: string[] = [];
  const requests: CallRequest[] = [];
  let text = '';
  let seen: string | undefined;
  const pass = (parsed: ReplyEvent): void => {
    // A file cannot make a model copy an API call; it can with text.
    const event = request?.tools ? parsed : markEcho(parsed, raw, heard);
    if (event.type === 'reasoning-end') {
      requests.length = 0;
      text = '';
    }
    if (event.type === 'call-end') requests.push({ type: 'call', call: event.call });
    if (event.type === 'malformed') requests.push({ type: 'malformed', malformed: event.malformed });
    if (event.type === 'text') text += event.text;
    seen ??= seenForm(event);
    repeated ??= watch?.look(event);
    emit(event);
  };

  let reason: EndReason | undefined;
  let written = 0;
  let usage: Usage | undefined;
  let failure: ModelFailure | undefined;
  let carried: Carried | undefined;
  let firstMs: number | undefined;
  const started = performance.now();
  for await (const delta of request ? options.model.stream(request, signal) : (given?.deltas ?? [])) {
    // Nothing after a stop has an effect.
    if (signal.aborted) break;
    if (delta.type === 'retry' || delta.type === 'progress') emit(delta);
    if (delta.type === 'unforced') emit(notice('form-not-forced', delta.message));
    if (isOfReply(delta)) firstMs ??= performance.now() - started;
    raw.push(rawText(delta));
    written += delta.type === 'reasoning' ? delta.text.length : (raw.at(-1)?.length ?? 0);
    if (delta.type === 'end') reason = delta.reason;
    if (delta.type === 'usage') usage = delta.usage;
    if (delta.type === 'carried') carried = delta.carried;
    if (delta.type === 'failure') failure = delta.failure;
    parser.push(delta).forEach(pass);
    // Leaving the loop closes the request.
    if (repeated !== undefined) break;
  }
  if (repeated !== undefined) reason = undefined;
  parser.end(reason ?? 'cut').forEach(pass);
  if (repeated !== undefined) emit(notice('repetition', repetition(repeated)));
  emit({
    type: 'reply-end',
    reason: signal.aborted ? 'aborted' : repeated === undefined ? (reason ?? 'cut') : 'repetition',
    raw: raw.join(''),
    ...(repeated !== undefined && { repeated: repeated.slice(0, REPEATED_KEPT) }),
    ...(usage && { usage }),
    ...(carried && reason !== undefined && { carried }),
    ...(request &&
      firstMs !== undefined && {
        timing: { firstMs: Math.round(firstMs), totalMs: Math.round(performance.now() - started) },
      }),
  });
  if (reason === undefined && repeated === undefined) failure ??= CUT_OFF;
  return {
    requests,
    reason: reason ?? 'stop',
    text,
    isEmpty: !/\S/.test(text),
    characters: usage || !request ? 0 : lengthOf(request) + written,
    ...(usage && { usage }),
    ...(repeated !== undefined && { repeated }),
    ...(seen !== undefined && { seen }),
    ...(failure && { failure }),
  };
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
  return { type: 'warning', diagnostic: { code, level: 'warning', message, hint: '', start: 0, end: 0 } };
}

/** How a round's replies are parsed. */
export function parserOptions(
  {
    tools: offer,
    ids,
    callsEndThinking,
  }: Pick<AgentOptions, 'callsEndThinking'> & { readonly tools: ToolOffer; readonly ids: CallIds },
  { config, tools }: Round,
): ParserOptions {
  return {
    tools: tools.map(({ spec }) => spec),
    whyUnavailable: (name) => offer.whyUnavailable(name, config),
    ids,
    strictness: config.strictness,
    recover: config.recovery !== 'text',
    ...(callsEndThinking !== undefined && { callsEndThinking }),
  };
}

type Sender = Pick<AgentOptions, 'protocol' | 'instructions' | 'situation' | 'promptForm' | 'gauge'>;

/** The tools of a request. */
interface SentTools {
  readonly described: readonly Tool[];
  /** Tools whose definitions came in results. */
  readonly loaded: readonly Tool[];
}

/** The request for the model. */
export function renderRequest(
  { protocol, instructions, situation, promptForm: asked, gauge }: Sender,
  { described, loaded }: SentTools,
  turns: readonly Turn[],
): ModelRequest {
  const promptForm = gauge.form(asked);
  return protocol.request({
    instructions,
    ...(situation !== undefined && { situation }),
    turns,
    tools: described.map(({ spec }) => spec),
    ...(loaded.length > 0 && { loaded: loaded.map(({ spec }) => spec) }),
    promptForm,
  });
}

function lengthOf({ messages, tools = [] }: ModelRequest): number {
  return messages.reduce((sum, { content }) => sum + content.length, JSON.stringify(tools).length);
}

function seenForm(event: ReplyEvent): string | undefined {
  if (event.type === 'warning') return event.diagnostic.seen;
  return event.type === 'call-end'
    ? event.call.notes.find((note) => note.seen !== undefined)?.seen
    : undefined;
}

/** Texts from files, programs and servers: results, and the user's attachments. */
function foreignTexts(transcript: Transcript): readonly string[] {
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

function markEcho(event: ReplyEvent, raw: readonly string[], heard: Heard): ReplyEvent {
  if (event.type !== 'call-end') return event;
  const { call } = event;
  const isEcho = heard.holds(raw.join('').slice(call.start, call.end));
  return isEcho ? { ...event, call: { ...call, mark: 'echoed' } } : event;
}

function isOfReply({ type }: ModelDelta): boolean {
  return type === 'text' || type === 'reasoning' || type === 'tool-call';
}

/** What a delta adds to the raw reply. */
export function rawText(delta: ModelDelta): string {
  if (delta.type === 'text') return delta.text;
  return delta.type === 'tool-call' ? (delta.arguments ?? '') : '';
}

/** Joins adjacent texts. */
export function joinedTexts(deltas: readonly ModelDelta[]): readonly ModelDelta[] {
  const all: ModelDelta[] = [];
  for (const delta of deltas) {
    const last = all.at(-1);
    const isSame = (delta.type === 'text' || delta.type === 'reasoning') && last?.type === delta.type;
    if (isSame) all[all.length - 1] = { ...delta, text: last.text + delta.text };
    else all.push(delta);
  }
  return all;
}
