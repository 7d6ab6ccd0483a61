import { lstat, mkdir, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import type { CommandChange, SandboxReport } from '../../tools/ports/processes';
import { spawnProgram } from '../processes/child-process';
import { bytePath, isBelow, parentOf, toBuffer, toText, type BytePath } from './byte-paths';
import { isSame, lookAtTree, realBytes, type GuardedTree } from './guarded-tree';
import type { KeptFiles } from './kept-files';
import { withRepositories, type Look } from './layout';
import { leadsOf, type Leads } from './repositories';

interface TidyUp {
  readonly before: GuardedTree;
  readonly leads: Leads;
  readonly repositories: readonly BytePath[];
  readonly writable: readonly BytePath[];
  readonly look: Look;
  /** A folder for removed entries; created when needed. */
  readonly setAside: string;
  /** The earlier contents of files, if they are kept. */
  readonly kept?: KeptFiles;
}

/**
 * Removes and restores what the command was not allowed to change. Call it when none of its processes runs any more.
 * Never rejects.
 */
export async function tidyUp(parts: TidyUp): Promise<SandboxReport> {
  const { before, writable, look, setAside, kept } = parts;
  const name = (at: BytePath): string => displayed(at, writable);
  let after: GuardedTree;
  try {
    // Folders that the user locked stay locked.
    const skips = new Set([...look.skips, ...before.locked]);
    const unlocking = { ...look, skips, unlocks: true };
    const workspace = await lookAtTree({ ...unlocking, roots: writable });
    after = await withRepositories(workspace, parts.repositories, unlocking);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      removed: [],
      remaining: [`what could not be looked through: ${reason}`],
      runsCode: [],
      changes: [],
    };
  }
  const [removed, remaining]: [string[], string[]] = [[], []];
  const turned = turnedAway(parts.leads, await leadsOf(after.protected));
  for (const at of new Set([...unwanted(before, after), ...turned])) {
    const isGone = await moveAway(at, path.join(setAside, String(removed.length)));
    (isGone ? removed : remaining).push(name(at));
  }
  for (const [at, { kind, link }] of before.protected) {
    if (kind !== 'link' || link === undefined || after.protected.get(at)?.link === link) continue;
    const isBack = await symlink(toBuffer(link), toBuffer(at)).then(
      () => true,
      () => false,
    );
    if (!isBack) remaining.push(name(at));
  }
  const changed = changedFiles(before, after);
  return {
    removed,
    remaining,
    runsCode: changed.filter((at) => after.files.get(at)?.runsCode).map(name),
    changes: await changesOf(changed, before, name, kept),
    ...(removed.length > 0 && { keptIn: setAside }),
  };
}

/** Returns the changes that the user can restore, existing files first. */
async function changesOf(
  changed: readonly BytePath[],
  before: GuardedTree,
  name: (at: BytePath) => string,
  kept: KeptFiles | undefined,
): Promise<readonly CommandChange[]> {
  if (!kept) return [];
  const isOld = (at: BytePath): boolean => before.files.has(at);
  const ordered = [...changed.filter(isOld), ...changed.filter((at) => !isOld(at))];
  return Promise.all(
    ordered.slice(0, limits.recordedFiles).map(async (at) => {
      const seen = before.files.get(at);
      const content = seen && ((await kept.read(at, seen)) ?? 'unknown');
      return { path: toText(at), display: name(at), ...(content && { before: content, mode: seen.mode }) };
    }),
  );
}

/** Protected places that did not exist before, and links that now lead elsewhere. */
function unwanted(before: GuardedTree, after: GuardedTree): readonly BytePath[] {
  const fresh = after.repositories.filter((at) => !before.repositories.includes(at));
  const entries = [...after.protected].filter(([at, { kind, link }]) => {
    const known = before.protected.get(at);
    return known === undefined || known.kind !== kind || known.link !== link;
  });
  const found = [...fresh, ...entries.map(([at]) => at)];
  // Moving a folder also moves what is in it.
  return found.filter((at) => !found.some((other) => other !== at && isBelow(at, other)));
}

/** Links and files `.git` that now lead elsewhere although they were not changed. */
function turnedAway(before: Leads, after: Leads): readonly BytePath[] {
  return [...after]
    .filter(([at, to]) => before.has(at) && to !== undefined && to !== before.get(at))
    .map(([at]) => at);
}

/** New, changed and deleted files. */
function changedFiles(before: GuardedTree, after: GuardedTree): readonly BytePath[] {
  const changed = [...after.files].filter(([at, seen]) => !isSame(before.files.get(at), seen));
  const deleted = [...before.files.keys()].filter((at) => !after.files.has(at));
  return [...changed.map(([at]) => at), ...deleted];
}

function displayed(at: BytePath, roots: readonly BytePath[]): string {
  const root = roots.find((each) => isBelow(at, each));
  return toText(root === undefined ? at : at.slice(root.length + 1));
}

/** Returns whether the entry is gone. Moves a link itself, not its target. */
async function moveAway(at: BytePath, folder: string): Promise<boolean> {
  // Another command that still runs may have replaced a folder above with a link.
  const above = parentOf(at);
  if ((await realBytes(above)) !== above) return false;
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const name = at.slice(at.lastIndexOf('/') + 1);
  try {
    await rename(toBuffer(at), toBuffer((bytePath(`${folder}/`) + name) as BytePath));
    return true;
  } catch {
    // It is on another file system or contains something locked. The names go over standard input, byte for byte.
    const isFolder = (await lstat(toBuffer(at)).catch(() => undefined))?.isDirectory() ?? false;
    if (isFolder) await withName(at, ['chmod', '-R', 'u+rwX', '--']);
    if (await withName(at, ['mv', '-t', folder, '--'])) return true;
    return withName(at, ['rm', '-rf', '--']);
  }
}

/** Returns whether the program succeeded. */
function withName(at: BytePath, words: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawnProgram('xargs', ['-0', ...words], {
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(toBuffer(`${at}\0` as BytePath));
  });
}
