import { malformedResult, notRun, type ToolResult } from '../words/messages';
import type { AgentEvent } from '../words/events';
import type { SubReport, SubTask } from '../words/outcome';
import { runningSpec, type Tool } from '../words/tool';
import type { CallRequest } from '../reply/reply-reader';
import type { AgentOptions, RunScope, RunUser } from './agent-options';
import { REPEATED, type Meter, type Spending } from './budget';
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
    const tool = toolFor(call.name, callable);
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
