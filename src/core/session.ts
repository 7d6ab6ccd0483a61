import { unlessAborted } from '../base/async';
import { Emitter, type Disposable } from '../base/disposable';
import type { JsonObject } from '../base/json';
import { never } from '../base/never';
import type { AgentOptions, Approve, Ask, GivenReply } from './run/agent-options';
import { CallIds, callIdsIn } from './run/call-ids';
import { tightened, type Hooks } from './run/hooks';
import type { Gauges } from './run/start';
import { changedSince } from './transcript/file-changes';
import { foldEvents } from './transcript/fold-events';
import { foldTranscript } from './transcript/fold-transcript';
import { activeSummary, pausedAt } from './transcript/history';
import type { Transcript } from './transcript/transcript';
import { isEdited } from './transcript/waiting-call';
import type { ApprovalRequest, Decision } from './words/approval';
import type { Attachment } from './words/attachment';
import { appendEvent, type AgentEvent, type Restore } from './words/events';
import type { RunOutcome } from './words/outcome';
import { RunEnded, type Caller, type Question } from './words/tool';
import { isLasting, type Grant, type LastingGrant, type Verdict } from './words/verdict';

/** What a run needs besides the conversation, put together anew for every message. */
export type RunSetup = Omit<
  AgentOptions,
  'transcript' | 'gauge' | 'compactFirst' | 'given' | 'ids' | 'caller' | 'approve' | 'ask' | 'emit'
>;

/** What the policy says about a call, and what the user may allow along with it. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly grants: readonly Grant[];
}

export interface SessionOptions {
  /** Resolves to a sentence when no run can start: no such model, nothing configured. */
  readonly prepareRun: (signal: AbortSignal) => Promise<RunSetup | { readonly problem: string }>;
  readonly judge: (request: ApprovalRequest, granted: readonly Grant[]) => Judgement;
  /** Somebody is there to answer what a tool asks. */
  readonly isAttended?: boolean;
  /** Whose the commands are that its calls start, and who ends them. */
  readonly owner?: object | undefined;
  /** Keeps what the user allowed for good. Never rejects. */
  readonly keep?: (grant: LastingGrant) => Promise<void>;
  /** Receives what broke a run, for the log. */
  readonly onError: (error: unknown) => void;
}

/** The user's answer to a waiting call. */
export type Answer =
  | { readonly type: 'run'; readonly grant?: Grant['type'] | undefined }
  | { readonly type: 'reject'; readonly reason: string }
  /** Shows what the call would do with these arguments, and waits again. */
  | { readonly type: 'edit'; readonly arguments: JsonObject };

/** What a run does: `given` is said in the place of the reply at an entry. */
type Work = 'run' | 'summarize' | 'summarize-and-run' | EditedReply;

interface EditedReply {
  readonly entry: number;
  readonly given: GivenReply;
}

/** One conversation: its transcript, its running turn, its waiting approvals and questions. */
export class Session implements Disposable {
  private readonly emitter = new Emitter<AgentEvent>();
  private readonly ids: CallIds;
  private readonly granted: Grant[] = [];
  private readonly waiting = new Map<string, (answer: Answer) => void>();
  private readonly asked = new Map<string, (answer: string) => void>();
  private gauges: Gauges | undefined;
  private caller: Caller;
  private running: AbortController | undefined;
  /** Of the run that goes on. */
  private hooks: Hooks | undefined;
  /** The user puts files back. */
  private isRestoring = false;
  private readonly past: AgentEvent[];
  private folded: Transcript;

  readonly onEvent = this.emitter.event;

  /** `past` is what an earlier session with this conversation has told; each run among it has its end. */
  constructor(
    private readonly options: SessionOptions,
    past: readonly AgentEvent[] = [],
  ) {
    this.caller = { owner: options.owner };
    this.past = [...past];
    this.folded = foldEvents(past);
    this.ids = new CallIds(callIdsIn(past));
  }

  get transcript(): Transcript {
    return this.folded;
  }

  /** Everything so far, for a page that opens or reloads. */
  get events(): readonly AgentEvent[] {
    return this.past;
  }

  /** A run goes on, or files are put back: neither begins now. */
  get isBusy(): boolean {
    return this.running !== undefined || this.isRestoring;
  }

  /** Runs one message to its end. Never rejects; a message while it is busy is not taken and gives `false`. */
  send(text: string, attachments: readonly Attachment[] = []): Promise<boolean> {
    const along = attachments.length > 0 && { attachments };
    return this.start({ type: 'run-start', text, ...along, time: Date.now() });
  }

  /** Goes back to before a message of the user: models get it no more, nor what came after. Not while it is busy. */
  rewind(entry: number): boolean {
    if (this.isBusy || this.folded.entries[entry]?.type !== 'user') return false;
    this.goBack(entry);
    return true;
  }

  /**
   * Goes on with a reply that the user has mended, in the place of the one at that entry: its calls run, and their
   * results are sent. As `send`; where there is no reply it is not taken.
   */
  async replaceReply(entry: number, given: GivenReply): Promise<boolean> {
    if (this.folded.entries[entry]?.type !== 'reply') return false;
    return this.start({ type: 'run-resume', time: Date.now() }, { entry, given });
  }

  /** Goes on where a budget has paused the last run, with a fresh one. As `send`; nothing to go on with gives `false`. */
  async resume(): Promise<boolean> {
    const pause = pausedAt(this.folded);
    if (!pause) return false;
    return this.start(
      { type: 'run-resume', time: Date.now() },
      pause.compactFirst ? 'summarize-and-run' : 'run',
    );
  }

  /** Puts the older messages in short, and asks nothing else of the model. As `send`. */
  summarize(): Promise<boolean> {
    return this.start({ type: 'run-resume', time: Date.now() }, 'summarize');
  }

  /** Sends everything again that the last compaction has put in short. Not while a run goes on. */
  undoSummary(): void {
    if (!this.running && activeSummary(this.folded)) this.emit({ type: 'compaction-undo' });
  }

  /** Tells that the user puts files back, or has. `false` while it is busy, when none begins. */
  restored(restore: Restore): boolean {
    const isBegin = restore.changes.some(({ after }) => after === undefined);
    if (isBegin && this.isBusy) return false;
    this.isRestoring = isBegin;
    this.emit(restore);
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

  private async start(begin: AgentEvent, work: Work = 'run'): Promise<boolean> {
    if (this.isBusy) return false;
    const running = new AbortController();
    this.running = running;
    let outcome: RunOutcome;
    try {
      outcome = await this.run(begin, work, running.signal);
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
    const { hooks } = this;
    this.hooks = undefined;
    this.emit({ type: 'run-end', outcome });
    await hooks?.runEnd(outcome);
    return true;
  }

  private async run(begin: AgentEvent, work: Work, signal: AbortSignal): Promise<RunOutcome> {
    this.emit(begin);
    const setup = await unlessAborted(this.options.prepareRun(signal), signal);
    // Whoever stopped it by now finds everything as it was.
    if (!setup || signal.aborted) return { type: 'aborted' };
    if ('problem' in setup) return { type: 'failed', message: setup.problem, canContinue: true };
    this.hooks = setup.hooks;
    const edited = typeof work === 'object' ? work : undefined;
    if (edited) this.goBack(edited.entry);
    const emit = (event: AgentEvent): void => {
      // What a stopped run still has to say changes nothing any more.
      if (this.running?.signal === signal) this.emit(event);
    };
    const approve: Approve = (request, tell, stop) => this.approve(request, setup.hooks, tell, stop);
    const ask: Ask = (callId, question, tell, stop) => this.ask(callId, question, tell, stop);
    const attended = this.options.isAttended && { ask };
    const { startRun, Gauges } = await import('./run/start');
    const options: AgentOptions = {
      ...setup,
      transcript: () => this.folded,
      gauge: (this.gauges ??= new Gauges()).of(setup),
      emit,
      approve,
      ...attended,
      ids: this.ids,
      caller: () => this.caller,
      compactFirst: work === 'summarize-and-run',
      ...(edited && { given: edited.given }),
    };
    return startRun(options, work === 'summarize' ? 'summarize' : 'run', signal);
  }

  private goBack(entry: number): void {
    const changed = new Set(changedSince(this.folded, entry).map(({ path }) => path));
    this.emit({ type: 'rewind', entry });
    this.caller = { before: this.caller, changed, owner: this.options.owner };
  }

  private async approve(
    request: ApprovalRequest,
    hooks: Hooks | undefined,
    emit: (event: AgentEvent) => void,
    signal: AbortSignal,
  ): ReturnType<Approve> {
    const judged = this.options.judge(request, this.granted);
    const verdict = hooks ? await tightened(hooks, request, judged.verdict, signal) : judged.verdict;
    // A call that was changed is allowed for this once: a lasting rule is for what models write.
    const isOfModel = request.edited === undefined && !isEdited(this.folded, request.call.id);
    // Nothing lasting would let through what a hook asks about.
    const grants = isOfModel && verdict === judged.verdict ? judged.grants : [];
    const { reason } = verdict;
    // Whoever changes a call wants to see what it has become before it runs.
    const isChanging = request.edited !== undefined || request.problem !== undefined;
    if (verdict.decision === 'auto' && !isChanging) return { type: 'run', by: 'policy', reason };
    if (verdict.decision === 'deny') return { type: 'reject', by: 'policy', reason };
    const answered = answerTo(request.call.id, this.waiting, signal);
    const why = verdict.decision === 'auto' ? 'you changed it' : reason;
    emit({ type: 'approval-request', request, reason: why, grants });
    const answer = await answered;
    if (answer.type === 'edit') return answer;
    // Only what was offered can be granted, and it is what was offered that is granted.
    const given = answer.type === 'run' ? grants.find(({ type }) => type === answer.grant) : undefined;
    const decision: Decision =
      answer.type === 'run'
        ? { type: 'run', by: 'user', reason: given ? grantText(given) : '' }
        : { type: 'reject', by: 'user', reason: answer.reason };
    if (given && !isLasting(given)) this.granted.push(given);
    emit({ type: 'approval-end', callId: request.call.id, decision });
    // The next call may be one that it lets through, so it is there before that is judged.
    if (given && isLasting(given)) await this.options.keep?.(given);
    return decision;
  }

  private async ask(
    callId: string,
    question: Question,
    emit: (event: AgentEvent) => void,
    signal: AbortSignal,
  ): Promise<string> {
    const answered = answerTo(callId, this.asked, signal);
    emit({ type: 'question', callId, ...question });
    const answer = await answered;
    emit({ type: 'question-end', callId, answer });
    return answer;
  }

  private emit(event: AgentEvent): void {
    this.folded = foldTranscript(this.folded, event);
    appendEvent(this.past, event);
    // What was put in short the model no longer has in sight.
    if (event.type === 'compaction') this.caller = { before: this.caller, owner: this.options.owner };
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
    case 'moves-in-session':
      return 'moves and deletions are allowed in this session';
    case 'read-file-in-session':
    case 'read-folder-in-session':
      return `reading ${grant.path} is allowed in this session`;
    case 'fetch-origin-in-session':
      return `fetching from ${grant.origin} is allowed in this session`;
    case 'allow-commands':
      return `always allowed: ${grant.rules.map(({ text }) => text).join(', ')}`;
    case 'allow-mcp-tool':
      return `always allowed: ${grant.tool} of ${grant.server}`;
    default:
      return never(grant);
  }
}

function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `Something went wrong inside Parley: ${text}. The log has the details.`;
}
