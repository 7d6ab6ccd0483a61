import path from 'node:path';
import { limits } from '../../base/limits';
import type { Isolate, IsolateEnd } from '../../tools/ports/isolate';
import type { IsolateTask } from './isolate-worker';
import { inWorker } from '../worker-task';

/** QuickJS in a separate thread: an engine inside WebAssembly, without access to Node. */
export function createIsolate(): Isolate {
  return {
    run: async (code, signal) => {
      const data: IsolateTask = {
        code,
        timeoutMs: limits.evalTimeoutMs,
        memoryBytes: limits.evalMemoryBytes,
        stackBytes: limits.evalStackBytes,
        outputCharacters: limits.evalOutputCharacters,
      };
      const task = {
        worker: path.join(__dirname, 'isolate-worker'),
        data,
        // The engine ends itself in time. If it does not, the thread is ended from outside.
        timeoutMs: limits.evalTimeoutMs + limits.workerGraceMs,
        heap: limits.workerHeapMib,
        stack: limits.workerStackMib,
      };
      const end = await inWorker(task, signal);
      // SAFETY: the module that answers is our own, and code inside the engine cannot send messages.
      if (end.type === 'answer') return end.answer as IsolateEnd;
      return { printed: '', isCut: false, how: end.type === 'timeout' ? end : { type: 'crashed' } };
    },
  };
}
