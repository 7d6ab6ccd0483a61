import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import { never } from '../base/never';
import { runAgent, type AgentOptions } from './agent';
import type { AllowCommands, ApprovalRequest, Decision, Grant, Verdict } from './approval';
import { CallIds } from './call-ids';
import { appendEvent, type AgentEvent, type RunOutcome } from './events';
import type { Ask, Question } from './question';
import { RunEnded } from './tool';
import { emptyTranscript, foldTranscript, turnsOf, type Transcript } from './transcript';

/** What a run needs besides the conversation, put together anew for every message. */
export type RunSetup = Omit<AgentOptions, 'history' | 'ids' | 'approve' | 'ask' | 'emit'>;

/** What the policy says about a call, and what the user may allow along with it. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly grants: readonly Grant[];
}

export interface SessionOptions {
  /** Resolves to a sentence when no run can start: no such model, nothing configured. */
  readonly prepareRun: () => Promise<RunSetup | { readonly problem: string }>;
  readonly judge: (request: ApprovalRequest, granted: readonly Grant[]) => Judgement;
  /** Somebody is there to answer what a tool asks. */
  readonly isAttended?: boolean;
  /** Keeps what the user allowed for good. Never rejects. */
  readonly keep?: (grant: AllowCommands) => Promise<void>;
  /** Receives what broke a run, for the log. */
  readonly onError: (error: unknown) => void;
}

/** The user's answer to a waiting call. */
export type Answer =
  | { readonly type: 'run'; readonly grant?: Grant['type'] | undefined }
  | { readonly type: 'reject'; readonly reason: string };

/** One conversation: its transcript, its running turn, its waiting approvals and questions. */
export class Session implements Disposable {
  private readonly emitter = new Emitter<AgentEvent>();
  private readonly ids = new CallIds();
  private readonly granted: Grant[] = [];
  private readonly waiting = new Map<string, (answer: Answer) => void>();
  private readonly asked = new Map<string, (answer: string) => void>();
  private running: AbortController | undefined;
  private readonly past: AgentEvent[] = [];
  private folded = emptyTranscript;

  readonly onEvent = this.emitter.event;

  constructor(private readonly options: SessionOptions) {}

  get transcript(): Transcript {
    return this.folded;
  }

  /** Everything so far, for a page that opens or reloads. */
  get events(): readonly AgentEvent[] {
    return this.past;
  }

  /** Runs one message to its end. Never rejects; a message while another runs is not taken and gives `false`. */
  async send(text: string): Promise<boolean> {
    if (this.running) return false;
    const running = new AbortController();
    this.running = running;
    let outcome: RunOutcome;
    try {
      outcome = await this.run(text, running.signal);
    } catch (error) {
      // The other place that catches: whatever broke ends this run and is told, and the conversation goes on.
      if (!running.signal.aborted) this.options.onError(error);
      outcome = running.signal.aborted ? { type: 'aborted' } : { type: 'failed', message: sentence(error) };
    }
    // Whatever of it still goes on must not act any more.
    running.abort(new RunEnded());
    this.waiting.clear();
    this.asked.clear();
    this.running = undefined;
    this.emit({ type: 'run-end', outcome });
    return true;
  }

  stop(): void {
    this.running?.abort();
  }

  /** Answers one waiting call. An id that waits no longer changes nothing. */
  decide(callId: string, answer: Answer): void {
    const settle = this.waiting.get(callId);
    this.waiting.delete(callId);
    settle?.(answer);
  }

  /** Answers the question of one call. An id that asks nothing, or no longer, changes nothing. */
  answerQuestion(callId: string, answer: string): void {
    const settle = this.asked.get(callId);
    this.asked.delete(callId);
    settle?.(answer);
  }

  dispose(): void {
    this.stop();
    this.emitter.dispose();
  }

  private async run(text: string, signal: AbortSignal): Promise<RunOutcome> {
    this.emit({ type: 'run-start', text, time: Date.now() });
    const setup = await this.options.prepareRun();
    if ('problem' in setup) return { type: 'failed', message: setup.problem };
    const history = (): ReturnType<typeof turnsOf> => turnsOf(this.folded);
    const emit = (event: AgentEvent): void => this.emit(event);
    const approve = (request: ApprovalRequest, stop: AbortSignal): Promise<Decision> =>
      this.approve(request, stop);
    const ask: Ask = (callId, question, stop) => this.ask(callId, question, stop);
    const attended = this.options.isAttended && { ask };
    return runAgent({ ...setup, history, emit, approve, ...attended, ids: this.ids }, signal);
  }

  private async approve(request: ApprovalRequest, signal: AbortSignal): Promise<Decision> {
    const { verdict, grants } = this.options.judge(request, this.granted);
    const { reason } = verdict;
    if (verdict.decision === 'auto') return { type: 'run', by: 'policy', reason };
    if (verdict.decision === 'deny') return { type: 'reject', by: 'policy', reason };
    const answered = answerTo(request.call.id, this.waiting, signal);
    this.emit({ type: 'approval-request', request, reason, grants });
    const answer = await answered;
    // Only what was offered can be granted, and it is what was offered that is granted.
    const given = answer.type === 'run' ? grants.find(({ type }) => type === answer.grant) : undefined;
    const decision: Decision =
      answer.type === 'run'
        ? { type: 'run', by: 'user', reason: given ? grantText(given) : '' }
        : { type: 'reject', by: 'user', reason: answer.reason };
    if (given && given.type !== 'allow-commands') this.granted.push(given);
    this.emit({ type: 'approval-end', callId: request.call.id, decision });
    // The next call may be one that the rule lets through, so it is there before that is judged.
    if (given?.type === 'allow-commands') await this.options.keep?.(given);
    return decision;
  }

  private async ask(callId: string, question: Question, signal: AbortSignal): Promise<string> {
    const answered = answerTo(callId, this.asked, signal);
    this.emit({ type: 'question', callId, ...question });
    const answer = await answered;
    this.emit({ type: 'question-end', callId, answer });
    return answer;
  }

  private emit(event: AgentEvent): void {
    this.folded = foldTranscript(this.folded, event);
    appendEvent(this.past, event);
    this.emitter.fire(event);
  }
}

/** Waits until somebody takes the call's entry out of the map and calls it, or until the signal aborts. */
function answerTo<T>(
  callId: string,
  waiting: Map<string, (answer: T) => void>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      waiting.delete(callId);
      reject(new Error('Stopped while waiting for an answer.'));
    };
    signal.addEventListener('abort', stop, { once: true });
    waiting.set(callId, (answer) => {
      signal.removeEventListener('abort', stop);
      resolve(answer);
    });
  });
}

/** What the user allowed, for the log. */
function grantText(grant: Grant): string {
  switch (grant.type) {
    case 'edits-in-session':
      return 'edits are allowed in this session';
    case 'read-file-in-session':
    case 'read-folder-in-session':
      return `reading ${grant.path} is allowed in this session`;
    case 'allow-commands':
      return `always allowed: ${grant.rules.map(({ text }) => text).join(', ')}`;
    default:
      return never(grant);
  }
}

function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `Something went wrong inside Parley: ${text}. The log has the details.`;
}
