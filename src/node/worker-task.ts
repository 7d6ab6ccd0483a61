import { Worker } from 'node:worker_threads';
import { abortReason } from '../base/async';

export interface WorkerTask {
  /** Path of the worker module without its extension. The thread ends after its answer. */
  readonly worker: string;
  /** The task, passed as `workerData`. */
  readonly data: object;
  readonly timeoutMs: number;
  /** Heap limit in mebibytes. A thread that needs much more is ended. */
  readonly heap: number;
  /** Stack size in mebibytes. */
  readonly stack: number;
}

type WorkerEnd =
  | { readonly type: 'answer'; readonly answer: unknown }
  | { readonly type: 'timeout' }
  /** It ran out of memory or stack, or ended with an error. */
  | { readonly type: 'died'; readonly error: Error };

/**
 * Runs work in a new thread, so that no input can block this one. The thread ends afterwards. Rejects only if the
 * signal aborts.
 */
export async function inWorker(task: WorkerTask, signal: AbortSignal): Promise<WorkerEnd> {
  signal.throwIfAborted();
  const worker = new Worker(`${task.worker}.js`, {
    workerData: task.data,
    // The thread has no access to our environment and streams.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: task.heap, stackSizeMb: task.stack },
  });
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  try {
    return await new Promise<WorkerEnd>((resolve, reject) => {
      worker.once('message', (answer: unknown) => resolve({ type: 'answer', answer }));
      worker.once('error', (error) => resolve({ type: 'died', error }));
      worker.once('exit', () => resolve({ type: 'died', error: new Error('It ended without an answer.') }));
      timer = setTimeout(() => resolve({ type: 'timeout' }), task.timeoutMs);
      stop = () => reject(abortReason(signal));
      signal.addEventListener('abort', stop, { once: true });
    });
  } finally {
    clearTimeout(timer);
    if (stop) signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
