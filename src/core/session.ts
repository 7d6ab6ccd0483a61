import { unlessAborted } from '../base/async';
import { Emitter, type Disposable } from '../base/disposable';
import type { JsonObject } from '../base/json';
import { never } from '../base/never';
import type { AgentOptions, Approve, Ask, EditedReply, RunSetup } from './run/agent-options';
import { CallIds, callIdsIn } from './reply/call-ids';
import { tightened, type Hooks } from './run/hooks';
import type { ContextBudgets } from './run/agent';
import { changedSince, offeredChanges } from './transcript/file-changes';
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
import { isLasting, type Grant, type GrantScope, type LastingGrant, type Verdict } from './words/verdict';

/** The policy's verdict on a call, and the grants the user may give with it. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly grants: readonly Grant[];
}

export interface SessionOptions {
  /** Resolves to a sentence if no run can start: no such model, nothing configured. */
  readonly prepareRun: (signal: AbortSignal) => Promise<RunSetup | { readonly problem: string }>;
  readonly judge: (request: ApprovalRequest, granted: readonly Grant[]) => Judgement;
  /** A user can answer questions of tools. */
  readonly isAttended?: boolean;
  /** Owner of the commands that its calls start; it ends them. */
  readonly owner?: object | undefined;
  /** Stores lasting grants. Never rejects. */
  readonly keep?: (grant: LastingGrant) => Promise<void>;
  /** Receives the error that ended a run, for the log. */
  readonly onError: (error: unknown) => void;
}

/** The user's answer to a waiting call. */
export type Answer =
  | {
      readonly type: 'run';
      readonly grant?: Grant['type'] | undefined;
      /** Of a grant for commands the rules of exactly these words. */
      readonly isExact?: true | undefined;
      /** Of a lasting grant; for ever if absent. */
      readonly scope?: GrantScope | undefined;
    }
  | { readonly type: 'reject'; readonly reason: string }
  /** Shows what the call would do with these arguments, and waits again. */
  | { readonly type: 'edit'; readonly arguments: JsonObject };

/** A grant that holds until the session ends or the user takes it back. */
export interface StandingGrant {
  readonly grant: Grant;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What a run does: a replacement takes the place of the reply at an entry. */
type Work = 'run' | 'summarize' | 'summarize-and-run' | Replacement;

interface Replacement {
  readonly entry: number;
  readonly reply: EditedReply;
}

/** One conversation: its transcript, its running turn, its waiting approvals and questions. */
export class Session implements Disposable {
  private readonly emitter = new Emitter<AgentEvent>();
  private readonly ids: CallIds;
  private standing: readonly StandingGrant[] = [];
  private readonly waiting = new Map<string, (answer: Answer) => void>();
  private readonly asked = new Map<string, (answer: string) => void>();
  private contextBudgets: ContextBudgets | undefined;
  private caller: Caller;
  private running: AbortController | undefined;
  /** Hooks of the current run. */
  private hooks: Hooks | undefined;
  /** The user is restoring files. */
  private isRestoring = false;
  private readonly past: AgentEvent[];
  private folded: Transcript;

  readonly onEvent = this.emitter.event;

  /** `past`: the events of an earlier session with this conversation; every run in them has its end. */
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

  /** What the user has allowed in this session. */
  get grants(): readonly StandingGrant[] {
    return this.standing;
  }

  /** Takes a grant back: similar calls ask again. */
  revoke(standing: StandingGrant): void {
    this.standing = this.standing.filter((each) => each !== standing);
  }

  /** A run is in progress, or files are being restored: neither can start now. */
  get isBusy(): boolean {
    return this.running !== undefined || this.isRestoring;
  }

  /** Runs one message to its end. Never rejects; returns `false` without taking the message while busy. */
  send(text: string, attachments: readonly Attachment[] = []): Promise<boolean> {
    const attached = attachments.length > 0 && { attachments };
    return this.start({ type: 'run-start', text, ...attached, time: Date.now() });
  }

  /** Goes back to before a user message: models no longer get it, or anything after it. Not while busy. */
  rewind(entry: number): boolean {
    if (this.isBusy || this.folded.entries[entry]?.type !== 'user') return false;
    this.goBack(entry);
    return true;
  }

  /**
   * Continues with the user's edited reply instead of the one at that entry: its calls run, and their results are sent.
   * As `send`; returns `false` if there is no reply at that entry.
   */
  async replaceReply(entry: number, reply: EditedReply): Promise<boolean> {
    if (this.folded.entries[entry]?.type !== 'reply') return false;
    return this.start({ type: 'run-resume', time: Date.now() }, { entry, reply });
  }

  /**
   * Continues after a budget paused the last run, with a fresh budget. As `send`; `false` if there is nothing to
   * continue.
   */
  async resume(): Promise<boolean> {
    const pause = pausedAt(this.folded);
    if (!pause) return false;
    return this.start(
      { type: 'run-resume', time: Date.now() },
      pause.compactFirst ? 'summarize-and-run' : 'run',
    );
  }

  /** Summarizes the older messages and requests nothing else. As `send`. */
  summarize(): Promise<boolean> {
    return this.start({ type: 'run-resume', time: Date.now() }, 'summarize');
  }

  /** Undoes the last summary: everything is sent again. Not during a run. */
  undoSummary(): void {
    if (!this.running && activeSummary(this.folded)) this.emit({ type: 'compaction-undo' });
  }

  /** Records that the user restores files, or has restored them. Returns `false` while busy; nothing starts then. */
  restored(restore: Restore): boolean {
    const isBegin = restore.changes.some(({ after }) => after === undefined);
    if (isBegin && this.isBusy) return false;
    this.isRestoring = isBegin;
    this.emit(restore);
    return true;
  }

  /** Records that the user keeps what was done to these files from an entry on. */
  keep(paths: readonly string[], entry: number): void {
    const offered = new Set(offeredChanges(this.folded, entry).map(({ path }) => path));
    const known = paths.filter((path) => offered.has(path));
    if (known.length > 0) this.emit({ type: 'keep', entry, paths: known });
  }

  stop(): void {
    this.running?.abort();
  }

  /** Answers one waiting call. Ignores ids that no longer wait. */
  decide(callId: string, answer: Answer): void {
    const settle = this.waiting.get(callId);
    this.waiting.delete(callId);
    settle?.(answer);
  }

  /** Answers the question of one call. Ignores ids that have no open question. */
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
      // Tool errors are results by now (`execute.ts`). Any other error ends the run, not the conversation.
      if (!running.signal.aborted) this.options.onError(error);
      outcome = running.signal.aborted ? { type: 'aborted' } : { type: 'failed', message: sentence(error) };
    }
    // Whatever is still running must not act any more.
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
    // If the run was stopped by now, nothing has changed.
    if (!setup || signal.aborted) return { type: 'aborted' };
    if ('problem' in setup) return { type: 'failed', message: setup.problem, canContinue: true };
    const { hooks } = setup.tools;
    this.hooks = hooks;
    const replacement = typeof work === 'object' ? work : undefined;
    if (replacement) this.goBack(replacement.entry);
    const emit = (event: AgentEvent): void => {
      // Ignores what a stopped run still emits.
      if (this.running?.signal === signal) this.emit(event);
    };
    const approve: Approve = (request, tell, stop) => this.approve(request, hooks, tell, stop);
    const ask: Ask = (callId, question, tell, stop) => this.ask(callId, question, tell, stop);
    const { startRun, ContextBudgets } = await import('./run/agent');
    const options: AgentOptions = {
      ...setup,
      user: { approve, ...(this.options.isAttended && { ask }) },
      conversation: {
        transcript: () => this.folded,
        contextBudget: (this.contextBudgets ??= new ContextBudgets()).of(setup.model),
        emit,
        ids: this.ids,
        caller: () => this.caller,
        compactFirst: work === 'summarize-and-run',
        ...(replacement && { editedReply: replacement.reply }),
      },
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
    const judged = this.options.judge(
      request,
      this.standing.map(({ grant }) => grant),
    );
    const verdict = hooks ? await tightened(hooks, request, judged.verdict, signal) : judged.verdict;
    // An edited call is allowed only this once: a lasting rule is for what models write.
    const isOfModel = request.edited === undefined && !isEdited(this.folded, request.call.id);
    // No grant lets through what a hook asks about.
    const grants = isOfModel && verdict === judged.verdict ? judged.grants : [];
    const { reason } = verdict;
    // After changing a call, the user sees its effect before it runs.
    const isChanging = request.edited !== undefined || request.problem !== undefined;
    if (verdict.decision === 'auto' && !isChanging) return { type: 'run', by: 'policy', reason };
    if (verdict.decision === 'deny') return { type: 'reject', by: 'policy', reason };
    const answered = answerTo(request.call.id, this.waiting, signal);
    const why = verdict.decision === 'auto' ? 'you changed it' : reason;
    emit({ type: 'approval-request', request, reason: why, grants });
    const answer = await answered;
    if (answer.type === 'edit') return answer;
    // Only offered grants can be given, and exactly as offered.
    const given = answer.type === 'run' ? grantOf(answer, grants) : undefined;
    const decision: Decision =
      answer.type === 'run'
        ? { type: 'run', by: 'user', reason: given ? grantText(given) : '' }
        : { type: 'reject', by: 'user', reason: answer.reason };
    if (given && !isLasting(given)) this.standing = [...this.standing, { grant: given, since: Date.now() }];
    emit({ type: 'approval-end', callId: request.call.id, decision });
    // The grant may cover the next call, so it is stored before that call is judged.
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
    // The model can no longer see what was summarized.
    if (event.type === 'compaction') this.caller = { before: this.caller, owner: this.options.owner };
    this.emitter.fire(event);
  }
}

/** Waits until the call's entry is taken from the map and called, or until the signal aborts. */
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

function grantOf(answer: Extract<Answer, { type: 'run' }>, grants: readonly Grant[]): Grant | undefined {
  const grant = grants.find(({ type }) => type === answer.grant);
  const { scope } = answer;
  if (grant?.type === 'allow-mcp-tool') return scope === 'session' ? { ...grant, scope } : grant;
  if (grant?.type !== 'allow-commands') return grant;
  const rules = answer.isExact === true ? (grant.exact ?? grant.rules) : grant.rules;
  return { type: grant.type, rules, ...(scope !== undefined && { scope }) };
}

/** Describes a grant for the log. */
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
    case 'mcp-server-in-session':
      return `all tools of ${grant.server} are allowed in this session`;
    case 'allow-commands':
      return allowedText(grant, grant.rules.map(({ text }) => text).join(', '));
    case 'allow-mcp-tool':
      return allowedText(grant, `${grant.tool} of ${grant.server}`);
    default:
      return never(grant);
  }
}

function allowedText({ scope }: { readonly scope?: GrantScope }, what: string): string {
  if (scope === undefined) return `always allowed: ${what}`;
  return scope === 'session' ? `allowed in this session: ${what}` : `allowed in this workspace: ${what}`;
}

function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `Something went wrong inside Parley: ${text}. See the log for details.`;
}
