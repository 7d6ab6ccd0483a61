import { Mutex } from '../../base/async';
import { ContextBudget } from '../context/context-budget';
import { summarizeNow } from '../context/fit-request';
import type { RunModel } from '../context/run-model';
import type { CallRequest } from '../reply/reply-reader';
import type { AgentEvent } from '../words/events';
import { malformedResult, notRun, type ToolResult } from '../words/messages';
import type { RunOutcome, SubTask } from '../words/outcome';
import { runningSpec, type Tool } from '../words/tool';
import type { AgentOptions, RunScope, RunUser } from './agent-options';
import { Meter, REPEATED, Spending } from './budget';
import { ReplyJudge } from './checks/reply-checks';
import { isRefused, moveForm, refusedForm } from './call-form';
import { execute } from './execute';
import { fallBack } from './fall-back';
import { rulesGiven } from './folder-rules';
import { describedTools } from './on-demand';
import { prepareRound, receiveReply, type Round } from './round';
import { lookRound, StepGuide, type FirstLook } from './step-guide';
import { runSubAgent } from './sub-agent';

/** Starts a run. `session.ts` loads this file with the first one, because windows without a run do not need it. */
export function startRun(
  options: AgentOptions,
  work: 'run' | 'summarize',
  signal: AbortSignal,
): Promise<RunOutcome> {
  if (work === 'run') return runAgent(options, signal);
  const { prompt, tools } = options;
  const described = describedTools({ offer: tools.offer, protocol: prompt.protocol }, tools.config());
  // It is the only request, so no budget counts it.
  return summarizeNow(options, { tools: described, spend: () => undefined }, signal);
}

/**
 * The loop: makes the request fit, reads the reply, judges it and runs its calls, until a reply has no call, a budget
 * runs out or the user stops. Nothing runs before its reply has ended properly.
 */
async function runAgent(
  initial: AgentOptions,
  signal: AbortSignal,
  scope: RunScope = newScope(initial),
): Promise<RunOutcome> {
  let options = initial;
  const maxRounds = options.limits.rounds();
  const isStopped = (): boolean => signal.aborted;
  let judge = new ReplyJudge(options, scope.depth);
  const spending = new Spending(scope.meter);
  let force: 'asked' | 'refused' | undefined = options.conversation.compactFirst ? 'asked' : undefined;
  let guide = new StepGuide(options);
  let work = { scope, spending, guide };
  for (const look of guide.looks) await lookFirst(look, { options, ...work }, signal);
  for (let number = 1; number <= maxRounds && scope.meter.rounds < scope.maxRounds; number++) {
    const round = await prepareRound(
      options,
      { number, maxRounds, force, scope, ...(await guide.form()) },
      signal,
    );
    if ('type' in round) return round;
    judge.before(round);
    const reply = await receiveReply(options, round, signal);
    scope.meter.add(reply.usage, reply.characters);
    if (isStopped()) return { type: 'aborted' };
    const other = await fallBack(options, reply);
    if (other) {
      options = other;
      judge = new ReplyJudge(options, scope.depth);
      guide = new StepGuide(options);
      work = { ...work, guide };
      continue;
    }
    const next = judge.judge(reply, round);
    if (next?.type !== 'end') options = await moveForm(options, reply, round);
    if (next?.type === 'end') return next.outcome;
    force = next?.type === 'retry' && next.isShorter ? 'refused' : undefined;
    const isAgain = next?.type === 'retry' || next?.type === 'ask-again';
    if (!isAgain) await runCalls(reply.requests, { round, options, ...work }, signal);
    guide.goOn(next, reply.requests);
    if (isAgain) continue;
    if (isStopped()) return { type: 'aborted' };
    if (next) return next.outcome;
    const message = spending.exceeded(options.limits.budget());
    if (message !== undefined) return { type: 'budget', message, canContinue: true };
  }
  return outOfRounds(maxRounds);
}

function newScope({ limits }: AgentOptions): RunScope {
  return { meter: new Meter(), acting: new Mutex(), maxRounds: limits.rounds(), depth: 0 };
}

function outOfRounds(maxRounds: number): RunOutcome {
  const message =
    maxRounds === 1
      ? 'Paused after 1 round. Continue for as many again, or raise "parley.toolCalling.maxIterations".'
      : `Paused after ${maxRounds} rounds. Continue for as many again, or raise "parley.toolCalling.maxIterations".`;
  return { type: 'budget', message, canContinue: true };
}

interface CallOptions {
  readonly round: Round;
  readonly options: AgentOptions;
  readonly scope: RunScope;
  readonly spending: Spending;
  readonly guide: StepGuide;
}

/** Makes a call as if the model had asked for it. */
async function lookFirst(
  look: FirstLook,
  work: Omit<CallOptions, 'round'>,
  signal: AbortSignal,
): Promise<void> {
  const round = signal.aborted ? undefined : lookRound(work.options, look);
  if (!round) return;
  const reply = await receiveReply(work.options, round, signal);
  await runCalls(reply.requests, { round, ...work }, signal);
}

/** Runs every call of a reply in the order written. Adjacent calls that only read run in parallel. */
async function runCalls(
  requests: readonly CallRequest[],
  { round, options, scope, spending, guide: { done, guard } }: CallOptions,
  signal: AbortSignal,
): Promise<void> {
  const { config, callable } = round;
  done?.begin();
  const { hooks, folderRules } = options.tools;
  const { emit, caller, contextBudget, transcript } = options.conversation;
  const run = async (request: CallRequest): Promise<ToolResult> => {
    if (request.type === 'malformed') return report(malformedResult(request.malformed), emit);
    const { call } = request;
    if (spending.isRepetition(call)) return report(notRun(call.id, call.name, REPEATED), emit);
    const again = done?.answer(call, callable);
    if (again !== undefined) return report(notRun(call.id, call.name, again), emit);
    if (isRefused(request, callable, options.user))
      return report(
        notRun(call.id, call.name, refusedForm(options.prompt.protocol, callable, call.name)),
        emit,
      );
    const tool = toolFor(call.name, callable);
    const context = {
      emit,
      ...withPausedMeter(options.user, scope.meter),
      caller: caller(),
      timeoutMs: config.timeout,
      guard,
      ...(hooks && { hooks }),
      ...(folderRules && {
        folderRules: {
          find: folderRules.find,
          given: () => rulesGiven(contextBudget.turns(transcript())),
        },
      }),
      delegate: (task: SubTask, stop: AbortSignal) =>
        runSubAgent(task, { callId: call.id, options, scope, run: runAgent }, stop),
    };
    // SAFETY: the parser knows only the offered tools and turns every other name into a malformed call.
    const action = async (): Promise<ToolResult> => {
      const result = await execute(call, tool!, context, signal);
      if (!guard?.mayRepeat(call)) done?.add(call, result, tool!.effect);
      return result;
    };
    return tool?.effect === 'read' ? action() : scope.acting.run(action);
  };
  const readsOnly = (request: CallRequest): boolean =>
    request.type === 'call' && toolFor(request.call.name, callable)?.effect === 'read';
  for (const group of groups(requests, (request) => config.parallelExecution && readsOnly(request))) {
    const ended = await Promise.allSettled(group.map(run));
    if (signal.aborted) return;
    for (const each of ended) {
      if (each.status === 'rejected') throw each.reason;
      spending.add(each.value);
    }
  }
}

/** The tool with this wire name, with its own definition even if it was offered as something else. */
function toolFor(name: string, callable: readonly Tool[]): Tool | undefined {
  const tool = callable.find(({ spec }) => runningSpec(spec).name === name);
  return tool?.spec.offers ? { ...tool, spec: tool.spec.offers.spec } : tool;
}

/** Pauses the meter while the user is asked: that time does not count for the run. */
function withPausedMeter({ approve, ask }: RunUser, meter: Meter): RunUser {
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

/** The context budgets of one conversation: what was learned about a model is valid while its window stays the same. */
export class ContextBudgets {
  private readonly budgets = new Map<string, ContextBudget>();

  of({ client, window, memory }: RunModel): ContextBudget {
    const name = `${client.name} ${window.tokens ?? ''}`;
    const budget = this.budgets.get(name) ?? new ContextBudget(window, memory);
    this.budgets.set(name, budget);
    return budget;
  }
}
