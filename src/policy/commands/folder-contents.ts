import { limits } from '../../base/limits';
import type { PathFileSystem } from '../paths/path-file-system';
import { join } from '../paths/path-text';
import { judgePath, type PathRequest } from '../paths/paths';
import { isSecret } from '../secrets';

/** Why reading everything below these places asks, if it does: a secret file, a way out, or more than can be looked at. */
export async function whyContentsAsk(
  paths: readonly string[],
  scope: Omit<PathRequest, 'path' | 'use'>,
  files: PathFileSystem,
): Promise<string | undefined> {
  try {
    return await lookThrough(paths, scope, files);
  } catch {
    return 'a folder in it cannot be looked through';
  }
}

async function lookThrough(
  paths: readonly string[],
  scope: Omit<PathRequest, 'path' | 'use'>,
  files: PathFileSystem,
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
  const seen = new Set<string>();
  let entries = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const { path, shown } = at;
    if (seen.has(path) || (await files.kind(path)) !== 'directory') continue;
    seen.add(path);
    const names = (await files.entries(path)) ?? [];
    entries += names.length;
    if (entries > limits.commandFolderEntries) return `too many files below ${shown} to look for secret ones`;
    const found = names.map((name) => ({
      name,
      path: join(path, name, files.platform),
      shown: shown === '.' ? name : `${shown.replace(/\/$/u, '')}/${name}`,
    }));
    const kinds = await Promise.all(found.map((inner) => files.kind(inner.path)));
    for (const [index, inner] of found.entries()) {
      if (kinds[index] === 'directory') {
        queue.push(inner);
      } else if (kinds[index] === 'link') {
        // Some programs follow links, some only when they are told to; here each is followed.
        const problem = await enter(inner.path, inner.shown);
        if (problem !== undefined) return problem;
      } else if (isSecret(inner.name, secrets)) {
        return `secret file: ${inner.shown}`;
      }
    }
  }
  return undefined;
}

interface Folder {
  /** Absolute, links resolved. */
  readonly path: string;
  /** For people: as the command names it. */
  readonly shown: string;
}
