import { Mutex } from '../../base/async';
import { never } from '../../base/never';
import { CountWatch } from '../context/count-watch';
import { atLength, isRefusal, learnWindow } from '../context/refusal';
import { makeRoom, SHORT_PROMPT, tooLong } from '../context/room';
import type { Transcript } from '../transcript/transcript';
import type { ToolCallConfig } from '../words/config';
import type { AgentEvent } from '../words/events';
import { malformedResult, notRun, type ToolResult } from '../words/messages';
import type { RunOutcome, SubTask } from '../words/outcome';
import type { Tool } from '../words/tool';
import type { AgentOptions, RunScope } from './agent-options';
import { Meter, REPEATED, Spending } from './budget';
import { execute } from './execute';
import { FalseStops } from './false-stops';
import { rulesGiven } from './folder-rules';
import { callableTools, describedTools } from './on-demand';
import { receiveReply, renderRequest, type CallRequest, type Reply } from './reply';
import { runSubAgent } from './sub-agent';

function newScope({ config }: AgentOptions): RunScope {
  return { meter: new Meter(), acting: new Mutex(), maxRounds: config().maxIterations, depth: 0 };
}

/**
 * The loop: asks the model, runs its calls, sends the results back, until a reply has no call, a budget runs out or the
 * user stops. Nothing runs before its reply has ended properly.
 */
export async function runAgent(
  options: AgentOptions,
  signal: AbortSignal,
  scope: RunScope = newScope(options),
): Promise<RunOutcome> {
  const { maxIterations } = options.config();
  const isStopped = (): boolean => signal.aborted;
  const adviser = new Adviser(options);
  const counts = new CountWatch(options);
  const falseStops = new FalseStops(options);
  const spending = new Spending(scope.meter);
  let refusals = 0;
  for (let round = 1; round <= maxIterations && scope.meter.rounds < scope.maxRounds; round++) {
    const config = options.config();
    const tools = describedTools(options, config);
    const isForced = refusals > 0 ? 'refused' : round === 1 && options.compactFirst ? 'asked' : undefined;
    const form = options.gauge.form(options.promptForm);
    const given = round === 1 ? options.given : undefined;
    const size = given ? undefined : await makeRoom(options, { tools, meter: scope.meter, isForced }, signal);
    if (isStopped()) return { type: 'aborted' };
    if (size && 'type' in size) return size;
    const isAgain = endedInRepetition(options.transcript());
    const turns = options.gauge.turns(options.transcript());
    const { loaded, callable } = callableTools(options, config, turns);
    const request = given
      ? undefined
      : { ...renderRequest(options, { described: tools, loaded }, turns), ...(isAgain && VARIED) };
    const cacheBreak = request && scope.depth === 0 ? options.gauge.prefix.look(request) : undefined;
    options.emit({
      type: 'round-start',
      round,
      maxRounds: maxIterations,
      protocol: (given ?? options).protocol.id,
      model: options.model.name,
      ...(size && { size }),
      ...(options.gauge.window.tokens !== undefined && { window: options.gauge.window.tokens }),
      ...(cacheBreak && { cacheBreak }),
      ...(given && { isMended: true }),
    });
    if (options.gauge.form(options.promptForm) !== form) options.emit(SHORT_PROMPT);
    if (request?.tools && counts.warn()) adviser.offerText();
    const reply = await receiveReply(options, { config, tools: callable, given, request }, signal);
    scope.meter.add(reply.usage, reply.characters);
    if (isStopped()) return { type: 'aborted' };
    if (!given) adviser.look(reply);
    if (size && counts.look(size, reply.usage, reply.failure) === 'tools-missing') adviser.offerText();
    const learned = given ? undefined : learnWindow(options.gauge, reply);
    if (learned) options.emit(learned);
    if (isRefusal(options.gauge, reply, size)) {
      // Try once more with less; a second refusal is reported to the user.
      if (++refusals === 1) continue;
      return tooLong(options, tools, size, reply.failure);
    }
    refusals = 0;
    if (reply.repeated !== undefined) {
      // With no user to ask, try once more automatically.
      const isAlone = !options.ask || scope.depth > 0;
      if (isAlone && !isAgain) continue;
      return REPEATS;
    }
    if (reply.failure) return { type: 'failed', message: reply.failure.message, canContinue: true };
    const stop = falseStops.look(reply);
    if (stop?.type === 'ask-again') continue;
    // A filtered reply is not what the model meant to do.
    if (reply.requests.length === 0 || reply.reason === 'content-filter')
      return stop ?? endWithoutCalls(options, reply);
    await answer(reply.requests, { tools: callable, config, options, scope, spending }, signal);
    if (isStopped()) return { type: 'aborted' };
    if (stop) return stop;
    const message = spending.exceeded(options.budget());
    if (message !== undefined) return { type: 'budget', message, canContinue: true };
  }
  const message =
    maxIterations === 1
      ? 'Paused after 1 round. Continue for as many again, or raise "parley.toolCalling.maxIterations".'
      : `Paused after ${maxIterations} rounds. Continue for as many again, or raise "parley.toolCalling.maxIterations".`;
  return { type: 'budget', message, canContinue: true };
}

const VARIED = { isVaried: true } as const;

const REPEATS: RunOutcome = {
  type: 'failed',
  code: 'repetition',
  message:
    'The model kept repeating itself, so its reply was stopped and none of its calls ran. Try again, or pick another model.',
  canContinue: true,
};

/** Whether the next request repeats the last one because its reply had to be stopped. */
function endedInRepetition({ entries }: Transcript): boolean {
  const last = entries.findLast(({ type }) => type === 'user' || type === 'reply');
  return last?.type === 'reply' && last.ended === 'repetition';
}

/** A plain text answer ends the run; one that was cut off gets a message. */
function endWithoutCalls({ gauge }: AgentOptions, reply: Reply): RunOutcome {
  switch (reply.reason) {
    case 'length':
      return atLength(gauge, reply);
    case 'content-filter':
      return {
        type: 'failed',
        message:
          'The endpoint withheld the answer (content filter). Rephrase the message, or pick another model.',
      };
    case 'stop':
    case 'tool-calls':
      return { type: 'done' };
    default:
      return never(reply.reason);
  }
}

interface Answering {
  readonly tools: readonly Tool[];
  readonly config: ToolCallConfig;
  readonly options: AgentOptions;
  readonly scope: RunScope;
  readonly spending: Spending;
}

/** Answers every call of a reply in the order written. Adjacent calls that only read run in parallel. */
async function answer(
  requests: readonly CallRequest[],
  { tools, config, options, scope, spending }: Answering,
  signal: AbortSignal,
): Promise<void> {
  const run = async (request: CallRequest): Promise<ToolResult> => {
    if (request.type === 'malformed') return report(malformedResult(request.malformed), options.emit);
    const { call } = request;
    if (spending.isRepetition(call)) return report(notRun(call.id, call.name, REPEATED), options.emit);
    const tool = tools.find(({ spec }) => spec.name === call.name);
    const context = {
      emit: options.emit,
      ...atLeisure(options, scope.meter),
      caller: options.caller(),
      timeoutMs: config.timeout,
      ...(options.hooks && { hooks: options.hooks }),
      ...(options.folderRules && {
        folderRules: {
          find: options.folderRules.find,
          given: () => rulesGiven(options.gauge.turns(options.transcript())),
        },
      }),
      delegate: (task: SubTask, stop: AbortSignal) =>
        runSubAgent(task, { callId: call.id, options, scope, run: runAgent }, stop),
    };
    // SAFETY: the parser knows only the offered tools and turns every other name into a malformed call.
    const action = (): Promise<ToolResult> => execute(call, tool!, context, signal);
    return tool?.effect === 'read' ? action() : scope.acting.run(action);
  };
  const readsOnly = (request: CallRequest): boolean =>
    request.type === 'call' && tools.find(({ spec }) => spec.name === request.call.name)?.effect === 'read';
  for (const group of groups(requests, (request) => config.parallelExecution && readsOnly(request))) {
    const ended = await Promise.allSettled(group.map(run));
    if (signal.aborted) return;
    for (const each of ended) {
      if (each.status === 'rejected') throw each.reason;
      spending.add(each.value);
    }
  }
}

/** Pauses the meter while the user is asked: that time does not count for the run. */
function atLeisure({ approve, ask }: AgentOptions, meter: Meter): Pick<AgentOptions, 'approve' | 'ask'> {
  return {
    approve: (...of) => meter.pausedWhile(() => approve(...of)),
    ...(ask && { ask: (...of) => meter.pausedWhile(() => ask(...of)) }),
  };
}

/** Maximum of calls that run in parallel. */
const SIDE_BY_SIDE = 4;

/** Groups adjacent items that may share a group, up to a maximum; every other item is alone. */
function groups<T>(items: readonly T[], mayShare: (item: T) => boolean): T[][] {
  const found: T[][] = [];
  let open: T[] | undefined;
  for (const item of items) {
    if (mayShare(item) && open && open.length < SIDE_BY_SIDE) {
      open.push(item);
      continue;
    }
    const group = [item];
    found.push(group);
    open = mayShare(item) ? group : undefined;
  }
  return found;
}

/** Emits the result of a call that did not run. */
function report(result: ToolResult, emit: (event: AgentEvent) => void): ToolResult {
  emit({ type: 'tool-end', callId: result.requestId, result });
  return result;
}

/** Malformed replies in a row after which another protocol is suggested. */
const MALFORMED_ROUNDS = 2;

/** Notices that a model does not follow its protocol, and suggests another one once per run. */
export class Adviser {
  private malformedRounds = 0;
  private hasSpoken = false;

  constructor(private readonly options: Pick<AgentOptions, 'emit' | 'protocol' | 'suggestProtocol'>) {}

  look({ requests, seen, failure }: Reply): void {
    const isMalformed = requests.length > 0 && requests.every(({ type }) => type === 'malformed');
    this.malformedRounds = isMalformed ? this.malformedRounds + 1 : 0;
    if (seen !== undefined) this.offer(seen, 'The model writes its calls in the form of another protocol.');
    else if (failure?.code === 'no-tools')
      this.offer(undefined, 'The endpoint does not support native tools.');
    else if (this.malformedRounds >= MALFORMED_ROUNDS)
      this.offer(undefined, 'The model has trouble with this protocol.');
  }

  /** For a model that was not sent the API's tools. */
  offerText(): void {
    this.offer(undefined, 'The chat template of the model does not support tools.');
  }

  private offer(seen: string | undefined, message: string): void {
    const { emit, protocol, suggestProtocol } = this.options;
    const suggested = suggestProtocol?.(seen);
    if (this.hasSpoken || suggested === undefined || suggested === protocol.id) return;
    this.hasSpoken = true;
    emit({ type: 'advice', protocol: suggested, message });
  }
}
