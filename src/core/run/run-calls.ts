import { malformedResult, notRun, type ToolResult } from '../words/messages';
import type { AgentEvent } from '../words/events';
import type { SubReport, SubTask } from '../words/outcome';
import type { CallRequest } from '../reply/reply-reader';
import type { AgentOptions, RunScope, RunUser } from './agent-options';
import { REPEATED, type Meter, type Spending } from './budget';
import { isRefused, refusedForm } from './call-form';
import { execute } from './execute';
import { rulesGiven } from './folder-rules';
import type { Round } from './prepare-round';

interface CallOptions {
  readonly round: Round;
  readonly options: AgentOptions;
  readonly scope: RunScope;
  readonly spending: Spending;
  /** Runs a sub-agent for the call with this id. */
  readonly delegate: (callId: string, task: SubTask, signal: AbortSignal) => Promise<SubReport>;
}

/** Runs every call of a reply in the order written. Adjacent calls that only read run in parallel. */
export async function runCalls(
  requests: readonly CallRequest[],
  { round, options, scope, spending, delegate }: CallOptions,
  signal: AbortSignal,
): Promise<void> {
  const { config, callable } = round;
  const { hooks, folderRules } = options.tools;
  const { emit, caller, contextBudget, transcript } = options.conversation;
  const run = async (request: CallRequest): Promise<ToolResult> => {
    if (request.type === 'malformed') return report(malformedResult(request.malformed), emit);
    const { call } = request;
    if (spending.isRepetition(call)) return report(notRun(call.id, call.name, REPEATED), emit);
    if (isRefused(request, callable, options.user))
      return report(
        notRun(call.id, call.name, refusedForm(options.prompt.protocol, callable, call.name)),
        emit,
      );
    const tool = callable.find(({ spec }) => spec.name === call.name);
    const context = {
      emit,
      ...withPausedMeter(options.user, scope.meter),
      caller: caller(),
      timeoutMs: config.timeout,
      ...(hooks && { hooks }),
      ...(folderRules && {
        folderRules: {
          find: folderRules.find,
          given: () => rulesGiven(contextBudget.turns(transcript())),
        },
      }),
      delegate: (task: SubTask, stop: AbortSignal) => delegate(call.id, task, stop),
    };
    // SAFETY: the parser knows only the offered tools and turns every other name into a malformed call.
    const action = (): Promise<ToolResult> => execute(call, tool!, context, signal);
    return tool?.effect === 'read' ? action() : scope.acting.run(action);
  };
  const readsOnly = (request: CallRequest): boolean =>
    request.type === 'call' &&
    callable.find(({ spec }) => spec.name === request.call.name)?.effect === 'read';
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
