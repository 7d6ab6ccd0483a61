import type { RunSetup } from '../core/run/agent-options';
import { Session, type SessionOptions } from '../core/session';
import type { AgentEvent } from '../core/words/events';
import type { ReplyTiming, Usage } from '../core/words/model';
import type { FileTexts } from './job-files';
import type { ExamJob } from './jobs';

/** Where a job is done. */
export interface JobPlace {
  readonly judge: SessionOptions['judge'];
  readonly read: () => FileTexts;
  readonly close: () => Promise<void>;
}

/** What is needed to do one job. */
export interface JobDesk {
  readonly place: JobPlace;
  readonly prepareRun: () => Promise<RunSetup>;
}

export interface JobResult {
  /**
   * `no-call`: it is not done, and the model called nothing. `failed`: the server or the network failed. `stopped`: the
   * user stopped it.
   */
  readonly outcome: 'solved' | 'wrong' | 'no-call' | 'failed' | 'stopped';
  /** What is wrong, or why it failed, as a short English sentence. */
  readonly fault?: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** One for each reply. */
  readonly replies: readonly JobReply[];
}

export interface JobReply {
  readonly timing: ReplyTiming;
  readonly usage: Usage;
}

/** Has a model do a job, and checks what it left behind. The place is closed. Rejects if Parley itself fails. */
export async function doJob(
  job: ExamJob,
  { place, prepareRun }: JobDesk,
  signal: AbortSignal,
): Promise<JobResult> {
  const errors: unknown[] = [];
  const log = new JobLog();
  const onError = (error: unknown): void => void errors.push(error);
  const session = new Session({ prepareRun, judge: place.judge, onError });
  session.onEvent((event) => log.take(event));
  const stop = (): void => session.stop();
  signal.addEventListener('abort', stop);
  try {
    if (!signal.aborted) await session.send(job.task);
    if (errors.length > 0) throw errors[0];
    return log.result(job, place.read(), signal.aborted);
  } finally {
    signal.removeEventListener('abort', stop);
    session.dispose();
    await place.close();
  }
}

/** What happened in a run, as far as it counts. */
class JobLog {
  private readonly replies: JobReply[] = [];
  private requests = 0;
  private calls = 0;
  /** The text of the last reply. */
  private answer = '';
  private failure: string | undefined;
  /** The current reply is the model's. */
  private isReply = false;

  take(event: AgentEvent): void {
    switch (event.type) {
      case 'round-start':
        // Files that the message names are read without a request, which has no size.
        this.isReply = event.size !== undefined;
        this.answer = '';
        if (this.isReply) this.requests++;
        break;
      case 'text':
        this.answer += event.text;
        break;
      case 'reasoning-end':
        this.answer = '';
        break;
      case 'call-end':
      case 'malformed':
        if (this.isReply) this.calls++;
        break;
      case 'reply-end':
        if (event.timing && event.usage) this.replies.push({ timing: event.timing, usage: event.usage });
        break;
      case 'run-end':
        if (event.outcome.type === 'failed' && event.outcome.code === undefined)
          this.failure = event.outcome.message;
        break;
      default:
        break;
    }
  }

  result(job: ExamJob, files: FileTexts, isStopped: boolean): JobResult {
    const { replies, requests, failure } = this;
    const sum = (count: (usage: Usage) => number): number =>
      replies.reduce((total, { usage }) => total + count(usage), 0);
    const used = {
      requests,
      inputTokens: sum(({ inputTokens }) => inputTokens),
      outputTokens: sum(({ outputTokens }) => outputTokens),
      replies,
    };
    if (isStopped) return { outcome: 'stopped', ...used };
    if (failure !== undefined) return { outcome: 'failed', fault: failure, ...used };
    const fault = job.fault(files, this.answer);
    if (fault === undefined) return { outcome: 'solved', ...used };
    return { outcome: this.calls === 0 ? 'no-call' : 'wrong', fault, ...used };
  }
}
