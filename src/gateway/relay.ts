import { CallIds } from '../core/reply/call-ids';
import { ReplyReader } from '../core/reply/reply-reader';
import {
  malformedResult,
  notRun,
  type MalformedCall,
  type ReplyPart,
  type ToolCall,
  type ToolResult,
  type Turn,
} from '../core/words/messages';
import type {
  EndReason,
  Model,
  ModelDelta,
  ModelFailure,
  ModelRequest,
  PromptForm,
  Usage,
} from '../core/words/model';
import type { Protocol, ReplyEvent } from '../core/words/protocol';
import type { ProviderMetadata } from '../core/words/provider-metadata';
import type { CarriedReplies } from './carried-replies';
import { CONTINUE, type GatewayRequest } from './gateway-request';
import { ClientText } from './client-text';

/** The events of a request, in the order in which a client should get them. */
export type ClientEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** All text so far was reasoning. Sent text cannot be withdrawn; a complete reply can separate the two. */
  | { readonly type: 'reasoning-end'; readonly text: string }
  /** Complete, of an offered tool, and valid for its schema. */
  | { readonly type: 'call'; readonly call: ToolCall }
  | ReportedUsage
  | { readonly type: 'end'; readonly reason: EndReason }
  /** The last event, instead of an end. */
  | { readonly type: 'failure'; readonly failure: ModelFailure };

/**
 * The input of the last attempt, by which clients decide when to shorten the conversation, and the output of all
 * attempts.
 */
export interface ReportedUsage {
  readonly type: 'usage';
  readonly usage: Usage;
  readonly isEstimated: boolean;
  /** Attempts before the last one, which the client did not ask for. */
  readonly hidden?: HiddenAttempts;
}

export interface HiddenAttempts {
  readonly count: number;
  readonly inputTokens: number;
}

/** Additional events for a log. */
export type LoggedEvent =
  /** A reply of the upstream has ended or failed: its deltas, and the protocol that read it. */
  | { readonly type: 'reply'; readonly protocol: string; readonly deltas: readonly ModelDelta[] }
  /** A malformed call was not passed on: the reply is requested again, or its text was shown. */
  | { readonly type: 'malformed'; readonly malformed: MalformedCall; readonly isAskedAgain: boolean }
  /** Tools that the model was not offered, because only the client's own service could run them. */
  | { readonly type: 'left-out'; readonly names: readonly string[] };

export type GatewayEvent = ClientEvent | LoggedEvent;

export function isClientEvent(event: GatewayEvent): event is ClientEvent {
  return event.type !== 'reply' && event.type !== 'malformed' && event.type !== 'left-out';
}

/** The model behind the gateway, and the form in which it calls tools. */
export interface Upstream {
  readonly model: Model;
  readonly protocol: Protocol;
  /** Writes and reads plain text: `native`. */
  readonly plain: Protocol;
  readonly promptForm?: PromptForm;
  /** The model ends its reasoning by calling a tool. */
  readonly callsEndThinking?: boolean;
  /** What came with replies to earlier requests. */
  readonly carried?: CarriedReplies;
  /** Estimated number of tokens of a text, if the upstream does not report them. */
  readonly tokensIn: (text: string) => number;
}

/** How often to request another reply after a malformed call, or if a required call is missing. */
const MORE_ATTEMPTS = 2;

/**
 * Lets a model with a text protocol answer like one with tools. After a malformed call, asks again with the error,
 * without the client noticing; after the last attempt, its text is shown.
 */
export async function* relay(
  request: GatewayRequest,
  upstream: Upstream,
  signal: AbortSignal,
): AsyncGenerator<GatewayEvent, void, undefined> {
  const { leftOut = [] } = request;
  if (leftOut.length > 0) yield { type: 'left-out', names: leftOut };
  const delivery = new Delivery(request);
  const { carried } = upstream;
  const turns = [...answerable(carried?.addTo(request.turns) ?? request.turns)];
  const used = upstreamFor(request, upstream);
  // If nothing can be called, this reply is always accepted.
  const most = request.tools.length === 0 ? 0 : MORE_ATTEMPTS;
  for (let attemptsLeft = most; ; attemptsLeft--) {
    const reply = new Attempt(request, used, delivery, turns);
    yield* reply.events(signal);
    if (signal.aborted || reply.hasFailed) return;
    carried?.add(reply.calls, reply.metadata);
    for (const call of delivery.take(reply.calls)) yield { type: 'call', call };
    const isLast = attemptsLeft === 0 || reply.isLimited;
    for (const malformed of reply.malformed) {
      yield { type: 'malformed', malformed, isAskedAgain: !isLast };
      if (isLast) yield { type: 'text', text: shown(malformed, reply.raw) };
    }
    const isMissing = request.needsCall && delivery.calls === 0;
    if (isLast || (reply.malformed.length === 0 && !isMissing)) {
      yield delivery.usage();
      yield {
        type: 'end',
        reason: delivery.calls > 0 && !reply.isLimited ? 'tool-calls' : ended(reply.reason),
      };
      return;
    }
    turns.push(...reply.asTurns());
  }
}

/** Templates and servers refuse a conversation that ends with a reply, or in which nobody asks. */
function answerable(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  return last === undefined || last.type === 'reply' ? [...turns, GO_ON] : turns;
}

const GO_ON: Turn = { type: 'user', text: CONTINUE };

/**
 * Without tools and calls, a conversation is plain text in every protocol. So is the reply, even if it contains JSON
 * that the client asked for, or explains how calls are written.
 */
function upstreamFor({ tools, turns }: GatewayRequest, upstream: Upstream): Upstream {
  const isPlain = tools.length === 0 && turns.every((turn) => idsOf(turn).length === 0);
  return isPlain ? { ...upstream, protocol: upstream.plain } : upstream;
}

/** Some servers report tool calls on their own. */
function ended(reason: EndReason): EndReason {
  return reason === 'tool-calls' ? 'stop' : reason;
}

const CALL_NEEDED: Turn = {
  type: 'user',
  text: 'Answer with a call of one of the tools, in exactly the form described.',
};

const TAKEN = 'The call was taken and its result will follow. Send only what could not be read.';

/** The text of a malformed call that is finally passed on: as it was written, with the error. */
function shown({ diagnostic }: MalformedCall, raw: string): string {
  const { start, end, message } = diagnostic;
  return `\n${raw.slice(start, end)}\n[This call was not passed on: ${message}]\n`;
}

/** What the client got in all attempts together. */
class Delivery {
  readonly ids: CallIds;
  calls = 0;
  /** The text of the last attempt. */
  said = '';
  /** Calls of earlier attempts: a model that should resend one call may resend all. */
  private readonly known = new Set<string>();
  private last: Usage = { inputTokens: 0, outputTokens: 0 };
  private output = 0;
  private attempts = 0;
  private hiddenInput = 0;
  private isEstimated = false;

  constructor(private readonly request: GatewayRequest) {
    this.ids = new CallIds(request.turns.flatMap(idsOf));
  }

  /** The calls of a reply that the client should get. */
  take(calls: readonly ToolCall[]): readonly ToolCall[] {
    const fresh = calls.filter((call) => !this.known.has(keyOf(call)));
    const taken = this.request.isSingle ? fresh.slice(0, this.calls > 0 ? 0 : 1) : fresh;
    for (const call of taken) this.known.add(keyOf(call));
    this.calls += taken.length;
    return taken;
  }

  count(usage: Usage, isEstimated: boolean): void {
    this.hiddenInput += this.last.inputTokens;
    this.last = usage;
    this.output += usage.outputTokens;
    this.attempts += 1;
    this.isEstimated ||= isEstimated;
  }

  usage(): ReportedUsage {
    const { last, output, attempts, hiddenInput, isEstimated } = this;
    return {
      type: 'usage',
      usage: { ...last, outputTokens: output },
      isEstimated,
      ...(attempts > 1 && { hidden: { count: attempts - 1, inputTokens: hiddenInput } }),
    };
  }
}

function keyOf({ name, arguments: args }: ToolCall): string {
  return JSON.stringify([name, args]);
}

/** Ids of the calls and results in it. */
function idsOf(turn: Turn): string[] {
  if (turn.type === 'results') return turn.results.map(({ requestId }) => requestId);
  return turn.type === 'reply' ? turn.parts.flatMap(idOf) : [];
}

function idOf(part: ReplyPart): string[] {
  if (part.type === 'call') return [part.call.id];
  return part.type === 'malformed' ? [part.malformed.id] : [];
}

/**
 * One reply of the upstream. Its calls count once it has ended: until then they may turn out to be inside reasoning.
 */
class Attempt {
  reason: EndReason = 'stop';
  hasFailed = false;
  private readonly deltas: ModelDelta[] = [];
  private readonly reader: ReplyReader;
  private readonly sent: ModelRequest;
  private said: ClientText;

  constructor(
    request: GatewayRequest,
    private readonly upstream: Upstream,
    private readonly delivery: Delivery,
    turns: readonly Turn[],
  ) {
    const rendered = renderedRequest({ ...request, turns }, upstream);
    const stop = [...request.stop, ...(rendered.stop ?? [])].slice(0, MOST_STOPS);
    this.sent = { ...rendered, ...(stop.length > 0 && { stop }) };
    this.said = new ClientText(delivery.said);
    const { callsEndThinking = false } = upstream;
    const { tools } = request;
    this.reader = new ReplyReader(upstream.protocol, {
      ...{ tools, ids: delivery.ids, recover: true, callsEndThinking },
    });
  }

  get calls(): readonly ToolCall[] {
    return this.reader.parts.flatMap((part) => (part.type === 'call' ? [part.call] : []));
  }

  get malformed(): readonly MalformedCall[] {
    return this.reader.parts.flatMap((part) => (part.type === 'malformed' ? [part.malformed] : []));
  }

  get metadata(): ProviderMetadata | undefined {
    return this.reader.metadata;
  }

  /** Everything that was written, as positions count it. */
  get raw(): string {
    return this.reader.raw;
  }

  /** Whether it ended so that another attempt would not help. */
  get isLimited(): boolean {
    return this.reason === 'length' || this.reason === 'content-filter';
  }

  async *events(signal: AbortSignal): AsyncGenerator<GatewayEvent, void, undefined> {
    const { reader } = this;
    for await (const delta of this.upstream.model.stream(this.sent, signal)) {
      if (delta.type === 'failure') return yield* this.fail(delta.failure);
      this.deltas.push(delta);
      yield* reader.push(delta).flatMap((event) => this.shown(event));
    }
    if (signal.aborted) return;
    const last = reader.end();
    if (reader.reason === undefined) return yield* this.fail(CUT_OFF);
    this.reason = reader.reason;
    yield this.asEvent;
    yield* last.flatMap((event) => this.shown(event));
    yield* textEvents(this.said.end(reader.requests.length > 0));
    // An attempt without text does not replace the previous text.
    this.delivery.said = reader.text.trimEnd() || this.delivery.said;
    this.count();
  }

  /** The reply and the answers to it, for the next attempt. */
  asTurns(): readonly Turn[] {
    const { replyParts: parts, requests, metadata } = this.reader;
    return [
      { type: 'reply', parts, ...(metadata && { carried: metadata }) },
      requests.length > 0 ? { type: 'results', results: parts.flatMap(answerTo) } : CALL_NEEDED,
    ];
  }

  /** What the client gets of it at once. */
  private shown(event: ReplyEvent): readonly ClientEvent[] {
    switch (event.type) {
      case 'text':
        return textEvents(this.said.add(event.text));
      case 'reasoning':
        return [event];
      case 'reasoning-end':
        this.said = new ClientText(this.delivery.said);
        return [event];
      case 'call-start':
      case 'call-delta':
      case 'call-end':
      case 'malformed':
      case 'warning':
        return [];
    }
  }

  private get asEvent(): GatewayEvent {
    return { type: 'reply', protocol: this.upstream.protocol.id, deltas: this.deltas };
  }

  private *fail(failure: ModelFailure): Generator<GatewayEvent, void, undefined> {
    this.hasFailed = true;
    if (this.deltas.some(isOfReply)) yield this.asEvent;
    yield { type: 'failure', failure };
  }

  private count(): void {
    const { usage } = this.reader;
    if (usage) return this.delivery.count(usage, false);
    const { tokensIn } = this.upstream;
    const inputTokens = tokensIn(wordsOf(this.sent));
    this.delivery.count({ inputTokens, outputTokens: tokensIn(this.raw) }, true);
  }
}

/** Whether it is something that the model wrote. */
function isOfReply({ type }: ModelDelta): boolean {
  return type === 'text' || type === 'reasoning' || type === 'tool-call';
}

function renderedRequest(
  { instructions, turns, tools }: GatewayRequest,
  { protocol, promptForm }: Upstream,
): ModelRequest {
  return protocol.request({ instructions, turns, tools, ...(promptForm && { promptForm }) });
}

/** Estimated tokens of the request to the upstream. */
export function estimatedTokens(request: GatewayRequest, upstream: Upstream): number {
  return upstream.tokensIn(wordsOf(renderedRequest(request, upstream)));
}

/** All text of a request, without images. */
function wordsOf({ messages, tools }: ModelRequest): string {
  return messages.map(({ content }) => content).join('\n') + (tools ? JSON.stringify(tools) : '');
}

function textEvents(text: string): readonly ClientEvent[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** The API does not accept more. */
const MOST_STOPS = 4;

const CUT_OFF: ModelFailure = {
  code: 'cut-off',
  message: 'The reply stopped in the middle. Send the request again.',
};

function answerTo(part: ReplyPart): readonly ToolResult[] {
  if (part.type === 'malformed') return [malformedResult(part.malformed)];
  return part.type === 'call' ? [notRun(part.call.id, part.call.name, TAKEN)] : [];
}
