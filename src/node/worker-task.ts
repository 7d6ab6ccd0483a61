import { Worker } from 'node:worker_threads';
import { abortReason } from '../base/async';

export interface WorkerTask {
  /** Path of a module without its extension, beside the one that starts it. It ends with an answer. */
  readonly worker: string;
  /** What it finds as `workerData`. */
  readonly data: object;
  readonly timeoutMs: number;
  /** Mebibytes. Hardly more than this is ever in use; a thread that needs more is ended. */
  readonly heap: number;
  /** Mebibytes. */
  readonly stack: number;
  /** Is given each message first. One that it does not take is the answer. */
  readonly take?: (message: unknown, reply: (message: unknown) => void) => boolean;
}

type WorkerEnd =
  | { readonly type: 'answer'; readonly answer: unknown }
  | { readonly type: 'timeout' }
  /** It ran out of memory or stack, or a fault of its own ended it. */
  | { readonly type: 'died'; readonly error: Error };

/**
 * Runs work in a new thread, which ends afterwards: no input can block this thread. Rejects only if the signal aborts.
 */
export async function inWorker(task: WorkerTask, signal: AbortSignal): Promise<WorkerEnd> {
  signal.throwIfAborted();
  const worker = new Worker(`${task.worker}.js`, {
    workerData: task.data,
    // It has no access to our environment and streams.
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
      worker.on('message', (message: unknown) => {
        if (!task.take?.(message, (reply) => worker.postMessage(reply)))
          resolve({ type: 'answer', answer: message });
      });
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
