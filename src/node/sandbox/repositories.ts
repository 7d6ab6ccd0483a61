import path from 'node:path';
import { isWithin } from '../files/path-file-system';
import { bytePath, parentOf, toText, type BytePath } from './byte-paths';
import { realBytes, type GuardedTree } from './guarded-tree';
import { readOrdinary } from './read-file';

/**
 * Finds repositories outside a folder `.git`: of submodules, of linked working trees, and behind links. Workspace files
 * say where these are and could name any folder, so a folder outside the workspace counts only if it refers back to
 * that file.
 */
export async function repositoriesElsewhere(
  tree: GuardedTree,
  roots: readonly BytePath[],
): Promise<readonly BytePath[]> {
  const found = new Set<BytePath>();
  for (const [at, { kind }] of tree.protected) {
    if (!at.endsWith('/.git') || (kind !== 'file' && kind !== 'link')) continue;
    const folder = kind === 'link' ? await realBytes(at) : await namedFolder(at);
    if (folder === undefined) continue;
    const isInside = roots.some((root) => isWithin(toText(folder), toText(root)));
    if (!isInside && !(await belongsTo(folder, at))) continue;
    found.add(folder);
    const common = await readText(joined(folder, 'commondir'));
    if (common === undefined) continue;
    const shared = await realBytes(resolved(folder, common));
    if (shared !== undefined && (isInside || isWithin(toText(folder), toText(shared)))) found.add(shared);
  }
  return [...found];
}

/**
 * Where protected links and files `.git` lead; `undefined` if the target does not exist. A command must not change
 * that.
 */
export async function leadsOf(entries: GuardedTree['protected']): Promise<Leads> {
  const found = [...entries].map(async ([at, { kind }]): Promise<[BytePath, BytePath | undefined][]> => {
    if (kind === 'link') return [[at, await realBytes(at)]];
    return kind === 'file' && at.endsWith('/.git') ? [[at, await namedFolder(at)]] : [];
  });
  return new Map((await Promise.all(found)).flat());
}

export type Leads = ReadonlyMap<BytePath, BytePath | undefined>;

/** `gitdir: ../.git/modules/one` */
async function namedFolder(file: BytePath): Promise<BytePath | undefined> {
  const [, named] = /^gitdir: (.+)$/u.exec((await readText(file)) ?? '') ?? [];
  return named === undefined ? undefined : realBytes(resolved(parentOf(file), named));
}

async function belongsTo(folder: BytePath, file: BytePath): Promise<boolean> {
  if ((await readText(joined(folder, 'HEAD'))) === undefined) return false;
  const back = await readText(joined(folder, 'gitdir'));
  if (back !== undefined) return (await realBytes(resolved(folder, back))) === (await realBytes(file));
  const settings = (await readText(joined(folder, 'config'))) ?? '';
  const [, top] = /^\s*worktree\s*=\s*(.+)$/mu.exec(settings) ?? [];
  return top !== undefined && (await realBytes(resolved(folder, top))) === parentOf(file);
}

function joined(folder: BytePath, name: string): BytePath {
  return `${folder}/${name}` as BytePath;
}

function resolved(folder: BytePath, named: string): BytePath {
  return bytePath(path.resolve(toText(folder), named));
}

/** Reads a text without the line break at its end. */
async function readText(file: BytePath): Promise<string | undefined> {
  return (await readOrdinary(file))?.toString().trimEnd();
}
