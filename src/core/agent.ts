import { never } from '../base/never';
import type { Approve } from './approval';
import type { CallIds } from './call-ids';
import type { ToolCallConfig } from './config';
import type { AgentEvent, RunOutcome } from './events';
import { execute } from './execute';
import type { MalformedCall, ToolCall, ToolResult, Turn } from './messages';
import type { EndReason, Model, ModelDelta, ModelFailure, Usage } from './model';
import type { PromptForm, Protocol, ReplyEvent } from './protocol';
import type { Tool } from './tool';

/** What the loop may use. `offered` is asked before every request, so a toggle counts from the next one on. */
export interface ToolOffer {
  offered(config: ToolCallConfig): readonly Tool[];
  /** A sentence for a tool that exists but is not offered. */
  whyUnavailable(name: string, config: ToolCallConfig): string | undefined;
}

export interface AgentOptions {
  readonly model: Model;
  readonly protocol: Protocol;
  readonly instructions: string;
  readonly promptForm?: PromptForm;
  readonly tools: ToolOffer;
  /** Asked before every request. */
  readonly config: () => ToolCallConfig;
  /** What was said so far, this run included. */
  readonly history: () => readonly Turn[];
  readonly ids: CallIds;
  readonly approve: Approve;
  /**
   * Which protocol to offer a model that does not keep to the one in use; `seen` is the form it wrote in. Without an
   * answer nothing is offered.
   */
  readonly suggestProtocol?: (seen: string | undefined) => string | undefined;
  readonly emit: (event: AgentEvent) => void;
}

/**
 * The loop: ask the model, run what it calls, send the results back, until a reply has no call, a budget ends it or
 * the user stops. Nothing runs before a reply has ended properly.
 */
export async function runAgent(options: AgentOptions, signal: AbortSignal): Promise<RunOutcome> {
  const { maxIterations } = options.config();
  const isStopped = (): boolean => signal.aborted;
  const adviser = new Adviser(options);
  for (let round = 1; round <= maxIterations; round++) {
    const config = options.config();
    const tools = config.enabled ? options.tools.offered(config) : [];
    options.emit({ type: 'round-start', round, protocol: options.protocol.id, model: options.model.name });
    const reply = await readReply(options, config, tools, signal);
    if (isStopped()) return { type: 'aborted' };
    adviser.look(reply);
    if (reply.failure) return { type: 'failed', message: reply.failure.message };
    // What a filter has cut down is not what the model meant to do.
    if (reply.requests.length === 0 || reply.reason === 'content-filter') return endWithoutCalls(reply);
    await answer(reply.requests, tools, config, options, signal);
    if (isStopped()) return { type: 'aborted' };
  }
  const message = `Stopped after ${maxIterations} rounds. Send a message to go on, or raise "parley.toolCalling.maxIterations".`;
  return { type: 'budget', message };
}

type CallRequest =
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'malformed'; readonly malformed: MalformedCall };

interface Reply {
  readonly requests: readonly CallRequest[];
  readonly reason: EndReason;
  readonly isEmpty: boolean;
  /** Another form that the model wrote calls in. */
  readonly seen?: string;
  readonly failure?: ModelFailure;
}

const CUT_OFF: ModelFailure = {
  code: 'cut-off',
  message: 'The reply stopped in the middle; nothing of it was run. Send the message again.',
};

async function readReply(
  options: AgentOptions,
  config: ToolCallConfig,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<Reply> {
  const { model, protocol, emit } = options;
  const specs = tools.map((tool) => tool.spec);
  const whyUnavailable = (name: string): string | undefined => options.tools.whyUnavailable(name, config);
  const parser = protocol.createParser({
    tools: specs,
    whyUnavailable,
    ids: options.ids,
    strictness: config.strictness,
    recover: config.recovery !== 'text',
  });
  const turns = options.history();
  const { instructions, promptForm = 'full' } = options;
  const request = protocol.request({ instructions, turns, tools: specs, promptForm });
  const raw: string[] = [];
  const requests: CallRequest[] = [];
  let isEmpty = true;
  let seen: string | undefined;
  const pass = (parsed: ReplyEvent): void => {
    // Calls of the API cannot be put into a model's mouth by a file; text can.
    const event = request.tools ? parsed : markEcho(parsed, raw, turns);
    if (event.type === 'call-end') requests.push({ type: 'call', call: event.call });
    if (event.type === 'malformed') requests.push({ type: 'malformed', malformed: event.malformed });
    if (event.type === 'text' && /\S/.test(event.text)) isEmpty = false;
    seen ??= seenForm(event);
    emit(event);
  };

  let reason: EndReason | undefined;
  let usage: Usage | undefined;
  let failure: ModelFailure | undefined;
  for await (const delta of model.stream(request, signal)) {
    // What comes after a stop changes nothing any more.
    if (signal.aborted) break;
    if (delta.type === 'retry') emit(delta);
    raw.push(rawText(delta));
    if (delta.type === 'end') reason = delta.reason;
    if (delta.type === 'usage') usage = delta.usage;
    if (delta.type === 'failure') failure = delta.failure;
    parser.push(delta).forEach(pass);
  }
  parser.end(reason ?? 'cut').forEach(pass);
  emit({
    type: 'reply-end',
    reason: signal.aborted ? 'aborted' : (reason ?? 'cut'),
    raw: raw.join(''),
    ...(usage && { usage }),
  });
  if (reason === undefined) failure ??= CUT_OFF;
  return {
    requests,
    reason: reason ?? 'stop',
    isEmpty,
    ...(seen !== undefined && { seen }),
    ...(failure && { failure }),
  };
}

function seenForm(event: ReplyEvent): string | undefined {
  if (event.type === 'warning') return event.diagnostic.seen;
  return event.type === 'call-end'
    ? event.call.notes.find((note) => note.seen !== undefined)?.seen
    : undefined;
}

/** A block that an earlier result holds word for word may have been put there for the model to repeat. */
function markEcho(event: ReplyEvent, raw: readonly string[], turns: readonly Turn[]): ReplyEvent {
  if (event.type !== 'call-end') return event;
  const { call } = event;
  const block = raw.join('').slice(call.start, call.end).trim();
  const isEcho = turns.some(
    (turn) => turn.type === 'results' && turn.results.some(({ result }) => result.includes(block)),
  );
  return block !== '' && isEcho ? { ...event, call: { ...call, mark: 'echoed' } } : event;
}

/** Malformed replies in a row after which another protocol is offered. */
const MALFORMED_ROUNDS = 2;

/** Notices that a model does not keep to the protocol in use, and says so once in a run. */
class Adviser {
  private malformedRounds = 0;
  private hasSpoken = false;

  constructor(private readonly options: AgentOptions) {}

  look({ requests, seen, failure }: Reply): void {
    const isMalformed = requests.length > 0 && requests.every(({ type }) => type === 'malformed');
    this.malformedRounds = isMalformed ? this.malformedRounds + 1 : 0;
    if (seen !== undefined) this.offer(seen, 'The model writes its calls in the form of another protocol.');
    else if (failure?.code === 'no-tools') this.offer(undefined, 'The endpoint takes no native tools.');
    else if (this.malformedRounds >= MALFORMED_ROUNDS)
      this.offer(undefined, 'The model has trouble with this protocol.');
  }

  private offer(seen: string | undefined, message: string): void {
    const { emit, protocol, suggestProtocol } = this.options;
    const suggested = suggestProtocol?.(seen);
    if (this.hasSpoken || suggested === undefined || suggested === protocol.id) return;
    this.hasSpoken = true;
    emit({ type: 'advice', protocol: suggested, message });
  }
}

function rawText(delta: ModelDelta): string {
  if (delta.type === 'text') return delta.text;
  return delta.type === 'tool-call' ? (delta.arguments ?? '') : '';
}

/** A plain text answer ends the run; one that says nothing, or that was cut short, is worth a word. */
function endWithoutCalls(reply: Reply): RunOutcome {
  switch (reply.reason) {
    case 'length':
      return {
        type: 'budget',
        message: 'The answer reached the output limit of the model. Send "go on" to continue it.',
      };
    case 'content-filter':
      return { type: 'failed', message: 'The endpoint withheld the answer (content filter).' };
    case 'stop':
    case 'tool-calls':
      if (!reply.isEmpty) return { type: 'done' };
      return {
        type: 'failed',
        message: 'The model sent an empty answer. Send the message again, or pick another model.',
      };
    default:
      return never(reply.reason);
  }
}

/** Answers every call of a reply in the order written. Neighbouring calls that only read run side by side. */
async function answer(
  requests: readonly CallRequest[],
  tools: readonly Tool[],
  config: ToolCallConfig,
  options: AgentOptions,
  signal: AbortSignal,
): Promise<void> {
  const run = async (request: CallRequest): Promise<void> => {
    if (request.type === 'malformed') {
      reportMalformed(request.malformed, options.emit);
      return;
    }
    const tool = tools.find(({ spec }) => spec.name === request.call.name);
    // SAFETY: the parser knows only the offered tools and turns every other name into a malformed call.
    await execute(request.call, tool!, { ...options, timeoutMs: config.timeout }, signal);
  };
  const readsOnly = (request: CallRequest): boolean =>
    request.type === 'call' && tools.find(({ spec }) => spec.name === request.call.name)?.effect === 'read';
  for (const group of groups(requests, (request) => config.parallelExecution && readsOnly(request))) {
    const ended = await Promise.allSettled(group.map(run));
    if (signal.aborted) return;
    for (const each of ended) {
      if (each.status === 'rejected') throw each.reason;
    }
  }
}

/** Neighbours that may share a group, everything else alone. */
function groups<T>(items: readonly T[], mayShare: (item: T) => boolean): T[][] {
  const found: T[][] = [];
  let open: T[] | undefined;
  for (const item of items) {
    if (mayShare(item) && open) {
      open.push(item);
      continue;
    }
    const group = [item];
    found.push(group);
    open = mayShare(item) ? group : undefined;
  }
  return found;
}

function reportMalformed({ id, name, diagnostic }: MalformedCall, emit: (event: AgentEvent) => void): void {
  const called = name === '' ? 'The call' : `The call of ${name}`;
  const result: ToolResult = {
    requestId: id,
    toolName: name,
    status: 'error',
    result: `${called} was not executed: ${diagnostic.message} ${diagnostic.hint}`,
    durationMs: 0,
  };
  emit({ type: 'tool-end', callId: id, result });
}
