import { Mutex } from '../../base/async';
import type { RunOutcome, SubReport, SubTask } from '../words/outcome';
import type { AgentOptions, RunScope } from './agent-options';
import { Meter, Spending } from './budget';
import { moveForm } from './call-form';
import { ReplyJudge } from './judge-reply';
import { prepareRound } from './prepare-round';
import { receiveReply } from './receive-reply';
import { runCalls } from './run-calls';
import { runSubAgent } from './sub-agent';

/**
 * The loop: makes the request fit, reads the reply, judges it and runs its calls, until a reply has no call, a budget
 * runs out or the user stops. Nothing runs before its reply has ended properly.
 */
export async function runAgent(
  initial: AgentOptions,
  signal: AbortSignal,
  scope: RunScope = newScope(initial),
): Promise<RunOutcome> {
  let options = initial;
  const maxRounds = options.limits.rounds();
  const isStopped = (): boolean => signal.aborted;
  const judge = new ReplyJudge(options, scope.depth);
  const spending = new Spending(scope.meter);
  const delegate = (callId: string, task: SubTask, stop: AbortSignal): Promise<SubReport> =>
    runSubAgent(task, { callId, options, scope, run: runAgent }, stop);
  let force: 'asked' | 'refused' | undefined = options.conversation.compactFirst ? 'asked' : undefined;
  for (let number = 1; number <= maxRounds && scope.meter.rounds < scope.maxRounds; number++) {
    const round = await prepareRound(options, { number, maxRounds, force, scope }, signal);
    if ('type' in round) return round;
    judge.before(round);
    const reply = await receiveReply(options, round, signal);
    scope.meter.add(reply.usage, reply.characters);
    if (isStopped()) return { type: 'aborted' };
    const next = judge.judge(reply, round);
    if (next?.type !== 'end') options = await moveForm(options, reply, round);
    if (next?.type === 'end') return next.outcome;
    force = next?.type === 'retry' && next.isShorter ? 'refused' : undefined;
    if (next?.type === 'retry' || next?.type === 'ask-again') continue;
    await runCalls(reply.requests, { round, options, scope, spending, delegate }, signal);
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
