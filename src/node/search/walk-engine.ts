import { unlessAborted } from '../../base/async';
import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import { secretPath } from '../../policy/paths/secret-files';
import { secretFilter, type SecretName } from '../../policy/secrets';
import { pathFileSystem } from '../files/path-file-system';
import { findText } from './find-text';
import type { AppliedRules } from './ignore-files';
import { KeptMatches } from './matches';
import type { SearchCut } from '../../tools/ports/search';
import type { SearchEngine } from './search-engine';
import { type SearchedFiles, walk, type WalkedFile, type WalkStart } from './walk';

interface WalkOptions {
  /** Finds the folder from which on ignore files apply to a target. */
  readonly startAt: (target: string) => Promise<WalkStart>;
  readonly secretNames: readonly SecretName[];
  readonly files: SearchedFiles;
  /** Ends the search after this time with what it has found; the limit of the table if not given. */
  readonly timeoutMs?: number;
}

/**
 * Lists and searches where ripgrep cannot run. Searches for literal text only: a regular expression of a model could
 * block this thread forever.
 */
export function createWalkEngine(options: WalkOptions): SearchEngine {
  const { startAt, secretNames, timeoutMs = limits.searchTimeoutMs } = options;
  const begin = async (target: string, rules: AppliedRules, signal: AbortSignal) => {
    const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const files = untilAborted(options.files, until);
    return { until, files, found: walk(files, { ...(await startAt(target)), rules }, until) };
  };
  return {
    list: async ({ path, rules }, onFile, signal) => {
      const { until, found } = await begin(path, rules, signal);
      for await (const group of found) for (const { below } of group) onFile(below);
      signal.throwIfAborted();
      return until.aborted ? { cut: 'time' } : {};
    },
    text: async (query, signal) => {
      if (query.isRegex) {
        throw new ToolError(
          'A virtual workspace cannot be searched with a regular expression. Search for a plain text with is_regex=false.',
        );
      }
      const { until, files, found } = await begin(
        query.place.resolved,
        query.includeIgnored ? 'none' : 'all',
        signal,
      );
      const kept = new KeptMatches({
        maxPerFile: query.maxPerFile,
        most: limits.searchMatches,
        lineCharacters: limits.searchLineCharacters,
      });
      let cut: SearchCut | undefined;
      const look = async ({ path, below }: Pick<WalkedFile, 'path' | 'below'>): Promise<void> => {
        const content = await files.read(path);
        if (content === 'too large') cut = 'size';
        else if (content) findText(content, query, kept.file(below));
      };
      const isSecret = secretFilter({ platform: pathFileSystem.platform, added: secretNames });
      const isWanted = ({ path, below }: WalkedFile): boolean =>
        !isSecret(secretPath(path, pathFileSystem)) && (query.glob?.matches(below) ?? true);
      // The target may be a file, to which access was checked before. Reading a folder yields nothing.
      await look({ path: query.place.resolved, below: '' });
      for await (const group of found) {
        const wanted = group.filter(isWanted);
        while (wanted.length > 0 && !until.aborted)
          await Promise.all(wanted.splice(0, files.atOnce).map(look));
      }
      signal.throwIfAborted();
      const { files: withMatches, total, totalFiles } = kept;
      if (until.aborted) cut = 'time';
      return { files: withMatches, total, totalFiles, ...(cut && { cut }) };
    },
  };
}

/** A provider may fail, or never answer. Only what was requested is then missing; the search continues, or ends in time. */
function untilAborted(files: SearchedFiles, signal: AbortSignal): SearchedFiles {
  return {
    ...files,
    list: async (folder) => (await unlessAborted(files.list(folder), signal).catch(() => undefined)) ?? [],
    read: (file) => unlessAborted(files.read(file), signal).catch(() => undefined),
  };
}
