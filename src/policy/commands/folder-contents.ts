import { limits } from '../../base/limits';
import { visibleName } from '../../base/text';
import { follow } from '../paths/path-file-system';
import { join } from '../paths/path-text';
import { judgePath, type PathRequest } from '../paths/paths';
import type { RememberedFiles } from '../paths/remembered-files';
import { secretPath, whyContentAsks, whyLinked } from '../paths/secret-files';
import { secretFilter } from '../secrets';

/**
 * Why reading everything below these places asks, if it does: a secret file, a link that leads outside, or too many
 * files.
 */
export async function whyContentsAsk(
  paths: readonly string[],
  scope: Omit<PathRequest, 'path' | 'use'>,
  files: RememberedFiles,
): Promise<string | undefined> {
  try {
    const name = ['contents from', scope.cwd, ...paths].join('\0');
    return await files.once(name, () => lookThrough(paths, scope, files));
  } catch {
    return 'a folder in it cannot be read';
  }
}

async function lookThrough(
  paths: readonly string[],
  scope: Omit<PathRequest, 'path' | 'use'>,
  files: RememberedFiles,
): Promise<string | undefined> {
  const secrets = { platform: files.platform, added: scope.secretNames ?? [] };
  const queue: Folder[] = [];
  const enter = async (path: string, shown: string): Promise<string | undefined> => {
    const { verdict, resolved } = await judgePath({ ...scope, path, use: 'read' }, files);
    if (verdict.decision !== 'auto' || resolved === undefined) return `${verdict.reason}: ${shown}`;
    queue.push({ path: resolved, shown });
    return undefined;
  };
  for (const path of paths) {
    const problem = await enter(path, path);
    if (problem !== undefined) return problem;
  }
  const isSecret = secretFilter(secrets);
  const seen = new Set<string>();
  const read: string[] = [];
  let entries = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const { path, shown } = at;
    if (seen.has(path) || (await files.kind(path)) !== 'directory') continue;
    seen.add(path);
    const held = (await files.entries(path)) ?? [];
    entries += held.length;
    if (entries > limits.commandFolderEntries)
      return `too many files below ${shown} to check for secret files`;
    for (const { name, kind } of held) {
      const inner = {
        path: join(path, name, files.platform),
        shown: shown === '.' ? visibleName(name) : `${shown.replace(/\/$/u, '')}/${visibleName(name)}`,
      };
      if (kind === 'directory') {
        queue.push(inner);
      } else if (kind === 'link') {
        // Some programs follow links, some only on request; here every link is followed.
        const problem = await enter(inner.path, inner.shown);
        if (problem !== undefined) return problem;
      } else if (isSecret(secretPath(inner.path, files))) {
        return `secret file: ${inner.shown}`;
      } else {
        const problem = await whyContentAsks([inner.path], files);
        if (problem !== undefined) return `${problem}: ${inner.shown}`;
        read.push(inner.path);
      }
    }
  }
  return whyLinked(read, {
    roots: await Promise.all(scope.roots.map((root) => follow(root, files))),
    secrets,
    files,
  });
}

interface Folder {
  /** Absolute, links resolved. */
  readonly path: string;
  /** For people: as the command names it. */
  readonly shown: string;
}
