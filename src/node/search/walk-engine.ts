import path from 'node:path';
import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import { inWorker } from '../worker-task';
import { unreadablePattern, type SearchEngine } from './search-engine';
import type { ListedPaths, SearchAnswer, SearchTask } from './search-worker';
import { answerFrom, type WholeFiles } from './searched-files';
import type { WalkStart } from './walk';

interface WalkOptions {
  /** Finds the folder from which on ignore files apply to a target. */
  readonly startAt: (target: string) => Promise<WalkStart>;
  readonly secretNames: readonly string[];
  /** The files to search; the disk if not given. */
  readonly files?: WholeFiles;
  /** Ends the search after this time with what it has found; the limit of the table if not given. */
  readonly timeoutMs?: number;
}

/**
 * Searches in JavaScript, in a separate thread: hostile patterns or ignore files can take forever, and only a thread
 * can be ended.
 */
export function createWalkEngine(options: WalkOptions): SearchEngine {
  const { startAt, secretNames, files, timeoutMs = limits.searchTimeoutMs } = options;
  const run = async (
    target: string,
    { text, onPaths }: Pick<SearchTask, 'text'> & { onPaths?: (paths: readonly string[]) => void },
    signal: AbortSignal,
  ): Promise<SearchAnswer> => {
    let open = 0;
    const data: SearchTask = {
      start: await startAt(target),
      timeoutMs,
      ...(files && { asks: { separator: files.separator, atOnce: files.atOnce } }),
      ...(text && { text }),
    };
    const task = {
      worker: path.join(__dirname, 'search-worker'),
      data,
      // The search ends itself in time, unless a single expression blocks it.
      timeoutMs: timeoutMs + limits.workerGraceMs,
      heap: limits.workerHeapMib,
      stack: limits.workerStackMib,
      take: (message: unknown, reply: (message: unknown) => void) => {
        const answering = files && answerFrom(files, message, reply);
        if (answering) {
          open += 1;
          void answering.then(() => (open -= 1));
          return true;
        }
        if (!isPaths(message)) return false;
        onPaths?.(message.paths);
        return true;
      },
    };
    const end = await inWorker(task, signal);
    // SAFETY: the module that answers is our own and runs no other code.
    if (end.type === 'answer') return end.answer as SearchAnswer;
    // Keep what it has reported by then.
    if (end.type === 'timeout' && !text) return { type: 'end', cut: 'time' };
    if (end.type === 'timeout' && text?.isRegex && open === 0) {
      throw new ToolError(
        'The pattern takes too long on these files, so the search was ended. Use one with fewer nested repetitions, or search for a plain text with is_regex=false.',
      );
    }
    const why = end.type === 'timeout' ? 'took too long' : 'needed too much memory';
    throw new ToolError(`The search ${why}. Narrow it by path or glob.`);
  };
  return {
    list: async ({ path: folder }, onFile, signal) => {
      const onPaths = (paths: readonly string[]): void => paths.forEach(onFile);
      const answer = await run(folder, { onPaths }, signal);
      return answer.type === 'end' && answer.cut ? { cut: answer.cut } : {};
    },
    text: async ({ place, glob, ...query }, signal) => {
      const { query: looked, isRegex, caseSensitive, context, maxPerFile } = query;
      const text = { query: looked, isRegex, caseSensitive, context, maxPerFile, secretNames };
      const answer = await run(
        place.resolved,
        { text: { ...text, ...(glob && { glob: glob.glob }) } },
        signal,
      );
      if (answer.type === 'unreadable') throw unreadablePattern(answer.reason);
      if (answer.type === 'found') return answer;
      throw new Error('The thread sent an unexpected answer.');
    },
  };
}

function isPaths(message: unknown): message is ListedPaths {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'paths';
}
