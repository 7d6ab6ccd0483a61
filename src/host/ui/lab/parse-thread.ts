import path from 'node:path';
import { limits } from '../../../base/limits';
import { inWorker } from '../../../node/worker-task';
import type { ParseJob, ParseJobAnswer } from './parse-job';

type ParseEnd =
  | { readonly type: 'answer'; readonly answer: ParseJobAnswer }
  | { readonly type: 'timeout' }
  | { readonly type: 'died'; readonly error: Error };

/** Runs a job in a separate thread, within limits of time and memory. Rejects only when the signal aborts. */
export async function parseInThread(job: ParseJob, signal: AbortSignal): Promise<ParseEnd> {
  const end = await inWorker(
    {
      worker: path.join(__dirname, 'parse-worker'),
      data: job,
      timeoutMs: limits.labParseMs,
      heap: limits.labParseHeapMiB,
      stack: 4,
    },
    signal,
  );
  // SAFETY: the thread answers only with the result of the job.
  return end.type === 'answer' ? { type: 'answer', answer: end.answer as ParseJobAnswer } : end;
}
